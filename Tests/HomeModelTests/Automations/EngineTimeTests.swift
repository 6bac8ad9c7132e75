import AccessoryModel
import Documents
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests triggers that depend on the time.
struct EngineTimeTests {
    private static func at(_ time: String, _ recurrence: Recurrence = .daily) throws -> Trigger<HomeIDs> {
        .timeOfDay(try #require(CivilTime(time)), recurrence)
    }

    @Test func aTimeOfDayFiresEveryDayInTheHomesTimeZone() throws {
        var driver = try EngineDriver(
            [try TestHome.automation(40, "Morning", when: try Self.at("02:30"))],
            at: "2026-03-27 12:00"
        )
        let lines = driver.sleep(until: try moment("2026-03-31 00:00"))
        #expect(
            lines.words == [
                "Morning ran: it was 2026-03-28 02:30.", "Morning ran: it was 2026-03-29 03:00.",
                "Morning ran: it was 2026-03-30 02:30.",
            ]
        )
    }

    @Test func aCalendarDateFiresOnce() throws {
        let date = try #require(CivilDateTime("2026-06-02 08:15"))
        var driver = try EngineDriver([try TestHome.automation(40, "Once", when: .calendar(date, .once))])
        #expect(driver.sleep(.seconds(86_400)).runs.count == 1)
        #expect(driver.engine.nextDeadline == nil)
    }

    @Test func aSunTriggerFiresWithItsOffset() throws {
        var driver = try EngineDriver(
            [try TestHome.automation(40, "Dusk", when: .sun(.sunset, offset: .seconds(-1_800), .weekly(.weekend)))],
            at: "2026-06-19 12:00"
        )
        let due = try #require(driver.engine.nextDeadline)
        let expected = try moment("2026-06-20 21:09")
        #expect(abs(expected.duration(to: due).components.seconds) < 120)
        let lines = driver.sleep(.seconds(7 * 86_400))
        #expect(lines.runs.count == 2)
        let texts = lines.filter { $0.hasPrefix("Dusk ran: it was 2026-06-20 21:") }
        #expect(texts.allSatisfy { $0.hasSuffix(", 30 min before sunset.") } && texts.count == 1, "\(lines)")
    }

    @Test func aSunTriggerSkipsThePolarNight() throws {
        let place = GeographicPlace(latitude: 71.17, longitude: 25.78)
        let driver = try EngineDriver(
            [try TestHome.automation(40, "Dawn", when: .sun(.sunrise, offset: .zero, .daily))],
            at: "2026-12-01 12:00",
            place: place
        )
        let date = CentralEuropeanCalendar().civil(of: try #require(driver.engine.nextDeadline)).date
        #expect(date.year == 2027 && date.month == 1 && 18...24 ~= date.day)
    }

    @Test func withoutALocationASunTriggerNeverFires() throws {
        let driver = try EngineDriver(
            [try TestHome.automation(40, "Dawn", when: .sun(.sunrise, offset: .zero, .daily))],
            place: nil
        )
        #expect(driver.engine.nextDeadline == nil)
    }

    @Test func anIntervalCountsFromItsBeginning() throws {
        let start = try #require(CivilDateTime("2026-06-01 08:00"))
        var driver = try EngineDriver(
            [
                try TestHome.automation(40, "Since", when: .interval(.seconds(7_200), from: start)),
                try TestHome.automation(41, "Now", when: .interval(.seconds(7_200), from: nil)),
            ],
            at: "2026-06-01 12:30"
        )
        #expect(
            driver.sleep(.seconds(7_200)) == [
                "RUN Since: Garage Light=true", "Since ran: 2 h had passed.", "RUN Now: Garage Light=true",
                "Now ran: 2 h had passed.",
            ]
        )
        #expect(driver.now == (try moment("2026-06-01 14:30")))
    }

    @Test func anIntervalWithAFutureStartWaitsForIt() throws {
        let start = try #require(CivilDateTime("2026-06-02 08:00"))
        let driver = try EngineDriver([
            try TestHome.automation(40, "It", when: .interval(.seconds(60), from: start))
        ])
        #expect(driver.engine.nextDeadline == (try moment("2026-06-02 08:00")))
    }

    @Test func anIntervalContinuesWhenTheHomeIsReplaced() throws {
        let automation = try TestHome.automation(40, "It", when: .interval(.seconds(100), from: nil))
        var driver = try EngineDriver([automation])
        driver.sleep(.seconds(70))
        _ = try driver.replace([try TestHome.automation(39, "New", when: .presence(.firstArrives)), automation])
        #expect(driver.sleep(.seconds(30)).runs.count == 1)
    }

    @Test func anIntervalContinuesAfterARestart() throws {
        let automation = try TestHome.automation(40, "It", when: .interval(.seconds(7_200), from: nil))
        var driver = try EngineDriver([automation])
        for _ in 0..<3 {
            #expect(driver.sleep(.seconds(3_000)).isEmpty || driver.now.seconds % 7_200 == 1_800)
            driver = EngineDriver(home: driver.home, at: driver.now, memory: driver.engine.state)
        }
        #expect(driver.engine.nextDeadline == (try moment("2026-06-01 16:00")))
    }

    @Test func aDisabledAutomationStaysScheduledAndInTheJournal() throws {
        var driver = try EngineDriver([try TestHome.automation(40, "It", when: try Self.at("13:00"), isEnabled: false)])
        #expect(driver.sleep(.seconds(86_400)) == ["It did not run (it was 2026-06-01 13:00): it is disabled."])
    }

