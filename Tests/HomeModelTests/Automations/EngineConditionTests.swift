import AccessoryModel
import Documents
import HAPCore
import HomeModel
import Testing

/// Tests the conditions of automations.
struct EngineConditionTests {
    /// Returns `ran` if the condition is true at a moment, and otherwise the reason in the journal.
    private func result(
        of condition: Condition<HomeIDs>,
        at start: String = "2026-06-01 12:00",
        place: GeographicPlace? = TestHome.frankfurt,
        _ prepare: (inout EngineDriver) -> Void = { _ in }
    ) throws -> String {
        var driver = try EngineDriver(
            [try TestHome.automation(40, "It", when: .characteristic(TestHome.light, .changes), if: condition)],
            at: start,
            place: place
        )
        prepare(&driver)
        let words = driver.observe(TestHome.light, each: [false, true]).words
        return words == ["It ran: Garage Light/On changed to on."]
            ? "ran" : words.joined().replacing("It did not run (Garage Light/On changed to on): ", with: "")
    }

    private static func clock(_ from: String, _ to: String) throws -> Condition<HomeIDs> {
        .time(from: .clock(try #require(CivilTime(from))), to: .clock(try #require(CivilTime(to))))
    }

    static let windows: [(from: String, to: String, at: String, holds: Bool)] = [
        ("08:00", "10:00", "2026-06-01 07:59:59", false), ("08:00", "10:00", "2026-06-01 08:00", true),
        ("08:00", "10:00", "2026-06-01 09:59:59", true), ("08:00", "10:00", "2026-06-01 10:00", false),
        ("22:00", "06:00", "2026-06-01 21:59:59", false), ("22:00", "06:00", "2026-06-01 22:00", true),
        ("22:00", "06:00", "2026-06-01 23:59:59", true), ("22:00", "06:00", "2026-06-02 00:00", true),
        ("22:00", "06:00", "2026-06-02 05:59:59", true), ("22:00", "06:00", "2026-06-02 06:00", false),
        ("00:00", "00:01", "2026-06-02 00:00", true), ("23:59", "00:00", "2026-06-01 23:59:30", true),
        ("23:59", "00:00", "2026-06-02 00:00", false),
        // The night in which 02:30 is skipped, and the one in which it occurs twice.
        ("02:30", "04:00", "2026-03-29 03:00", true), ("01:00", "02:30", "2026-03-29 03:00", false),
        ("02:30", "04:00", "2026-10-25 02:00", false), ("02:30", "04:00", "2026-10-25 03:30", true),
    ]

    @Test(arguments: windows)
    func aTimeWindowIncludesItsStartAndExcludesItsEnd(from: String, to: String, at: String, holds: Bool) throws {
        let expected = holds ? "ran" : "it runs only if it is between \(from) and \(to)."
        #expect(try result(of: try Self.clock(from, to), at: at) == expected)
    }

    static let nights: [(at: String, holds: Bool)] = [
        // Local sunset is at 21:39, and sunrise at 05:15.
        ("2026-06-21 21:35", false), ("2026-06-21 21:43", true), ("2026-06-22 00:00", true),
        ("2026-06-22 05:11", true), ("2026-06-22 05:19", false), ("2026-06-21 12:00", false),
        // Local sunset is at 16:25, and sunrise at 08:22.
        ("2026-12-21 16:21", false), ("2026-12-21 16:29", true), ("2026-12-21 08:18", true),
        ("2026-12-21 08:26", false),
    ]

    @Test(arguments: nights)
    func theNightIsBetweenSunsetAndSunrise(at: String, holds: Bool) throws {
        let night = Condition<HomeIDs>.time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero))
        #expect(try (result(of: night, at: at) == "ran") == holds)
        let day = Condition<HomeIDs>.time(from: .sun(.sunrise, offset: .zero), to: .sun(.sunset, offset: .zero))
        #expect(try (result(of: day, at: at) == "ran") == !holds)
    }

