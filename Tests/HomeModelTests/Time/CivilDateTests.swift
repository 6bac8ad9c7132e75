import Documents
import HomeModel
import Testing

/// Tests the days of the calendar.
struct CivilDateTests {
    static let days: [(text: String, number: Int, weekday: Weekday)] = [
        ("1970-01-01", 0, .thursday), ("1969-12-31", -1, .wednesday), ("2000-02-29", 11_016, .tuesday),
        ("2000-03-01", 11_017, .wednesday), ("1900-02-28", -25_509, .wednesday), ("1900-03-01", -25_508, .thursday),
        ("2026-03-29", 20_541, .sunday), ("2262-04-11", 106_751, .friday), ("0001-01-01", -719_162, .monday),
        ("9999-12-31", 2_932_896, .friday),
    ]

    @Test(arguments: days)
    func aDateHasItsDayNumberAndWeekday(_ text: String, number: Int, weekday: Weekday) throws {
        let date = try #require(CivilDate(text))
        #expect(date.daysSinceEpoch == number)
        #expect(CivilDate(daysSinceEpoch: number) == date)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
    }

    private static func position(of day: Weekday) -> Int { Weekday.allCases.firstIndex(of: day) ?? 0 }

    @Test func everyDayFollowsTheOneBefore() throws {
        var date = try #require(CivilDate(year: 1895, month: 12, day: 28))
        for _ in 0..<100_000 {
            let next = date.adding(days: 1)
            let isNextDay = next.month == date.month && next.year == date.year && next.day == date.day + 1
            let isNextMonth =
                next.day == 1 && date.day == CivilDate.length(ofMonth: date.month, in: date.year)
                && next.month == date.month % 12 + 1 && next.year == date.year + (date.month == 12 ? 1 : 0)
            let isNextWeekday = Self.position(of: next.weekday) == (Self.position(of: date.weekday) + 1) % 7
            guard isNextDay || isNextMonth, next > date, isNextWeekday,
                CivilDate(year: next.year, month: next.month, day: next.day) == next
            else {
                Issue.record("\(next) after \(date)")
                return
            }
            date = next
        }
    }

    @Test(arguments: [
        "", "2026", "2026-2-3", "2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-00",
        "2026-04-31", "0000-01-01", "2026-01-01 ", "2026/01/01", "２026-01-01", "+026-01-01", "2026-01-0a",
    ])
    func invalidDatesAreRefused(_ text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test(arguments: [("7:30", "07:30"), ("07:30", "07:30"), ("23:59:59", "23:59:59"), ("0:00", "00:00")])
    func aTimeIsReadAndWritten(_ text: String, _ written: String) {
        #expect(CivilTime(text)?.description == written)
    }

    @Test(arguments: [
        "", "7", "24:00", "12:60", "12:00:60", "7:3", "07:030", "-1:00", "07:30:", ":30", "07:30:15:00", "1e:00",
    ])
    func invalidTimesAreRefused(_ text: String) {
        #expect(CivilTime(text) == nil)
    }

    @Test func theEndsOfTheRangeDoNotTrap() {
        for number in [Int.min, -719_163, 2_932_897, Int.max] {
            let date = CivilDate(daysSinceEpoch: number)
            #expect(date.adding(days: .max) == CivilDate(daysSinceEpoch: .max))
            #expect(date.adding(days: .min) == CivilDate(daysSinceEpoch: .min))
        }
        for nanoseconds in [Int64.min, -1, 0, .max] {
            let instant = WallInstant(nanoseconds: nanoseconds)
            #expect(CentralEuropeanCalendar().civil(of: instant).date.year >= 1677)
            #expect(instant.advanced(by: .seconds(Int64.max)) > instant || nanoseconds == .max)
            #expect(instant.advanced(by: .seconds(Int64.min)) < instant || nanoseconds == .min)
        }
        #expect(WallInstant(seconds: .min).nanoseconds == .min)
        #expect(WallInstant(nanoseconds: -1).seconds == -1)
        #expect(WallInstant(nanoseconds: -1).description == "1969-12-31T23:59:59Z")
    }
}
