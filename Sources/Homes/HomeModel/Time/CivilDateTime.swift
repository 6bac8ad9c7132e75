public import Documents
internal import HAPCore

/// A date and a time of day without a time zone; its instant depends on the time zone of the place.
public struct CivilDateTime: Sendable, Hashable {
    /// The day.
    public let date: CivilDate
    /// The time of day.
    public let time: CivilTime

    /// Creates a date and time from its parts.
    public init(date: CivilDate, time: CivilTime) {
        self.date = date
        self.time = time
    }

    /// Reads a text such as `2026-03-29 07:30`, and returns `nil` for other texts.
    ///
    /// The separator is a space or a `T`, and seconds are optional.
    public init?(_ text: some StringProtocol) {
        let halves = text.prefix(32)
            .split(
                maxSplits: 1,
                omittingEmptySubsequences: false,
                whereSeparator: { $0 == " " || $0 == "T" }
            )
        guard halves.count == 2, let date = CivilDate(halves[0]), let time = CivilTime(halves[1]) else { return nil }
        self.init(date: date, time: time)
    }

    /// Creates the date and time in UTC at a number of seconds after 1970-01-01T00:00.
    init(secondsSinceEpoch seconds: Int64) {
        let (days, second) = seconds.flooredDivision(by: 86_400)
        self.init(date: CivilDate(daysSinceEpoch: Int(days)), time: CivilTime(secondOfDay: Int(second)))
    }

    /// The number of seconds since 1970-01-01T00:00 on a clock that is never changed.
    var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay)
    }
}

extension CivilDateTime: Comparable {
    /// Returns whether one date and time is before another in the same time zone.
    public static func < (lhs: CivilDateTime, rhs: CivilDateTime) -> Bool {
        (lhs.date, lhs.time) < (rhs.date, rhs.time)
    }
}

extension CivilDateTime: CustomStringConvertible {
    /// The date and time, such as `2026-03-29 07:30`.
    public var description: String {
        "\(date) \(time)"
    }
}

extension CivilDateTime: StoredAsText {
    package init?(storedText text: String) { self.init(text) }
}
