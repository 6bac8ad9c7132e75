import Documents
import HomeModel
import Testing

/// Tests the conversion between local times and instants, including the changes to and from daylight saving time.
struct CivilCalendarTests {
    static let times: [(civil: String, instant: String)] = [
        ("2026-01-15 12:00", "2026-01-15T11:00:00Z"), ("2026-07-15 12:00", "2026-07-15T10:00:00Z"),
        ("2026-03-29 01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29 03:00", "2026-03-29T01:00:00Z"),
        ("2026-10-25 01:59:59", "2026-10-24T23:59:59Z"), ("2026-10-25 03:00", "2026-10-25T02:00:00Z"),
        // These times occur twice.
        ("2026-10-25 02:00", "2026-10-25T00:00:00Z"), ("2026-10-25 02:59:59", "2026-10-25T00:59:59Z"),
    ]

    @Test(arguments: times)
    func aCivilTimeResolvesToItsFirstInstant(_ civil: String, instant: String) throws {
        #expect(CentralEuropeanCalendar().instant(of: try #require(CivilDateTime(civil))).description == instant)
    }

    @Test(arguments: ["2026-03-29 02:00", "2026-03-29 02:30", "2026-03-29 02:59:59"])
    func aSkippedTimeResolvesToTheEndOfTheGap(_ civil: String) throws {
        let end = try moment("2026-03-29 03:00")
        #expect(CentralEuropeanCalendar().instant(of: try #require(CivilDateTime(civil))) == end)
    }

    @Test(arguments: ["2011-12-30 00:00", "2011-12-30 12:00", "2011-12-30 23:59:59"])
    func aSkippedDayResolvesToTheStartOfTheNext(_ civil: String) throws {
        let end = try moment("2011-12-31 00:00", in: SamoanCalendar())
        #expect(end.description == "2011-12-30T10:00:00Z")
        #expect(SamoanCalendar().instant(of: try #require(CivilDateTime(civil))) == end)
    }

    @Test func everyCivilTimeSurvivesTheRoundTripThroughItsInstant() throws {
        let zone = CentralEuropeanCalendar()
        let start = try moment("2026-01-01 00:00")
        for quarter in 0..<4 * 24 * 366 {
            let instant = start.advanced(by: .seconds(quarter * 900))
            let civil = zone.civil(of: instant)
            let found = zone.instant(of: civil)
            guard found <= instant, zone.civil(of: found) == civil else {
                Issue.record("\(instant)")
                return
            }
        }
    }
}
