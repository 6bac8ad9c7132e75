internal import AccessoryModel

/// Ids for what has none in a dump: beyond all that occur; where there are none beyond, the least that are free.
struct DumpIDAllocator {
    private let used: Set<UInt64>
    private var last: UInt64

    init(besides taken: some Sequence<UInt64>) {
        self.used = Set(taken)
        last = self.used.max() ?? 0
    }

    /// The next one; a file is far too small to use them up.
    mutating func nextID() -> UInt64 {
        last = last < IdentifierMap.maximumID ? last + 1 : 1
        while used.contains(last) { last += 1 }
        return last
    }
}
