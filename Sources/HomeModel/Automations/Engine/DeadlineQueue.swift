internal import HeapModule

/// When which automation is due, the earliest first.
///
/// A heap in which what does not hold any more stays until it comes up; never more of that than of what holds.
struct DeadlineQueue: Sendable {
    /// What is due.
    enum DeadlineKind: Int, Sendable, Hashable {
        /// An automation's end: before what begins at the same instant.
        case end
        /// Its trigger.
        case trigger
    }

    /// What is due, of which automation by its place.
    struct Key: Sendable, Hashable {
        let kind: DeadlineKind
        let index: Int
    }

    /// When what is due.
    struct Entry: Sendable, Comparable {
        let instant: WallInstant
        let key: Key

        /// One order for all, so that a run is the same twice.
        static func < (lhs: Entry, rhs: Entry) -> Bool {
            (lhs.instant, lhs.key.kind.rawValue, lhs.key.index) < (rhs.instant, rhs.key.kind.rawValue, rhs.key.index)
        }
    }

    private var heap = Heap<Entry>()
    private var deadlines: [Key: WallInstant] = [:]

    /// What is due next.
    var first: Entry? {
        heap.min
    }

    /// Makes something due at an instant, and not at the one before; `nil` never.
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

    /// Takes out what is due next.
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
