internal import AccessoryModel

/// Ids for what has none in a dump: beyond all that occur; where there are none beyond, the least that are free.
struct DumpNumbers {
    private let taken: Set<UInt64>
    private var last: UInt64

    init(besides taken: some Sequence<UInt64>) {
        self.taken = Set(taken)
        last = self.taken.max() ?? 0
    }

    /// The next one; a file is far too small to use them up.
    mutating func next() -> UInt64 {
        last = last < IdentifierMap.maximumID ? last + 1 : 1
        while taken.contains(last) { last += 1 }
        return last
    }
}
