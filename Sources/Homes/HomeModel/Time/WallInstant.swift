internal import Documents
import HAPCore

/// A point in time of the wall clock, which the owner of the clock passes in.
///
/// Code without I/O never reads a clock. The resolution is one nanosecond, and the range is from the year 1677 to 2262.
public struct WallInstant: Sendable, Hashable {
    /// The number of nanoseconds since 1970-01-01T00:00Z, without leap seconds.
    public var nanoseconds: Int64

    /// Creates the instant at a number of nanoseconds after 1970-01-01T00:00Z.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates the instant at a number of seconds after 1970-01-01T00:00Z, limited to the range of instants.
    public init(seconds: Int64) {
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.nanoseconds = overflow ? (seconds < 0 ? .min : .max) : nanoseconds
    }

    /// The number of whole seconds since 1970-01-01T00:00Z, rounded down.
    public var seconds: Int64 {
        let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension WallInstant: InstantProtocol {
    /// Returns the instant after a duration, limited to the range of instants.
    public func advanced(by duration: Duration) -> WallInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        if overflow {
            return WallInstant(nanoseconds: duration < .zero ? .min : .max)
        }
        return WallInstant(nanoseconds: sum)
    }

    /// Returns the duration from this instant to another one.
    public func duration(to other: WallInstant) -> Duration {
        // Uses `Duration`, because the distance between both ends of the range does not fit in `Int64`.
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns whether one instant is before another.
    public static func < (lhs: WallInstant, rhs: WallInstant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }
}

extension WallInstant: CustomStringConvertible {
    /// The instant in UTC, to the second, such as `2026-03-29T01:00:00Z`.
    public var description: String {
        let (days, second) = seconds.flooredDivision(by: 86_400)
        let time = CivilTime(secondOfDay: Int(second))
        return "\(CivilDate(daysSinceEpoch: Int(days)))T\(time.paddedDescription)Z"
    }
}

extension Int64 {
    /// Returns the quotient and the remainder of a division that rounds down, so that the remainder is never negative.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension WallInstant: StoredAsNumber {
    package var storedNumber: Int64 { nanoseconds }
    package init?(storedNumber: Int64) { self.init(nanoseconds: storedNumber) }
}
