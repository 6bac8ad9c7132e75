import Documents
import HomeModel

/// Central European time, calculated from its rule.
///
/// The offset from UTC is one hour. It is two hours from the last Sunday of March to the last Sunday of October, and
/// changes at 01:00 UTC.
struct CentralEuropeanCalendar: CivilCalendar {
    func utcOffset(at instant: WallInstant) -> Int {
        let year = CivilDate(daysSinceEpoch: Int(instant.seconds / 86_400)).year
        let isSummer =
            Self.change(in: 3, of: year) <= instant.seconds && instant.seconds < Self.change(in: 10, of: year)
        return isSummer ? 7_200 : 3_600
    }

    private static func change(in month: Int, of year: Int) -> Int64 {
        guard let end = CivilDate(year: year, month: month, day: 31) else { return 0 }
        // 1970-01-04 was a Sunday.
        return Int64(end.daysSinceEpoch - (end.daysSinceEpoch + 4) % 7) * 86_400 + 3_600
    }
}

/// The time of Samoa, which skipped a whole day: 30 December 2011.
struct SamoanCalendar: CivilCalendar {
    func utcOffset(at instant: WallInstant) -> Int {
        instant.seconds < 1_325_239_200 ? -36_000 : 50_400
    }
}

/// Returns the instant of a local date and time.
func moment(_ text: String, in zone: some CivilCalendar = CentralEuropeanCalendar()) throws -> WallInstant {
    guard let civil = CivilDateTime(text) else { throw MomentError(text: text) }
    return zone.instant(of: civil)
}

struct MomentError: Error {
    let text: String
}
