import Foundation
import HomeModel
import HomeRuntime
import Testing

@testable import hap

/// The time at the beginning of a line.
struct LineTimeTests {
    @Test func timeOfAnEventIsShownInTheTimeZoneOfTheMachine() throws {
        let time = try #require(LineTime("2026-11-26T13:03:05.250Z"))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        let text = formatter.string(from: Date(timeIntervalSince1970: 1_795_698_185))
        #expect(time.description == text)
        #expect(time.precise == "\(text).250")
        #expect(LineTime(WallInstant(seconds: 1_795_698_185)).description == text)
    }

    @Test(arguments: [
        "", "now", "2026-11-26", "2026-11-26T13:03:05", "2026-13-26T13:03:05Z", "T.Z", "2026-11-26T13:03:05.Z9",
        "2026-11-26T13:03:05Z.Z",
    ])
    func otherTextIsNotATime(text: String) {
        #expect(LineTime(text) == nil)
    }

    @Test func timeOfAHomeInAnotherTimeZoneFollows() throws {
        let instant = WallInstant(seconds: 1_795_698_185)
        let time = LineTime(instant)
        let name = try ObjectName("House")
        // Nepal has an offset of 5:45 hours and the Line Islands one of 14 hours, unlike the machines of developers.
        for (zone, civil) in [("Asia/Kathmandu", "2026-11-26 18:48:05"), ("Pacific/Kiritimati", "2026-11-27 03:03:05")]
        {
            let calendar = FoundationCalendar(of: Home(id: ObjectID(1), name: name, timeZone: zone))
            let shown = civil.hasPrefix(time.description.prefix(10)) ? String(civil.dropFirst(11)) : civil
            #expect(time.text(of: instant, in: calendar, zone: zone) == "\(time) (\(shown) in \(zone))")
        }
        let own = FoundationCalendar(of: Home(id: ObjectID(1), name: name))
        #expect(time.text(of: instant, in: own, zone: nil) == time.description)
        #expect(time.text(of: instant.advanced(by: .seconds(1)), in: own, zone: nil) == time.description)
        #expect(time.text(of: instant, in: nil, zone: nil) == time.description)
    }

    @Test func simulatedTimeOfAHomeFollows() throws {
        let instant = WallInstant(seconds: 1_795_698_185)
        let zone = "Asia/Kathmandu"
        let calendar = FoundationCalendar(of: Home(id: ObjectID(1), name: try ObjectName("House"), timeZone: zone))
        let later = LineTime(instant).text(of: instant.advanced(by: .seconds(86_400)), in: calendar, zone: zone)
        #expect(later == "\(LineTime(instant)) (2026-11-27 18:48:05 in \(zone), simulated)")
    }
}
