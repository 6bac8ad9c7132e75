internal import Documents

/// A time zone, which converts between instants and the local date and time.
///
/// The time zone rules are data of the machine, so an adapter provides the offset. Everything else is derived from it.
package protocol CivilCalendar: Sendable {
    /// Returns the number of seconds by which local time is ahead of UTC at an instant; it is negative in the west.
    func utcOffset(at instant: WallInstant) -> Int
}

extension CivilCalendar {
    /// Returns the local date and time at an instant.
    package func civil(of instant: WallInstant) -> CivilDateTime {
        CivilDateTime(secondsSinceEpoch: instant.seconds + Int64(utcOffset(at: instant)))
    }

    /// Returns the instant at which something scheduled for a local time takes place.
    ///
    /// If clocks skip the time, it is the end of the gap. If the time occurs twice, it is the first one.
    ///
    /// The result is correct only if the offset changes at most once within two days.
    package func instant(of civil: CivilDateTime) -> WallInstant {
        let local = civil.secondsSinceEpoch
        let (start, end) = (local - Self.maximumOffset, local + Self.maximumOffset)
        let (before, after) = (offset(atSecond: start), offset(atSecond: end))
        let first = offset(atSecond: local - before) == before ? local - before : nil
        let second = offset(atSecond: local - after) == after ? local - after : nil
        return switch (first, second) {
        case (let first?, let second?): WallInstant(seconds: min(first, second))
        case (let only?, nil), (nil, let only?): WallInstant(seconds: only)
        case (nil, nil): WallInstant(seconds: offsetChange(from: before, between: start, and: end))
        }
    }

    /// Returns the first second after `start`, and at or before `end`, whose offset differs from `offset`.
    private func offsetChange(from offset: Int64, between start: Int64, and end: Int64) -> Int64 {
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.offset(atSecond: middle) == offset {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }

    private func offset(atSecond second: Int64) -> Int64 {
        // Limited to a day, so that no later calculation overflows, whatever an adapter returns.
        min(max(Int64(utcOffset(at: WallInstant(seconds: second))), -86_400), 86_400)
    }

    /// The distance to search before and after a local time taken as UTC, which is more than any offset.
    private static var maximumOffset: Int64 { 26 * 3_600 }
}
