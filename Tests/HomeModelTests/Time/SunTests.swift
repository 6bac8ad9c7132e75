import Documents
import HomeModel
import Testing

/// Compares sunrise and sunset with times from other sources.
struct SunTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let latitude: Double
        let longitude: Double
        let hours: Int
        let date: String
        let sunrise: String
        let sunset: String

        var testDescription: String { "\(name), \(date)" }
    }

    /// Times calculated with PyEphem 4.2 (VSOP87).
    ///
    /// As in almanacs, sunrise and sunset are when the sun's upper edge is at −34′. The times of London, New York,
    /// Reykjavik and Tokyo are also in printed almanacs.
    static let rows: [Row] = [
        row("Frankfurt", 50.11, 8.68, 1, "2026-03-29", "2026-03-29T05:09", "2026-03-29T17:52"),
        row("Frankfurt", 50.11, 8.68, 2, "2026-06-21", "2026-06-21T03:15", "2026-06-21T19:39"),
        row("Frankfurt", 50.11, 8.68, 1, "2026-12-21", "2026-12-21T07:22", "2026-12-21T15:25"),
        row("London", 51.5074, -0.1278, 1, "2024-06-20", "2024-06-20T03:43", "2024-06-20T20:21"),
        row("New York", 40.7128, -74.0060, -5, "2024-12-21", "2024-12-21T12:17", "2024-12-21T21:32"),
        row("Sydney", -33.8688, 151.2093, 11, "2024-12-21", "2024-12-20T18:41", "2024-12-21T09:06"),
        row("Sydney", -33.8688, 151.2093, 10, "2024-06-20", "2024-06-19T21:00", "2024-06-20T06:54"),
        row("Quito", -0.1807, -78.4678, -5, "2025-03-20", "2025-03-20T11:18", "2025-03-20T23:24"),
        row("Cape Town", -33.9249, 18.4241, 2, "2025-09-22", "2025-09-22T04:36", "2025-09-22T16:43"),
        row("Reykjavik", 64.1466, -21.9426, 0, "2024-06-21", "2024-06-21T02:55", "2024-06-22T00:04"),
        row("Reykjavik", 64.1466, -21.9426, 0, "2024-12-21", "2024-12-21T11:23", "2024-12-21T15:30"),
        row("Tromsø", 69.6492, 18.9553, 1, "2024-03-20", "2024-03-20T04:42", "2024-03-20T17:03"),
        row("Ushuaia", -54.8019, -68.3030, -3, "2024-12-21", "2024-12-21T07:52", "2024-12-22T01:12"),
        row("Tokyo", 35.6895, 139.6917, 9, "2000-01-01", "1999-12-31T21:51", "2000-01-01T07:38"),
        row("Honolulu", 21.3069, -157.8583, -10, "2030-07-04", "2030-07-04T15:54", "2030-07-05T05:18"),
        // The clocks of these places are east of the date line, but the places are west of it.
        row("Apia", -13.8333, -171.7667, 13, "2025-01-16", "2025-01-15T17:11", "2025-01-16T06:02"),
        row("Kiritimati", 1.87, -157.43, 14, "2025-05-02", "2025-05-01T16:21", "2025-05-02T04:32"),
        row("Longyearbyen", 78.22, 15.65, 2, "2024-10-01", "2024-10-01T05:36", "2024-10-01T15:54"),
    ]

    private static func row(
        _ name: String,
        _ latitude: Double,
        _ longitude: Double,
        _ hours: Int,
        _ date: String,
        _ sunrise: String,
        _ sunset: String
    ) -> Row {
        Row(
            name: name,
            latitude: latitude,
            longitude: longitude,
            hours: hours,
            date: date,
            sunrise: sunrise,
            sunset: sunset
        )
    }

    @Test(arguments: rows)
    func itRisesAndSetsWithinTwoMinutesOfTheAlmanac(_ row: Row) throws {
        let place = try #require(GeographicPlace(latitude: row.latitude, longitude: row.longitude))
        let date = try #require(CivilDate(row.date))
        let zone = FixedCalendar(utcOffset: row.hours * 3_600)
        for (event, expected) in [(SunEvent.sunrise, row.sunrise), (.sunset, row.sunset)] {
            let instant = try #require(Sun.day(on: date, at: place, in: zone).event(event))
            let distance = instant.duration(to: try moment(expected, in: FixedCalendar.utc))
            #expect(abs(distance.components.seconds) <= 120, "\(event): \(instant), not \(expected)")
        }
    }

    static let polar: [(name: String, latitude: Double, longitude: Double, date: String, isLight: Bool)] = [
        ("Tromsø", 69.6492, 18.9553, "2024-06-21", true), ("Tromsø", 69.6492, 18.9553, "2024-12-21", false),
        ("McMurdo", -77.85, 166.67, "2024-12-21", true), ("McMurdo", -77.85, 166.67, "2024-06-21", false),
        ("North Pole", 90, 0, "2024-06-21", true), ("North Pole", 90, 0, "2024-12-21", false),
        ("South Pole", -90, 180, "2024-06-21", false), ("South Pole", -90, -180, "2024-12-21", true),
    ]

    @Test(arguments: polar)
    func itNeitherRisesNorSetsInPolarDayAndNight(
        _ name: String,
        latitude: Double,
        longitude: Double,
        date: String,
        isLight: Bool
    ) throws {
        let place = try #require(GeographicPlace(latitude: latitude, longitude: longitude))
        let day = Sun.day(on: try #require(CivilDate(date)), at: place, in: FixedCalendar.utc)
        #expect(day.daylight == (isLight ? .allDay : .none))
        #expect(day.event(.sunrise) == nil && day.event(.sunset) == nil)
    }

    @Test(arguments: [
        (0.0, 0.0), (52.5, 13.4), (-54.8, -68.3), (66.0, 25.0), (69.6, 18.9), (-89.9, 179.9), (90.0, 0.0),
    ])
    func solarDaysOfAYearAreInOrder(_ latitude: Double, _ longitude: Double) throws {
        let place = try #require(GeographicPlace(latitude: latitude, longitude: longitude))
        let zone = FixedCalendar(utcOffset: Int(longitude / 15) * 3_600)
        var date = try #require(CivilDate("2026-01-01"))
        var last: SolarDay?
        for _ in 0..<366 {
            let day = Sun.day(on: date, at: place, in: zone)
            #expect(zone.civil(of: day.noon).date == date)
            if case .between(let sunrise, let sunset) = day.daylight {
                #expect(sunrise < day.noon && day.noon < sunset)
            }
            if let last {
                let pause = last.noon.duration(to: day.noon)
                #expect(.seconds(86_340) ... .seconds(86_460) ~= pause)
            }
            last = day
            date = date.adding(days: 1)
        }
    }
}