    @Test(arguments: [("2026-06-21 12:00", true), ("2026-06-21 01:00", true), ("2026-12-21 12:30", false)])
    func polarDayAndNightLastAllDay(at: String, isLight: Bool) throws {
        let place = GeographicPlace(latitude: 71.17, longitude: 25.78)
        let night = Condition<HomeIDs>.time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero))
        let day = Condition<HomeIDs>.time(from: .sun(.sunrise, offset: .zero), to: .sun(.sunset, offset: .zero))
        #expect(try (result(of: day, at: at, place: place) == "ran") == isLight)
        #expect(try (result(of: night, at: at, place: place) == "ran") == !isLight)
    }

    @Test func aWindowWhoseSunEventFollowsItsEndIsEmpty() throws {
        let evening = Condition<HomeIDs>
            .time(
                from: .sun(.sunset, offset: .zero),
                to: .clock(try #require(CivilTime("21:00")))
            )
        #expect(try result(of: evening, at: "2026-12-21 20:00") == "ran")
        for time in ["2026-06-21 20:59", "2026-06-21 21:50", "2026-06-22 03:00", "2026-06-21 12:00"] {
            #expect(try result(of: evening, at: time) == "it runs only if it is between sunset and 21:00.")
        }
    }

    static let evenings: [(at: String, holds: Bool)] = [
        // Sunset is at 21:39: the window ends on the day on which it begins.
        ("2026-06-21 19:59:59", false), ("2026-06-21 20:00", true), ("2026-06-21 21:35", true),
        ("2026-06-21 21:43", false), ("2026-06-22 02:00", false), ("2026-06-22 12:00", false),
        // Sunset is at 16:25: the window ends at the sunset of the next day.
        ("2026-12-21 20:00", true), ("2026-12-22 02:00", true), ("2026-12-21 16:29", false),
    ]

    @Test(arguments: evenings)
    func aWindowUntilSunsetEndsAtTheFirstSunset(at: String, holds: Bool) throws {
        let evening = Condition<HomeIDs>
            .time(
                from: .clock(try #require(CivilTime("20:00"))),
                to: .sun(.sunset, offset: .zero)
            )
        #expect(try (result(of: evening, at: at) == "ran") == holds)
    }

    @Test(arguments: ["00:30", "06:00", "11:20", "12:20", "13:20", "18:00", "23:30"], [-3_600, 3_600] as [Int64])
    func anOffsetChangesNothingInPolarDayAndNight(at time: String, offset: Int64) throws {
        let place = GeographicPlace(latitude: 71.17, longitude: 25.78)
        for (start, end) in [(offset, 0), (0, offset), (offset, offset), (offset, -offset)] {
            let night = Condition<HomeIDs>
                .time(
                    from: .sun(.sunset, offset: .seconds(start)),
                    to: .sun(.sunrise, offset: .seconds(end))
                )
            #expect(try result(of: night, at: "2026-06-21 \(time)", place: place) != "ran")
            #expect(try result(of: night, at: "2026-12-21 \(time)", place: place) == "ran")
        }
    }

    @Test func withoutALocationSunConditionsAreUnknown() throws {
        let night = Condition<HomeIDs>.time(from: .sun(.sunset, offset: .seconds(-1_800)), to: .clock(.midnight))
        #expect(
            try result(of: night, place: nil) == "it is unknown whether it is between 30 min before sunset and 00:00."
        )
    }

    @Test func anUnknownConditionAndItsNegationAreUnknown() throws {
        let isHot = Condition<HomeIDs>.characteristic(TestHome.temperature, .above(25))
        let unknown = "it is unknown whether Thermometer/Current Temperature is above 25 °C."
        let never = Condition<HomeIDs>.days([])
        let always = Condition<HomeIDs>.days(.everyDay)
        #expect(try result(of: isHot) == unknown)
        #expect(try result(of: .not(isHot)) == unknown)
        #expect(try result(of: .all([always, isHot])) == unknown)
        #expect(try result(of: .any([never, isHot])) == unknown)
        #expect(try result(of: .any([isHot, always])) == "ran")
        #expect(try result(of: .all([isHot, never])) == "it runs only if it is on .")
        #expect(try result(of: .not(never)) == "ran")
        #expect(try result(of: .not(always)) == "it is every day.")
    }

    @Test func aConditionReadsAnotherCharacteristic() throws {
        let isHot = Condition<HomeIDs>.characteristic(TestHome.temperature, .above(25))
        #expect(try result(of: isHot) { $0.observe(TestHome.temperature, 26) } == "ran")
        #expect(
            try result(of: isHot) { $0.observe(TestHome.temperature, 25) }
                == "it runs only if Thermometer/Current Temperature is above 25 °C."
        )
        #expect(
            try result(of: isHot) { $0.observe(TestHome.temperature, each: [26, nil]) }
                == "it is unknown whether Thermometer/Current Temperature is above 25 °C."
        )
    }

    static let presences: [(state: PresenceState<ObjectID<HomeUser>>, anna: Bool?, ben: Bool?, holds: Bool?)] = [
        (.anyone, nil, nil, nil), (.anyone, true, nil, true), (.anyone, false, nil, false),
        (.anyone, true, false, true),
        (.noOne, nil, nil, nil), (.noOne, false, false, true), (.noOne, false, true, false),
        (.everyone, nil, nil, nil), (.everyone, true, true, true), (.everyone, true, false, false),
        (.everyone, true, nil, true), (.user(TestHome.ben), true, nil, nil), (.user(TestHome.ben), true, true, true),
        (.user(TestHome.ben), true, false, false),
    ]

    @Test(arguments: presences)
    func presenceConditionsReadWhoIsHome(
        state: PresenceState<ObjectID<HomeUser>>,
        anna: Bool?,
        ben: Bool?,
        holds: Bool?
    ) throws {
        let verdict = try result(of: .presence(state)) {
            $0.observeInput(.presence(TestHome.anna, isHome: anna))
            $0.observeInput(.presence(TestHome.ben, isHome: ben))
        }
        switch holds {
        case true?: #expect(verdict == "ran")
        case false?: #expect(verdict.hasPrefix("it runs only if "))
        case nil: #expect(verdict.hasPrefix("it is unknown whether"))
        }
    }

    @Test(arguments: [("2026-06-05 23:59:59", true), ("2026-06-06 00:00", false), ("2026-06-08 00:00", true)])
    func weekdaysAreInTheHomesTimeZone(at: String, holds: Bool) throws {
        #expect(try (result(of: .days(.workdays), at: at) == "ran") == holds)
    }

    @Test func aDisabledAutomationDoesNotRun() throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "It", when: .characteristic(TestHome.light, .changes), isEnabled: false)
        ])
        #expect(
            driver.observe(TestHome.light, each: [false, true]) == [
                "It did not run (Garage Light/On changed to on): it is disabled."
            ]
        )
    }
}
