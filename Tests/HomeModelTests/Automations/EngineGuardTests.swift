import AccessoryModel
import HAPCore
import Testing

@testable import HomeModel

/// Tests that automations do not trigger each other forever.
struct EngineGuardTests {
    /// Copying the scenes into every automation would store 100 million actions instead of 50,000.
    @Test(.timeLimit(.minutes(1)))
    func scenesOfManyAutomationsAreStoredOnce() throws {
        let actions = (1...UInt64(HomeLimits.actions)).map { TestHome.action(TestHome.selector($0, .on), true) }
        let scenes = try (1...25)
            .map {
                HomeScene(
                    id: ObjectID(UInt64($0)),
                    name: try ObjectName("Scene \($0)"),
                    content: SceneContent(actions: actions)
                )
            }
        let automations = try (1...UInt64(HomeLimits.automations))
            .map {
                try TestHome.automation(
                    $0,
                    "It \($0)",
                    when: .interval(.seconds(Int64($0) * 10), from: nil),
                    set: [],
                    scenes: scenes.map(\.id)
                )
            }
        let home = Home.made(name: try ObjectName("House"), scenes: scenes, automations: automations)
        let start = try moment("2026-06-01 12:00")
        var engine = HomeEngine(home: home, calendar: CentralEuropeanCalendar(), startedAt: start)
        let runs = engine.advance(to: start.advanced(by: .seconds(10)))
        guard case .run(let request)? = runs.first else { throw MomentError(text: "\(runs.count)") }
        #expect(request.actions.count == HomeLimits.actions)
        #expect(engine.replace(home: home, at: start.advanced(by: .seconds(11))).isEmpty)
    }

