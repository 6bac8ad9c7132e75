internal import HAPCore

/// Admits a number of things in each second, and counts the others.
struct RateLimit {
    private let limit: Int
    private var start: MonotonicInstant?
    private var count = 0

    init(perSecond limit: Int) {
        self.limit = limit
    }

    /// The number of things of this second that were not admitted.
    var skipped: Int { max(count - limit, 0) }

    /// Returns whether one more thing is admitted, and how many of an earlier second were not.
    mutating func admit(at now: MonotonicInstant) -> (isAdmitted: Bool, skipped: Int) {
        var before = 0
        if start.map({ $0.duration(to: now) >= .seconds(1) }) ?? true { (before, start, count) = (skipped, now, 0) }
        count += 1
        return (count <= limit, before)
    }
}
