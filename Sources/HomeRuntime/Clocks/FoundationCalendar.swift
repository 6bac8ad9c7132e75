internal import Foundation
package import HomeModel

/// A time zone of the machine's list.
package struct FoundationCalendar: CivilCalendar {
    private let zone: TimeZone

    /// The zone of a home: the one it names, the machine's when it names none or one that the machine does not know.
    package init(of home: Home) {
        zone = home.timeZone.flatMap(TimeZone.init(identifier:)) ?? .current
    }

    private init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// The machine's zone.
    package static var machine: FoundationCalendar { FoundationCalendar(.current) }

    /// Whether the machine knows a zone.
    package static func isKnown(_ name: String) -> Bool {
        TimeZone(identifier: name) != nil
    }

    package func utcOffset(at instant: WallInstant) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds)))
    }
}
