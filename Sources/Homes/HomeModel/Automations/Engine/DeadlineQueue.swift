internal import HeapModule

/// The deadlines of automations, the earliest first.
///
/// Replaced deadlines stay in the heap until they reach its top. When more than about half of the entries have been
/// replaced, the heap is rebuilt.
struct DeadlineQueue: Sendable {
    /// The kind of a deadline.
    enum DeadlineKind: Int, Sendable, Hashable {
        /// The end of an automation; it precedes a trigger at the same instant.
        case end
        /// A trigger of an automation.
        case trigger
    }

    /// The kind of a deadline and the index of its automation.
    struct Key: Sendable, Hashable {
        let kind: DeadlineKind
        let index: Int
    }

    /// A deadline with its instant.
    struct Entry: Sendable, Comparable {
        let instant: WallInstant
        let key: Key

        /// A total order, so that repeated runs have the same results.
        static func < (lhs: Entry, rhs: Entry) -> Bool {
            (lhs.instant, lhs.key.kind.rawValue, lhs.key.index) < (rhs.instant, rhs.key.kind.rawValue, rhs.key.index)
        }
    }

    private var heap = Heap<Entry>()
    private var deadlines: [Key: WallInstant] = [:]

    /// The next deadline.
    var first: Entry? {
        heap.min
    }

    /// Sets the instant of a deadline, in place of the previous one; `nil` removes the deadline.
    mutating func setDeadline(_ part: DeadlineKind, of slot: Int, to instant: WallInstant?) {
        let key = Key(kind: part, index: slot)
        guard deadlines[key] != instant else { return }
        deadlines[key] = instant
        if let instant {
            heap.insert(Entry(instant: instant, key: key))
        }
        if heap.count > 2 * deadlines.count + 16 {
            rebuild()
        }
        removeStale()
    }

    /// Removes the next deadline.
    mutating func removeFirst() {
        guard let first = heap.min else { return }
        deadlines[first.key] = nil
        removeStale()
    }

    private mutating func removeStale() {
        while let first = heap.min, deadlines[first.key] != first.instant {
            heap.removeMin()
        }
    }

    private mutating func rebuild() {
        heap = Heap(deadlines.map { Entry(instant: $1, key: $0) })
    }
}
