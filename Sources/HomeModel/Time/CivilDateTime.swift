internal import HAPCore

/// A day and a time of that day, as calendar and clock on a wall show them: which instant it is depends on the place.
public struct CivilDateTime: Sendable, Hashable {
    /// The day.
    public let date: CivilDate
    /// The time of the day.
    public let time: CivilTime

    /// Creates a moment from its two halves.
    public init(date: CivilDate, time: CivilTime) {
        self.date = date
        self.time = time
    }

    /// Reads `2026-03-29 07:30` with a space or a `T` between, seconds optional; `nil` for everything else.
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

    /// Creates what a clock in UTC shows after this many seconds since 1970-01-01T00:00.
    init(secondsSinceEpoch seconds: Int64) {
        let (days, second) = seconds.flooredDivision(by: 86_400)
        self.init(date: CivilDate(daysSinceEpoch: Int(days)), time: CivilTime(secondOfDay: Int(second)))
    }

    /// Seconds since 1970-01-01T00:00 of a clock that is never put forward or back.
    var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay)
    }
}

extension CivilDateTime: Comparable {
    /// Whether one moment comes before another on the same wall.
    public static func < (lhs: CivilDateTime, rhs: CivilDateTime) -> Bool {
        (lhs.date, lhs.time) < (rhs.date, rhs.time)
    }
}

extension CivilDateTime: CustomStringConvertible {
    /// `2026-03-29 07:30`.
    public var description: String {
        "\(date) \(time)"
    }
}

extension CivilDateTime: StoredAsText {
    package init?(storedText text: String) { self.init(text) }
}
