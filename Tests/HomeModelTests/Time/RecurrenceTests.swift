import Documents
import HomeModel
import Testing

/// Tests the days and times at which an event recurs.
struct RecurrenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let recurrence: Recurrence
        let from: String?
        let time: String
        let after: String
        let instants: [String]

        var testDescription: String { claim }
    }

    static let rows: [Row] = [
        Row(
            claim: "when clocks are set forward, a daily event at a skipped time occurs at the end of the gap",
            recurrence: .daily,
            from: nil,
            time: "02:30",
            after: "2026-03-27 12:00",
            instants: ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]
        ),
        Row(
            claim: "when clocks are set back, a daily event at a repeated time occurs only the first time",
            recurrence: .daily,
            from: nil,
            time: "02:30",
            after: "2026-10-23 12:00",
            instants: ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
        ),
        Row(
            claim: "after its own time, a daily event occurs the next day",
            recurrence: .daily,
            from: nil,
            time: "07:00",
            after: "2026-06-01 07:00",
            instants: ["2026-06-02T05:00:00Z"]
        ),
        Row(
            claim: "just before its own time, a daily event occurs the same day",
            recurrence: .daily,
            from: nil,
            time: "07:00",
            after: "2026-06-01 06:59:59",
            instants: ["2026-06-01T05:00:00Z"]
        ),
        Row(
            claim: "a daily event keeps its local time when summer time begins",
            recurrence: .daily,
            from: nil,
            time: "07:00",
            after: "2026-03-28 06:00",
            instants: ["2026-03-28T06:00:00Z", "2026-03-29T05:00:00Z"]
        ),
        Row(
            claim: "workdays exclude the weekend",
            recurrence: .weekly(.workdays),
            from: nil,
            time: "06:30",
            after: "2026-11-19 12:00",
            instants: ["2026-11-20T05:30:00Z", "2026-11-23T05:30:00Z"]
        ),
        Row(
            claim: "one day of the week occurs every seven days",
            recurrence: .weekly(WeekdaySet([.sunday])),
            from: nil,
            time: "00:00",
            after: "2026-11-21 23:59:59",
            instants: ["2026-11-21T23:00:00Z", "2026-11-28T23:00:00Z"]
        ),
        Row(
            claim: "days of the week with a start date do not occur before it",
            recurrence: .weekly(.weekend),
            from: "2026-11-28",
            time: "10:00",
            after: "2026-11-01 00:00",
            instants: ["2026-11-28T09:00:00Z", "2026-11-29T09:00:00Z", "2026-12-05T09:00:00Z"]
        ),
        Row(
            claim: "an empty set of days never occurs",
            recurrence: .weekly([]),
            from: nil,
            time: "10:00",
            after: "2026-11-01 00:00",
            instants: []
        ),
        Row(
            claim: "every third day is counted from the start date, across the end of a month",
            recurrence: .everyDays(3),
            from: "2026-02-26",
            time: "08:00",
            after: "2026-02-26 08:00",
            instants: ["2026-03-01T07:00:00Z", "2026-03-04T07:00:00Z"]
        ),
        Row(
            claim: "every third day is still counted from the start date years later",
            recurrence: .everyDays(3),
            from: "2020-01-01",
            time: "08:00",
            after: "2026-01-01 00:00",
            instants: ["2026-01-02T07:00:00Z", "2026-01-05T07:00:00Z"]
        ),
        Row(
            claim: "every second week",
            recurrence: .everyWeeks(2),
            from: "2026-03-17",
            time: "20:00",
            after: "2026-03-18 00:00",
            instants: ["2026-03-31T18:00:00Z", "2026-04-14T18:00:00Z"]
        ),
        Row(
            claim: "the 31st is moved to the last day of shorter months only",
            recurrence: .everyMonths(1),
            from: "2026-01-31",
            time: "12:00",
            after: "2026-01-31 12:00",
            instants: [
                "2026-02-28T11:00:00Z", "2026-03-31T10:00:00Z", "2026-04-30T10:00:00Z", "2026-05-31T10:00:00Z",
            ]
        ),
        Row(
            claim: "every sixth month",
            recurrence: .everyMonths(6),
            from: "2025-08-30",
            time: "12:00",
            after: "2025-09-01 00:00",
            instants: ["2026-02-28T11:00:00Z", "2026-08-30T10:00:00Z", "2027-02-28T11:00:00Z"]
        ),
        Row(
            claim: "29 February is moved to the 28th in common years",
            recurrence: .yearly,
            from: "2024-02-29",
            time: "09:00",
            after: "2024-02-29 09:00",
            instants: [
                "2025-02-28T08:00:00Z", "2026-02-28T08:00:00Z", "2027-02-28T08:00:00Z", "2028-02-29T08:00:00Z",
            ]
        ),
        Row(
            claim: "an event without a recurrence occurs once",
            recurrence: .once,
            from: "2026-12-31",
            time: "23:59",
            after: "2026-01-01 00:00",
            instants: ["2026-12-31T22:59:00Z"]
        ),
        Row(
            claim: "an event without a recurrence does not occur after its time",
            recurrence: .once,
            from: "2026-01-01",
            time: "12:00",
            after: "2026-01-01 12:00",
            instants: []
        ),
        Row(
            claim: "a recurrence that needs a start date never occurs without one",
            recurrence: .everyDays(1),
            from: nil,
            time: "12:00",
            after: "2026-01-01 12:00",
            instants: []
        ),
        Row(
            claim: "a recurrence does not occur before its start date next year",
            recurrence: .daily,
            from: "2027-05-01",
            time: "12:00",
            after: "2026-01-01 12:00",
            instants: ["2027-05-01T10:00:00Z", "2027-05-02T10:00:00Z"]
        ),
    ]

    @Test(arguments: rows)
    func anEventRecursWhenExpected(_ row: Row) throws {
        let time = try #require(CivilTime(row.time))
        let start = try row.from.map { try #require(CivilDate($0)) }
        var instant = try moment(row.after)
        // Only a recurrence that ends is checked for a further occurrence.
        for expected in row.instants {
            let next = try #require(
                row.recurrence.next(after: instant, at: time, from: start, in: CentralEuropeanCalendar())
            )
            #expect(next.description == expected)
            instant = next
        }
        if row.instants.isEmpty || row.recurrence == .once {
            #expect(row.recurrence.next(after: instant, at: time, from: start, in: CentralEuropeanCalendar()) == nil)
        }
    }

    @Test func anOccurrenceOnASkippedDayMovesToItsEnd() throws {
        let zone = SamoanCalendar()
        var instant = try moment("2011-12-29 12:00", in: zone)
        var days: [String] = []
        for _ in 0..<3 {
            instant = try #require(Recurrence.daily.next(after: instant, at: .midnight, from: nil, in: zone))
            days.append(zone.civil(of: instant).description)
        }
        #expect(days == ["2011-12-31 00:00", "2012-01-01 00:00", "2012-01-02 00:00"])
    }

    @Test(arguments: [0, -1, Int.min, Int.max])
    func countsOutOfRangeDoNotTrap(_ count: Int) throws {
        let start = try #require(CivilDate("2026-01-31"))
        let now = try moment("2030-01-01 00:00")
        for recurrence in [Recurrence.everyDays(count), .everyWeeks(count), .everyMonths(count)] {
            let next = recurrence.next(after: now, at: .midnight, from: start, in: CentralEuropeanCalendar())
            #expect(next.map { $0 > now } ?? true)
        }
        let end = WallInstant(nanoseconds: .max)
        #expect(Recurrence.daily.next(after: end, at: .midnight, from: nil, in: CentralEuropeanCalendar()) == nil)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func noOccurrenceIsSkippedOrRepeated(seed: UInt64) throws {
        // Determines each day on its own, and compares it with the next occurrence.
        let zone = CentralEuropeanCalendar()
        let time = try #require(CivilTime("02:15"))
        let start = try #require(CivilDate("2026-01-30"))
        let all: [Recurrence] = [
            .daily, .weekly(.weekend), .everyDays(Int(seed)), .everyWeeks(Int(seed)), .everyMonths(Int(seed)), .yearly,
        ]
        for recurrence in all {
            let days = (0..<800).map { start.adding(days: $0) }
                .filter { recurrence.day(onOrAfter: $0, from: start) == $0 }
            var instant = zone.instant(of: CivilDateTime(date: start, time: .midnight))
            for day in days {
                let next = try #require(recurrence.next(after: instant, at: time, from: start, in: zone))
                #expect(next == zone.instant(of: CivilDateTime(date: day, time: time)))
                instant = next
            }
        }
    }
}
