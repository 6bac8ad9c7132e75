/// A point on a monotonic clock, passed in by whoever owns the clock.
///
/// Nothing below the IO line reads a clock; a server passes its event loop's time, a simulation its own.
/// The zero point has no meaning: only differences do. Resolution is one nanosecond, the range 292 years each way.
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
    /// The instant this far ahead; an offset beyond the range ends at the range's end.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        if overflow {
            return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
        }
        return MonotonicInstant(nanoseconds: sum)
    }

    /// How far `other` lies ahead of this instant.
    public func duration(to other: MonotonicInstant) -> Duration {
        // In Duration, which is wide enough: Int64 does not hold the distance between the range's ends.
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// The instant as far ahead of this one as `end` is of `begin`.
    ///
    /// What ``advanced(by:)`` and ``duration(to:)`` say, without the divisions that a `Duration` takes.
    package func advanced(byDistanceFrom begin: MonotonicInstant, to end: MonotonicInstant) -> MonotonicInstant {
        let (distance, isFar) = end.nanoseconds.subtractingReportingOverflow(begin.nanoseconds)
        let (sum, isBeyond) = nanoseconds.addingReportingOverflow(distance)
        guard !isFar, !isBeyond else { return advanced(by: begin.duration(to: end)) }
        return MonotonicInstant(nanoseconds: sum)
    }

    /// Whether one instant comes before another.
    public static func < (lhs: MonotonicInstant, rhs: MonotonicInstant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, cut off at the range of `Int64`.
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