    @Test
    func vendorDescriptionsCannotControlATerminal() throws {
        let name = "\u{1B}[31m" + String(repeating: "x", count: 1_000)
        let type = CharacteristicType(HAPUUID(high: 1, low: 2))
        let vendor = HomeCharacteristic(
            .init(
                type: type,
                permissions: [.read, .events],
                metadata: CharacteristicMetadata(format: .string),
                description: name
            )
        )
        let selector = TestHome.selector(11, type)
        var home = try TestHome.home([try TestHome.automation(40, "It", when: .characteristic(selector, .changes))])
        home.accessories[0].services[1].characteristics.append(vendor)
        var driver = EngineDriver(home: home, at: try moment("2026-06-01 12:00"))
        let lines = driver.observe(selector, each: [CharacteristicValue.string("a"), .string(name)]).words
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.utf8.count < 400 && !$0.unicodeScalars.contains("\u{1B}") })
    }

    private static func when(_ selector: CharacteristicSelector, is value: CharacteristicValue) -> Trigger<HomeIDs> {
        .characteristic(selector, .equals(value))
    }

    @Test func twoAutomationsThatTriggerEachOtherAreStoppedAndInTheJournal() throws {
        let light = TestHome.light
        var driver = try EngineDriver([
            try TestHome.automation(40, "On", when: Self.when(light, is: false), set: [TestHome.action(light, true)]),
            try TestHome.automation(41, "Off", when: Self.when(light, is: true), set: [TestHome.action(light, false)]),
        ])
        driver.obeys = true
        driver.observe(light, false)
        let lines = driver.observe(light, true)
        #expect(lines.runs.count == 6)
        #expect(
            lines.words.contains(
                "Off did not run (Garage Light/On is on): automations trigger each other: Off, On, Off, On, Off, On."
            )
        )
        // The cycle has ended, so nothing runs until a user changes the light again.
        #expect(driver.sleep(.seconds(3_600)).isEmpty)
    }

    @Test func anAutomationThatTriggersItselfIsStopped() throws {
        let off = [TestHome.action(TestHome.light, false)]
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "Blink",
                when: Self.when(TestHome.light, is: false),
                end: EndEvent<HomeIDs>(.after(.seconds(1)), .actions(off))
            )
        ])
        driver.obeys = true
        driver.observe(TestHome.light, each: [true, false])
        let lines = driver.sleep(.seconds(86_400))
        #expect(lines.runs.count == 5)
        #expect(lines.words.contains { $0.hasSuffix("automations trigger each other: Blink, Blink, Blink.") })
    }

    @Test func aSlowCycleThroughADeviceIsStopped() throws {
        // A door takes 12 s, which is too slow for the rate limit.
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "Close",
                when: Self.when(TestHome.door, is: 0),
                set: [TestHome.action(TestHome.doorTarget, 1)]
            ),
            try TestHome.automation(
                41,
                "Open",
                when: Self.when(TestHome.door, is: 1),
                set: [TestHome.action(TestHome.doorTarget, 0)]
            ),
        ])
        driver.observe(TestHome.door, each: [1, 2])
        var runs = 0
        var words: [String] = []
        var position: CharacteristicValue = 0
        for _ in 0..<100 {
            let lines = driver.observe(TestHome.door, position)
            runs += lines.runs.count
            words += lines.words
            guard !lines.runs.isEmpty else { break }
            driver.observe(TestHome.doorTarget, position == 0 ? 1 : 0)
            driver.observe(TestHome.door, position == 0 ? 3 : 2)
            driver.sleep(.seconds(12))
            position = position == 0 ? 1 : 0
        }
        #expect(runs == 6)
        #expect(words.last?.contains("automations trigger each other: Close, Open, Close, Open, Close, Open") == true)
    }

    @Test func aPersonRepeatingAnActionIsNoCycle() throws {
        // The automation closes the door each time, and a person opens it again.
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "Close",
                when: Self.when(TestHome.door, is: 0),
                set: [TestHome.action(TestHome.doorTarget, 1)]
            )
        ])
        driver.observe(TestHome.door, 1)
        for round in 0..<50 {
            driver.observe(TestHome.doorTarget, 0)
            driver.observe(TestHome.door, 2)
            driver.sleep(.seconds(12))
            #expect(driver.observe(TestHome.door, 0).runs.count == 1, "round \(round)")
            driver.observe(TestHome.doorTarget, 1)
            driver.observe(TestHome.door, 3)
            driver.sleep(.seconds(12))
            driver.observe(TestHome.door, 1)
            driver.sleep(.seconds(6))
        }
    }

    @Test func anAutomationRunsAtMostTenTimesAMinute() throws {
        var driver = try EngineDriver([
            try TestHome.automation(40, "It", when: .characteristic(TestHome.temperature, .changes))
        ])
        driver.observe(TestHome.temperature, 0)
        var lines: [String] = []
        for value in 1...30 {
            lines += driver.observe(TestHome.temperature, .integer(value))
            driver.sleep(.seconds(1))
        }
        #expect(lines.runs.count == 10)
        #expect(lines.words.filter { $0.contains("it ran 10 times in 1 min already") }.count == 1)
        // The first run is now more than a minute ago.
        driver.sleep(.seconds(30))
        #expect(driver.observe(TestHome.temperature, 99).runs.count == 1)
    }

    @Test func aLongChainOfAutomationsRunsToItsEnd() throws {
        // Each automation triggers the next, but there is no cycle.
        let steps: [(CharacteristicSelector, CharacteristicSelector)] = [
            (TestHome.lamp, TestHome.other), (TestHome.other, TestHome.light), (TestHome.light, TestHome.doorTarget),
        ]
        var driver = try EngineDriver(
            try steps.enumerated()
                .map { number, step in
                    let target: CharacteristicValue = step.1 == TestHome.doorTarget ? 1 : true
                    return try TestHome.automation(
                        UInt64(40 + number),
                        "Step \(number)",
                        when: .characteristic(step.0, .equals(true)),
                        set: [TestHome.action(step.1, target)]
                    )
                }
        )
        driver.obeys = true
        for selector in [TestHome.lamp, TestHome.other, TestHome.light] {
            driver.observe(selector, false)
        }
        #expect(driver.observe(TestHome.lamp, true).runs.count == 3)
    }

    @Test func aSceneAndOwnActionsSetACharacteristicOnce() throws {
        var driver = try EngineDriver([
            try TestHome.automation(
                40,
                "It",
                when: .presence(.arrives(TestHome.anna)),
                set: [TestHome.action(TestHome.other, false)],
                scenes: [TestHome.movie]
            )
        ])
        driver.observeInput(.presence(TestHome.anna, isHome: false))
        #expect(
            driver.observeInput(.presence(TestHome.anna, isHome: true)).runs == [
                "RUN It: Lamp=false, Other Lamp=false"
            ]
        )
    }

    @Test func anAutomationWithNothingLeftToDoIsInTheJournal() throws {
        var driver = EngineDriver(
            home: try TestHome.home(
                [
                    try TestHome.automation(
                        40,
                        "It",
                        when: .presence(.arrives(TestHome.anna)),
                        set: [],
                        scenes: [TestHome.movie]
                    )
                ],
                scenes: []
            ),
            at: try moment("2026-06-01 12:00")
        )
        driver.observeInput(.presence(TestHome.anna, isHome: false))
        #expect(
            driver.observeInput(.presence(TestHome.anna, isHome: true)) == [
                "It did not run (Anna arrived): it has no actions left."
            ]
        )
    }
}
