internal import HeapModule

/// When which automation is due, the earliest first.
///
/// A heap in which what does not hold any more stays until it comes up; never more of that than of what holds.
struct DeadlineQueue: Sendable {
    /// What is due.
    enum Part: Int, Sendable, Hashable {
        /// An automation's end: before what begins at the same instant.
        case end
        /// Its trigger.
        case trigger
    }

    /// What is due, of which automation by its place.
    struct Key: Sendable, Hashable {
        let part: Part
        let slot: Int
    }

    /// When what is due.
    struct Entry: Sendable, Comparable {
        let instant: WallInstant
        let key: Key

        /// One order for all, so that a run is the same twice.
        static func < (lhs: Entry, rhs: Entry) -> Bool {
            (lhs.instant, lhs.key.part.rawValue, lhs.key.slot) < (rhs.instant, rhs.key.part.rawValue, rhs.key.slot)
        }
    }

    private var heap = Heap<Entry>()
    private var current: [Key: WallInstant] = [:]

    /// What is due next.
    var first: Entry? {
        heap.min
    }

    /// Makes something due at an instant, and not at the one before; `nil` never.
    mutating func set(_ part: Part, of slot: Int, to instant: WallInstant?) {
        let key = Key(part: part, slot: slot)
        guard current[key] != instant else { return }
        current[key] = instant
        if let instant {
            heap.insert(Entry(instant: instant, key: key))
        }
        if heap.count > 2 * current.count + 16 {
            rebuild()
        }
        dropStale()
    }

    /// Takes out what is due next.
    mutating func removeFirst() {
        guard let first = heap.min else { return }
        current[first.key] = nil
        dropStale()
    }

    private mutating func dropStale() {
        while let first = heap.min, current[first.key] != first.instant {
            heap.removeMin()
        }
    }

    private mutating func rebuild() {
        heap = Heap(current.map { Entry(instant: $1, key: $0) })
    }
}
