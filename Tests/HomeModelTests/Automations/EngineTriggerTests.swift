import AccessoryModel
import HAPCore
import HomeModel
import Testing

/// Tests that triggers fire on edges, not on levels.
struct EngineTriggerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let test: CharacteristicTest<CharacteristicValue>
        let values: [CharacteristicValue?]
        /// The positions in `values` at which the automation runs.
        let runs: [Int]

        var testDescription: String { claim }
    }

    static let rows: [Row] = [
        Row(claim: "the first observed value is not an edge", test: .equals(2), values: [2], runs: []),
        Row(claim: "a value that becomes equal is an edge", test: .equals(2), values: [1, 2], runs: [1]),
        Row(claim: "a repeated value is not an edge", test: .equals(2), values: [1, 2, 2, 2], runs: [1]),
        Row(
            claim: "a value that becomes equal again is an edge",
            test: .equals(2),
            values: [1, 2, 0, 2],
            runs: [1, 3]
        ),
        Row(claim: "an unknown value is not an edge", test: .equals(2), values: [nil, nil], runs: []),
        Row(claim: "the first known value is not an edge", test: .equals(2), values: [nil, 2], runs: []),
        Row(claim: "a value lost and regained is not an edge", test: .equals(2), values: [1, 2, nil, 2], runs: [1]),
        Row(
            claim: "a value that became equal while lost is an edge",
            test: .equals(2),
            values: [1, nil, 2],
            runs: [2]
        ),
        Row(
            claim: "a Boolean equals its number",
            test: .equals(true),
            values: [0, 1, true, false, 1],
            runs: [1, 4]
        ),
        Row(claim: "a change is an edge", test: .changes, values: [5, 6, 6, 5], runs: [1, 3]),
        Row(claim: "a change while the value was lost is an edge", test: .changes, values: [5, nil, 6], runs: [2]),
        Row(claim: "crossing upwards is an edge", test: .above(20), values: [19, 20, 20.5, 25, 20, 21], runs: [2, 5]),
        Row(
            claim: "crossing downwards is an edge",
            test: .below(20),
            values: [21, 20, 19.5, 18, 20, 19],
            runs: [2, 5]
        ),
        Row(claim: "rising above is not falling below", test: .below(20), values: [19, 21], runs: []),
        Row(
            claim: "entering a range from either side is an edge",
            test: .within(NumberRange(10...20)),
            values: [9, 10, 20, 20.5, 20, 5, 25, 15],
            runs: [1, 4, 7]
        ),
        Row(
            claim: "a range may have no maximum",
            test: .within(NumberRange(minimum: 10, maximum: nil) ?? NumberRange(0...0)),
            values: [9, 10, 1_000, 9, 11],
            runs: [1, 4]
        ),
        Row(
            claim: "a range may have no minimum",
            test: .within(NumberRange(minimum: nil, maximum: 10) ?? NumberRange(0...0)),
            values: [11, 10, -40, 12, 0],
            runs: [1, 4]
        ),
        Row(claim: "text and bytes have no threshold", test: .above(1), values: ["1", "5", .data([9])], runs: []),
        Row(
            claim: "64-bit integers are compared exactly",
            test: .above(JSONNumber(UInt64.max - 1)),
            values: [.integer(UInt64.max - 1), .integer(UInt64.max)],
            runs: [1]
        ),
    ]

    @Test(arguments: rows)
    func aTriggerFiresWhenItsTestBecomesTrue(_ row: Row) throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "It", when: .characteristic(TestHome.temperature, row.test))
        ])
        let runs = row.values.indices.filter { !driver.observe(TestHome.temperature, row.values[$0]).runs.isEmpty }
        #expect(runs == row.runs)
    }

    @Test func everyButtonPressFires() throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "Single", when: .characteristic(TestHome.button, .equals(0))),
            try TestHome.automation(41, "Any", when: .characteristic(TestHome.button, .changes)),
        ])
        #expect(
            driver.observe(TestHome.button, each: [0, 0, 2]).runs.map { $0.prefix(7) } == [
                "RUN Sin", "RUN Any", "RUN Sin", "RUN Any", "RUN Any",
            ]
        )
    }

    @Test func anUnreachableAccessoryLosesItsValues() throws {
        let isOpen = Condition<HomeIDs>.characteristic(TestHome.door, .equals(0))
        var driver = try EngineDriver([
            try TestHome.automation(40, "It", when: .characteristic(TestHome.lamp, .equals(true)), if: isOpen)
        ])
        driver.observe(TestHome.door, 0)
        #expect(driver.observe(TestHome.lamp, each: [false, true]).runs.count == 1)
        driver.observeInput(.unreachable(TestHome.garage))
        #expect(
            driver.observe(TestHome.lamp, each: [false, true]) == [
                "It did not run (Lamp/On is on): it is unknown whether Garage Door/Current Door State is Open."
            ]
        )
        driver.observe(TestHome.door, 0)
        #expect(driver.observe(TestHome.lamp, each: [false, true]).runs.count == 1)
    }

    @Test func theJournalSaysOnceWhyATrueTestDidNotFire() throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "Warm", when: .characteristic(TestHome.temperature, .above(20)))
        ])
        #expect(
            driver.observe(TestHome.temperature, 25) == [
                "Warm did not run: Thermometer/Current Temperature is above 20 °C, "
                    + "but 25 °C is its first known value, not a change."
            ]
        )
        #expect(
            driver.observe(TestHome.temperature, each: [26, 27, 28]) == [
                "Warm did not run: Thermometer/Current Temperature is above 20 °C, as before; it is now 26 °C."
            ]
        )
        #expect(
            driver.observe(TestHome.temperature, each: [18, 21]).words == [
                "Warm ran: Thermometer/Current Temperature is 21 °C."
            ]
        )
    }

    @Test func characteristicsOutsideTheHomeAreIgnored() throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "It", when: .characteristic(TestHome.selector(99, .on), .changes)),
            try TestHome.automation(41, "They", when: .presence(.arrives(ObjectID(99)))),
        ])
        #expect(driver.observe(TestHome.selector(99, .on), each: [true, false]).isEmpty)
        #expect(driver.observeInput(.presence(ObjectID(99), isHome: false)).isEmpty)
        #expect(driver.observeInput(.presence(ObjectID(99), isHome: true)).isEmpty)
        #expect(driver.observeInput(.unreachable(ObjectID(99))).isEmpty)
    }

    @Test func anyOfSeveralTriggersFires() throws {
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "It",
                when: .characteristic(TestHome.temperature, .above(20)),
                or: [.characteristic(TestHome.light, .equals(true)), .presence(.firstArrives)]
            )
        ])
        _ = driver.observe(TestHome.temperature, 10)
        _ = driver.observe(TestHome.light, false)
        _ = driver.observeInput(.presence(TestHome.anna, isHome: false))
        #expect(driver.observe(TestHome.temperature, 21).runs.count == 1)
        #expect(driver.observe(TestHome.light, true).runs.count == 1)
        #expect(driver.observeInput(.presence(TestHome.anna, isHome: true)).runs.count == 1)
    }

    @Test func triggersFiredByOneValueCauseOneRun() throws {
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "It",
                when: .characteristic(TestHome.temperature, .above(20)),
                or: [.characteristic(TestHome.temperature, .above(25))]
            )
        ])
        _ = driver.observe(TestHome.temperature, 10)
        #expect(driver.observe(TestHome.temperature, 30).runs.count == 1)
    }

    @Test func anAutomationThatRunsOnceDisablesItself() throws {
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "It",
                when: .characteristic(TestHome.temperature, .above(20)),
                executesOnce: true
            )
        ])
        _ = driver.observe(TestHome.temperature, 10)
        let first = driver.observe(TestHome.temperature, 21)
        #expect(first.runs.count == 1)
        #expect(first.contains(where: { $0.contains("disabled") }), "\(first)")
        #expect(driver.engine.home.automations.map(\.isEnabled) == [false])
        _ = driver.observe(TestHome.temperature, 10)
        #expect(driver.observe(TestHome.temperature, 21).runs.isEmpty)
    }

    static let arrivals: [(event: PresenceEvent<ObjectID<HomeUser>>, runs: [Int])] = [
        (.firstArrives, [2]), (.everyoneArrives, [3]), (.lastLeaves, [5]), (.anyoneArrives, [2, 3]),
        (.anyoneLeaves, [4, 5]), (.arrives(TestHome.ben), [3]),
        (.leaves(TestHome.anna), [4]),
    ]

    @Test(arguments: arrivals)
    func presenceTriggersFire(_ event: PresenceEvent<ObjectID<HomeUser>>, runs: [Int]) throws {
        var driver = try EngineDriver([try TestHome.automation(40, "It", when: .presence(event))])
        let steps: [(ObjectID<HomeUser>, Bool?)] = [
            (TestHome.anna, false), (TestHome.ben, false), (TestHome.anna, true), (TestHome.ben, true),
            (TestHome.anna, false), (TestHome.ben, false), (TestHome.ben, nil), (TestHome.ben, true),
        ]
        let seen = steps.indices.filter {
            !driver.observeInput(.presence(steps[$0].0, isHome: steps[$0].1)).runs.isEmpty
        }
        #expect(seen == runs)
    }
}
