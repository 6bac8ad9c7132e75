/// The latest entries, as many as it is made for.
package struct Journal: Sendable, Hashable {
    /// How many it keeps.
    package let capacity: Int
    /// The entries, the oldest first.
    package var entries: [JournalEntry] {
        Array(ring[start...] + ring[..<start])
    }

    private var ring: [JournalEntry] = []
    private var start = 0

    /// Creates an empty journal that keeps this many entries, at least one.
    package init(capacity: Int = 1_000) {
        self.capacity = max(capacity, 1)
    }

    /// Takes an entry in, for which the oldest goes when it is full.
    package mutating func append(_ entry: JournalEntry) {
        if ring.count < capacity {
            ring.append(entry)
        } else {
            ring[start] = entry
            start = (start + 1) % capacity
        }
    }
}
