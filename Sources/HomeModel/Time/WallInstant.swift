import HAPCore

/// A point in time as clocks on walls mean it, passed in by whoever owns the clock.
///
/// Nothing below the IO line reads a clock. Resolution is one nanosecond; the range is from the year 1677 to 2262.
public struct WallInstant: Sendable, Hashable {
    /// Nanoseconds since 1970-01-01T00:00Z, leap seconds not counted.
    public var nanoseconds: Int64

    /// Creates the instant that lies this many nanoseconds after 1970-01-01T00:00Z.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates the instant that lies this many seconds after 1970-01-01T00:00Z, the range's end when it is beyond.
    public init(seconds: Int64) {
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.nanoseconds = overflow ? (seconds < 0 ? .min : .max) : nanoseconds
    }

    /// Whole seconds since 1970-01-01T00:00Z, rounded down.
    public var seconds: Int64 {
        let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension WallInstant: InstantProtocol {
    /// The instant this far ahead; an offset beyond the range ends at the range's end.
    public func advanced(by duration: Duration) -> WallInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        if overflow {
            return WallInstant(nanoseconds: duration < .zero ? .min : .max)
        }
        return WallInstant(nanoseconds: sum)
    }

    /// How far `other` lies ahead of this instant.
    public func duration(to other: WallInstant) -> Duration {
        // In Duration, which is wide enough: Int64 does not hold the distance between the range's ends.
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Whether one instant comes before another.
    public static func < (lhs: WallInstant, rhs: WallInstant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }
}

extension WallInstant: CustomStringConvertible {
    /// In UTC, to the second: `2026-03-29T01:00:00Z`.
    public var description: String {
        let (days, second) = seconds.flooredDivision(by: 86_400)
        let time = CivilTime(secondOfDay: Int(second))
        return "\(CivilDate(daysSinceEpoch: Int(days)))T\(time.paddedDescription)Z"
    }
}

extension Int64 {
    /// Quotient and remainder with the remainder never below zero.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension WallInstant: Codable {
    /// Decodes the nanoseconds.
    public init(from decoder: any Decoder) throws {
        self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
