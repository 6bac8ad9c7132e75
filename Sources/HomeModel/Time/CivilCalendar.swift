/// A time zone: what clocks at a place show at an instant.
///
/// A port: the zones' rules are data that belongs to the machine. Everything else follows from the one question.
package protocol CivilCalendar: Sendable {
    /// How many seconds clocks are ahead of UTC at an instant; negative west of it.
    func utcOffset(at instant: WallInstant) -> Int
}

extension CivilCalendar {
    /// What calendar and clock show at an instant.
    package func civil(of instant: WallInstant) -> CivilDateTime {
        CivilDateTime(secondsSinceEpoch: instant.seconds + Int64(utcOffset(at: instant)))
    }

    /// Which instants have this on their clocks.
    ///
    /// Clocks that are put forward or back more than once in two days are not understood.
    package func instants(of civil: CivilDateTime) -> LocalTimeResolution {
        let local = civil.secondsSinceEpoch
        let before = offset(atSecond: local - Self.maximumOffset)
        let after = offset(atSecond: local + Self.maximumOffset)
        let first = offset(atSecond: local - before) == before ? local - before : nil
        let second = offset(atSecond: local - after) == after ? local - after : nil
        switch (first, second) {
        case (let first?, let second?) where first != second:
            return .twice(
                first: WallInstant(seconds: min(first, second)),
                second: WallInstant(seconds: max(first, second))
            )
        case (let only?, _), (nil, let only?):
            return .once(WallInstant(seconds: only))
        case (nil, nil):
            return .skipped(
                to: WallInstant(
                    seconds: offsetChange(
                        from: before,
                        between: local - Self.maximumOffset,
                        and: local + Self.maximumOffset
                    )
                )
            )
        }
    }

    /// When something that is due at this time of the clock happens: at the end of the gap when clocks skip it, the first
    /// time when they show it twice.
    package func instant(of civil: CivilDateTime) -> WallInstant {
        switch instants(of: civil) {
        case .once(let instant): instant
        case .skipped(let end): end
        case .twice(let first, _): first
        }
    }

    /// The first second, after `start` and not after `end`, at which the offset is not `offset`.
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
        // Within a day, so that nothing below overflows whatever an adapter answers.
        min(max(Int64(utcOffset(at: WallInstant(seconds: second))), -86_400), 86_400)
    }

    /// A day, and how far clocks can be from UTC: what an instant may be away from its local time taken for UTC.
    private static var maximumOffset: Int64 { 26 * 3_600 }
}
