internal import HAPCore

/// Limits how many packets are requested again: 100 at once, and 100 in each second.
///
/// So there are never more than 200 in any second.
struct RequestLimiter: Sendable {
    /// The number of packets that can be requested at once.
    static let burst = 100
    /// The time after which one more packet can be requested.
    private static let interval = Duration.milliseconds(10)

    /// The instant at which the whole burst can be requested again.
    private var full = MonotonicInstant(nanoseconds: .min)

    /// Returns how many packets can be requested, from 0 to ``burst``.
    func available(at now: MonotonicInstant) -> Int {
        guard full > now else { return Self.burst }
        let used = now.duration(to: full).clampedNanoseconds
        let interval = Self.interval.clampedNanoseconds
        return max(Self.burst - Int(used / interval) - (used % interval == 0 ? 0 : 1), 0)
    }

    /// The instant at which at least one packet can be requested.
    var nextInstant: MonotonicInstant {
        full.advanced(by: Self.interval * -(Self.burst - 1))
    }

    /// Counts packets that are requested.
    mutating func take(_ count: Int, at now: MonotonicInstant) {
        full = max(full, now).advanced(by: Self.interval * count)
    }
}