    @Test func aTriggerNoticedTooLateDoesNotFire() throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "Morning", when: try Self.at("07:00")),
            try TestHome.automation(41, "Noon", when: try Self.at("11:55")),
        ])
        let lines = driver.setClock(to: try moment("2026-06-04 12:00"))
        #expect(
            lines == [
                "Morning did not run (it was 2026-06-02 07:00): hap noticed the trigger 2 d 5 h late, so it was skipped.",
                "Noon did not run (it was 2026-06-02 11:55): hap noticed the trigger 2 d 5 min late, so it was skipped.",
                "RUN Noon: Garage Light=true", "Noon ran: it was 2026-06-04 11:55.",
            ]
        )
        #expect(driver.engine.nextDeadline == (try moment("2026-06-05 07:00")))
    }

    @Test(arguments: [("13:05:00", 1), ("13:09:59", 1), ("13:10:01", 0), ("12:58:00", 0)])
    func aTimeMissedDuringAShortRestartStillFires(_ restart: String, runs: Int) throws {
        var driver = try EngineDriver([try TestHome.automation(40, "It", when: try Self.at("13:00"))])
        driver.sleep(.seconds(3_570))
        let start = try moment("2026-06-01 \(restart)")
        var next = EngineDriver(home: driver.home, at: start, memory: driver.engine.state)
        #expect(next.sleep(.zero).runs.count == runs)
        // The automation runs once, and does not run for a time before the first engine was created.
        #expect(next.sleep(.seconds(60)).isEmpty)
        var first = EngineDriver(home: driver.home, at: start)
        #expect(first.sleep(.zero).isEmpty)
    }

    @Test func aLateEndStillFires() throws {
        let end = EndEvent<HomeIDs>(.after(.seconds(60)), .actions([TestHome.action(TestHome.light, false)]))
        var driver = try EngineDriver([try TestHome.automation(40, "It", when: try Self.at("13:00"), end: end)])
        driver.sleep(.seconds(3_600))
        #expect(driver.setClock(to: try moment("2026-06-02 12:00")).runs == ["END It: Garage Light=false"])
    }

    @Test func aClockThatIsSetBackReschedulesDeadlines() throws {
        let end = EndEvent<HomeIDs>(.after(.seconds(60)), .actions([TestHome.action(TestHome.light, false)]))
        var driver = try EngineDriver(
            [try TestHome.automation(40, "It", when: try Self.at("13:00"), end: end)],
            at: "2036-06-01 12:59"
        )
        driver.sleep(.seconds(60))
        // The clock is set back by ten years, as when a clock without a battery is corrected.
        #expect(driver.setClock(to: try moment("2026-06-01 12:00")).words.count == 1)
        #expect(driver.sleep(.seconds(60)).runs == ["END It: Garage Light=false"])
        #expect(driver.sleep(.seconds(3_540)).runs == ["RUN It: Garage Light=true"])
    }

    @Test func aPendingEndKeepsItsDelayAfterTheClockIsSetBackAndARestart() throws {
        let end = EndEvent<HomeIDs>(.after(.seconds(60)), .actions([TestHome.action(TestHome.light, false)]))
        var driver = try EngineDriver(
            [try TestHome.automation(40, "It", when: try Self.at("13:00"), end: end)],
            at: "2036-06-01 12:59"
        )
        driver.sleep(.seconds(60))
        _ = driver.setClock(to: try moment("2026-06-01 12:00"))
        var next = EngineDriver(home: driver.home, at: driver.now, memory: driver.engine.state)
        #expect(next.sleep(.seconds(59)).isEmpty)
        #expect(next.sleep(.seconds(1)).runs == ["END It: Garage Light=false"])
    }

    @Test func aClockSetBackBetweenRunsDelaysNothing() throws {
        let end = EndEvent<HomeIDs>(.after(.seconds(60)), .actions([TestHome.action(TestHome.light, false)]))
        var driver = try EngineDriver(
            [
                try TestHome.automation(40, "It", when: try Self.at("13:00"), end: end),
                try TestHome.automation(41, "Often", when: .interval(.seconds(100), from: nil)),
            ],
            at: "2036-06-01 12:59:30"
        )
        driver.sleep(.seconds(30))
        var next = EngineDriver(home: driver.home, at: try moment("2026-06-01 12:00"), memory: driver.engine.state)
        #expect(next.sleep(.seconds(60)).runs == ["END It: Garage Light=false"])
        #expect(next.sleep(.seconds(40)).runs == ["RUN Often: Garage Light=true"])
    }

    @Test func aClockSetBackSlightlyRepeatsNothing() throws {
        var driver = try EngineDriver([try TestHome.automation(40, "It", when: try Self.at("13:00"))])
        #expect(driver.sleep(.seconds(3_600)).runs.count == 1)
        #expect(driver.setClock(to: try moment("2026-06-01 12:59:30")).isEmpty)
        #expect(driver.sleep(.seconds(3_600)).isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func noOrderOfInstantsTraps(seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let end = EndEvent<HomeIDs>(.after(.seconds(Int64.max)), .restore)
        var driver = try EngineDriver([
            try TestHome.automation(40, "A", when: try Self.at("13:00"), end: end),
            try TestHome.automation(41, "B", when: .interval(.seconds(Int64.min), from: nil)),
            try TestHome.automation(42, "C", when: .interval(.seconds(Int64.max), from: nil)),
            try TestHome.automation(43, "D", when: .sun(.sunset, offset: .seconds(Int64.max), .daily)),
            try TestHome.automation(44, "E", when: .sun(.sunrise, offset: .seconds(Int64.min), .daily)),
        ])
        let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for _ in 0..<100 {
            let edge = edges.randomElement(using: &generator) ?? 0
            let nanoseconds = Bool.random(using: &generator) ? edge : Int64(bitPattern: generator.next())
            _ = driver.engine.advance(to: WallInstant(nanoseconds: nanoseconds))
        }
    }
}
