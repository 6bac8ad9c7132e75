package import HAPCore

/// A time of NTP: seconds, and a fraction of a second, of 32 bits each.
///
/// Peers of AirPlay use any clock for it; only differences between times of one clock have a meaning.
package struct NTPTime: Sendable, Hashable {
    /// The seconds in the upper half, the fraction in the lower half.
    package let rawValue: UInt64

    /// The zero of a clock, and a time that is not given.
    package static let zero = NTPTime(rawValue: 0)

    /// Creates a time from its bits.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Creates the time of an instant; the seconds begin again after 32 bits.
    package init(_ instant: MonotonicInstant) {
        let (seconds, rest) = instant.nanoseconds.quotientAndFlooredRemainder(dividingBy: 1_000_000_000)
        let fraction = (UInt64(rest) << 32) / 1_000_000_000
        rawValue = UInt64(UInt32(truncatingIfNeeded: seconds)) << 32 | fraction
    }

    /// Returns the time from this time to another one of the same clock, which is at most 68 years away.
    package func duration(to other: NTPTime) -> Duration {
        let distance = Int64(bitPattern: other.rawValue &- rawValue)
        let (seconds, fraction) = (distance >> 32, UInt64(bitPattern: distance) & 0xFFFF_FFFF)
        return .seconds(seconds) + .nanoseconds(Int64((fraction * 1_000_000_000) >> 32))
    }
}

extension Int64 {
    /// Returns the quotient rounded down, and the remainder, which is not negative.
    fileprivate func quotientAndFlooredRemainder(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
