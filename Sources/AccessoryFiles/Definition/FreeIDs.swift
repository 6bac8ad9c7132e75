internal import AccessoryModel

/// Ids as a server gives them: the next after the greatest so far, and none that is written for another object.
///
/// Ids that no server gives, which real devices may have, do not count.
struct FreeIDs {
    private var last: UInt64
    private let written: Set<UInt64>

    init(after last: UInt64, besides written: some Sequence<UInt64>) {
        self.last = last
        self.written = Set(written)
    }

    /// The written id, else the next free one; beyond the greatest that HAP has when none is left.
    mutating func settle(_ written: UInt64?) -> UInt64 {
        if let written {
            if written <= IdentifierMap.maximumID {
                last = max(last, written)
            }
            return written
        }
        last += 1
        while self.written.contains(last) { last += 1 }
        return last
    }
}
