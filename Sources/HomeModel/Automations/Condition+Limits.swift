extension Condition {
    /// Whether it is neither too deep nor too large.
    var isWithinLimits: Bool {
        var count = 0
        return fits(depth: 1, counting: &count)
    }

    private func fits(depth: Int, counting count: inout Int) -> Bool {
        count += 1
        guard depth <= Self.maximumDepth, count <= Self.maximumCount else { return false }
        switch self {
        case .all(let parts), .any(let parts):
            for part in parts {
                guard part.fits(depth: depth + 1, counting: &count) else { return false }
            }
            return true
        case .not(let part):
            return part.fits(depth: depth + 1, counting: &count)
        case .characteristic, .time, .days, .presence:
            return true
        }
    }

    /// The conditions in it that consist of no others, in their order.
    var leaves: [Condition] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
        case .not(let part): part.leaves
        case .characteristic, .time, .days, .presence: [self]
        }
    }
}
