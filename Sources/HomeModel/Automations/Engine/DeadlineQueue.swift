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
    struct Entry: Sendable, Hashable {
        let instant: WallInstant
        let key: Key
    }

    private var heap: [Entry] = []
    private var current: [Key: WallInstant] = [:]

    /// What is due next.
    var first: Entry? {
        heap.first
    }

    /// Makes something due at an instant, and not at the one before; `nil` never.
    mutating func set(_ part: Part, of slot: Int, to instant: WallInstant?) {
        let key = Key(part: part, slot: slot)
        guard current[key] != instant else { return }
        current[key] = instant
        if let instant {
            append(Entry(instant: instant, key: key))
        }
        if heap.count > 2 * current.count + 16 {
            rebuild()
        }
        dropStale()
    }

    /// Takes out what is due next.
    mutating func removeFirst() {
        guard let first = heap.first else { return }
        current[first.key] = nil
        dropStale()
    }

    private mutating func dropStale() {
        while let first = heap.first, current[first.key] != first.instant {
            let last = heap.removeLast()
            if !heap.isEmpty {
                heap[0] = last
                sink(from: 0)
            }
        }
    }

    private mutating func rebuild() {
        heap = current.map { Entry(instant: $1, key: $0) }.sorted(by: Self.isBefore)
    }

    private mutating func append(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, Self.isBefore(heap[child], heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var parent = start
        while 2 * parent + 1 < heap.count {
            var child = 2 * parent + 1
            if child + 1 < heap.count, Self.isBefore(heap[child + 1], heap[child]) {
                child += 1
            }
            guard Self.isBefore(heap[child], heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }

    /// One order for all, so that a run is the same twice.
    private static func isBefore(_ lhs: Entry, _ rhs: Entry) -> Bool {
        (lhs.instant, lhs.key.part.rawValue, lhs.key.slot) < (rhs.instant, rhs.key.part.rawValue, rhs.key.slot)
    }
}
