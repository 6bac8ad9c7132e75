import AccessoryFiles
import Documents
import HomeModel
import Hosting
import Testing

@testable import hap

/// A time zone that this machine does not have.
@Suite("A time zone of a home file")
struct TimeZoneTests {
    @Test("is reported with its line if this machine does not know it")
    func unknownTimeZoneIsReportedWithItsLine() throws {
        let text = """
            homes:
              - { home: House, primary: true, timeZone: Europe/Berlin }
              - home: Boat
              - home: Cabin
                timeZone: Europe/Belrin
            """
        let document = try HomeFile.read(Array(text.utf8), name: "home.yaml")
        #expect(
            document.unknownTimeZones(in: "home.yaml").map(\.description) == [
                "home.yaml:5:15: homes[2].timeZone: this machine does not know the time zone Europe/Belrin, and uses "
                    + "its own; write one such as Europe/Berlin"
            ]
        )
        #expect(document.unknownTimeZones(in: "home.yaml").allSatisfy { $0.severity == .warning })
    }
}
