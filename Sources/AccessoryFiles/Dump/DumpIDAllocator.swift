internal import AccessoryModel

/// Allocates ids for objects of a dump that have none: above all existing ids, or otherwise the smallest free ones.
struct DumpIDAllocator {
    private let used: Set<UInt64>
    private var last: UInt64

    init(besides taken: some Sequence<UInt64>) {
        self.used = Set(taken)
        last = self.used.max() ?? 0
    }

    /// Returns the next id; no file is large enough to exhaust them.
    mutating func nextID() -> UInt64 {
        last = last < IdentifierMap.maximumID ? last + 1 : 1
        while used.contains(last) { last += 1 }
        return last
    }
}
