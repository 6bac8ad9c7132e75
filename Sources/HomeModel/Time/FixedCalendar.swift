/// A zone whose clocks are never put forward or back.
package struct FixedCalendar: CivilCalendar {
    /// Seconds ahead of UTC.
    private let offset: Int

    /// Creates a zone this many seconds ahead of UTC.
    package init(utcOffset: Int) {
        offset = utcOffset
    }

    /// UTC.
    package static let utc = FixedCalendar(utcOffset: 0)

    package func utcOffset(at instant: WallInstant) -> Int {
        offset
    }
}
