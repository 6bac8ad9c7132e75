/// Allocates ids as a server does: each new id is the greatest one so far plus one, or more to skip reserved ids.
package struct IDAllocator: Sendable {
    /// The greatest id so far.
    ///
    /// Declared ids above ``IdentifierMap/maximumID``, which real devices may have, do not count.
    package private(set) var last: UInt64
    private let reserved: Set<UInt64>

    /// Creates an allocator.
    ///
    /// - Parameters:
    ///   - last: The greatest id so far, or 0 if there is none.
    ///   - reserved: Ids that are never allocated, because they are declared for other objects.
    package init(after last: UInt64, besides reserved: Set<UInt64> = []) {
        self.last = min(last, IdentifierMap.maximumID)
        self.reserved = reserved
    }

    /// Creates an allocator of ids above all existing ones.
    package init(besides existing: [UInt64]) {
        self.init(after: existing.max() ?? 0, besides: Set(existing))
    }

    /// Returns the declared id, or the next free one.
    ///
    /// If no id is left, the result is greater than
    /// ``IdentifierMap/maximumID``.
    package mutating func nextID(declared: UInt64? = nil) -> UInt64 {
        if let declared {
            if declared <= IdentifierMap.maximumID { last = max(last, declared) }
            return declared
        }
        repeat { last += 1 } while reserved.contains(last)
        return last
    }

    /// Returns the declared id, or else the next free one; `nil` if none is left.
    package mutating func nextFreeID(declared: UInt64? = nil) -> UInt64? {
        let previous = last
        let next = nextID(declared: declared)
        guard declared != nil || next <= IdentifierMap.maximumID else {
            last = previous
            return nil
        }
        return next
    }

    /// Returns the next free id above the greatest one, or the smallest free id if none is left above.
    package mutating func nextOrSmallestID() -> UInt64 {
        if let next = nextFreeID() { return next }
        last = 0
        return nextID()
    }
}
