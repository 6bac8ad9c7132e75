internal import FoundationEssentials
package import HomeModel

/// A calendar with a time zone of this machine.
package struct FoundationCalendar: CivilCalendar {
    private let zone: TimeZone

    /// Creates the calendar of a home.
    ///
    /// It uses the time zone of the home. If the home has none, or the machine does not know it, it uses the time zone
    /// of the machine.
    package init(of home: Home) {
        zone = home.timeZone.flatMap(TimeZone.init(identifier:)) ?? .current
    }

    /// Returns whether this machine knows a time zone.
    package static func isKnown(_ name: String) -> Bool {
        TimeZone(identifier: name) != nil
    }

    /// The name of the time zone, such as `Europe/Berlin`.
    package var zoneName: String { zone.identifier }

    package func utcOffset(at instant: WallInstant) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds)))
    }
}
