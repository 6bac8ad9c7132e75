/// A time zone with a fixed offset.
package struct FixedCalendar: CivilCalendar {
    /// The number of seconds ahead of UTC.
    private let offset: Int

    /// Creates a time zone with an offset in seconds ahead of UTC.
    package init(utcOffset: Int) {
        offset = utcOffset
    }

    /// The time zone UTC.
    package static let utc = FixedCalendar(utcOffset: 0)

    package func utcOffset(at instant: WallInstant) -> Int {
        offset
    }
}
