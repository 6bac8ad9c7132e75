internal import AccessoryModel

/// Allocates ids for objects of a dump that have none.
///
/// New ids are above all existing ids. If the maximum is exceeded, they are the smallest free ones.
struct DumpIDAllocator {
    private let used: Set<UInt64>
    private var last: UInt64

    init(besides taken: some Sequence<UInt64>) {
        self.used = Set(taken)
        last = self.used.max() ?? 0
    }

    /// Returns the next id.
    ///
    /// A file is never large enough to use all of them.
    mutating func nextID() -> UInt64 {
        last = last < IdentifierMap.maximumID ? last + 1 : 1
        while used.contains(last) { last += 1 }
        return last
    }
}
