import HomeModel

/// A time zone with a fixed offset.
struct FixedCalendar: CivilCalendar {
    /// The number of seconds ahead of UTC.
    private let offset: Int

    init(utcOffset: Int) {
        offset = utcOffset
    }

    /// The time zone UTC.
    static let utc = FixedCalendar(utcOffset: 0)

    func utcOffset(at instant: WallInstant) -> Int {
        offset
    }
}
