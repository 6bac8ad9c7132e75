/// An instant on a monotonic clock.
///
/// Types that perform no IO never read a clock: their callers pass the time to them. A server passes its event loop's
/// time, a simulation its own. Only differences between instants have a meaning. The resolution is one nanosecond, and
/// the range 292 years in each direction.
public struct MonotonicInstant: Sendable, Hashable {
    /// Nanoseconds since the clock's arbitrary zero.
    public var nanoseconds: Int64

    /// Creates the instant that lies this many nanoseconds after the clock's zero.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's zero, where simulations and tests begin.
    public static let zero = MonotonicInstant(nanoseconds: 0)
}

extension MonotonicInstant: InstantProtocol {
    /// Returns the instant this far ahead, clamped to the range.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        if overflow {
            return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
        }
        return MonotonicInstant(nanoseconds: sum)
    }

    /// Returns the time from this instant to another one, negative if that is earlier.
    public func duration(to other: MonotonicInstant) -> Duration {
        // A Duration is wide enough; Int64 cannot represent the distance between the ends of the range.
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns the instant as far after this one as `end` is after `begin`.
    ///
    /// Equals ``advanced(by:)`` of ``duration(to:)``, without the divisions of a `Duration`.
    package func advanced(byDistanceFrom begin: MonotonicInstant, to end: MonotonicInstant) -> MonotonicInstant {
        let (distance, isFar) = end.nanoseconds.subtractingReportingOverflow(begin.nanoseconds)
        let (sum, isBeyond) = nanoseconds.addingReportingOverflow(distance)
        guard !isFar, !isBeyond else { return advanced(by: begin.duration(to: end)) }
        return MonotonicInstant(nanoseconds: sum)
    }

    /// Returns whether one instant is before another.
    public static func < (lhs: MonotonicInstant, rhs: MonotonicInstant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to the range of `Int64`.
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow {
            return seconds < 0 ? .min : .max
        }
        let (sum, sumOverflow) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        if sumOverflow {
            return seconds < 0 ? .min : .max
        }
        return sum
    }
}
