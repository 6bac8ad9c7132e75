import AccessoryModel
import Documents
import HAPCore
import Testing

@testable import HomeModel

/// Tests that each rule for automations has its own error.
struct AutomationRuleCheckerTests {
    private static let works = Trigger<HomeIDs>.presence(.firstArrives)
    private static let night = Condition<HomeIDs>
        .time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero))
    private static let gone = TestHome.selector(99, .on)
    private static let off = [TestHome.action(TestHome.light, false)]

    private static func codes(
        when trigger: Trigger<HomeIDs> = works,
        if condition: Condition<HomeIDs>? = nil,
        set own: [HomeAction] = off,
        scenes: [ObjectID<HomeScene>] = [],
        end: EndEvent<HomeIDs>? = nil,
        place: GeographicPlace? = TestHome.frankfurt
    ) throws -> [HomeError.Code] {
        let automation = try TestHome.automation(
            40,
            "It",
            when: trigger,
            if: condition,
            set: own,
            scenes: scenes,
            end: end
        )
        let errors = automation.violations(in: try TestHome.home([automation], place: place))
        for error in errors {
            #expect(error.path == "Kilgo House/It")
            #expect(error.reason.hasSuffix(".") && error.remedy.hasSuffix("."), "\(error)")
        }
        return errors.map(\.code)
    }

    static let triggers: [(Trigger<HomeIDs>, [HomeError.Code])] = [
        (.characteristic(TestHome.door, .equals(2)), []), (.characteristic(TestHome.light, .equals(1)), []),
        (.characteristic(TestHome.temperature, .within(NumberRange(10...20))), []),
        (.characteristic(TestHome.button, .changes), []),
        (.characteristic(gone, .changes), [.unknownObject]),
        (.characteristic(TestHome.selector(11, .currentDoorState), .changes), [.noSuchCharacteristic]),
        (.characteristic(TestHome.door, .equals(9)), [.invalidValue]),
        (.characteristic(TestHome.door, .equals("Open")), [.invalidValue]),
        (.characteristic(TestHome.light, .above(1)), [.invalidValue]),
        (.timeOfDay(.midnight, .daily), []), (.timeOfDay(.midnight, .weekly(.weekend)), []),
        (.timeOfDay(.midnight, .weekly([])), [.recurrence]), (.timeOfDay(.midnight, .once), [.recurrence]),
        (.timeOfDay(.midnight, .everyDays(2)), [.recurrence]),
        (.sun(.sunset, offset: .seconds(43_200), .daily), []),
        (.sun(.sunset, offset: .seconds(43_201), .daily), [.durationOutOfRange]),
        (.sun(.sunset, offset: .seconds(-43_201), .yearly), [.recurrence, .durationOutOfRange]),
        (.presence(.arrives(TestHome.anna)), []), (.presence(.leaves(ObjectID(99))), [.unknownObject]),
        (.interval(.seconds(10), from: nil), []), (.interval(.milliseconds(9_999), from: nil), [.durationOutOfRange]),
        (.interval(.seconds(366 * 86_400), from: nil), []),
        (.interval(.seconds(366 * 86_400 + 1), from: nil), [.durationOutOfRange]),
        (.interval(.zero, from: nil), [.durationOutOfRange]),
        (.interval(.seconds(-60), from: nil), [.durationOutOfRange]),
    ]

    @Test(arguments: triggers)
    func triggersAreCheckedAgainstTheRules(_ trigger: Trigger<HomeIDs>, codes: [HomeError.Code]) throws {
        #expect(try Self.codes(when: trigger) == codes)
    }

    @Test(arguments: [(0, false), (1, true), (1_000, true), (1_001, false), (-1, false)])
    func recurrencesFromADateHaveAnAllowedCount(_ count: Int, isAllowed: Bool) throws {
        let start = try #require(CivilDateTime("2026-01-31 08:00"))
        for recurrence in [Recurrence.everyDays(count), .everyWeeks(count), .everyMonths(count)] {
            #expect(try Self.codes(when: .calendar(start, recurrence)) == (isAllowed ? [] : [.recurrence]))
        }
    }

    static let conditions: [(Condition<HomeIDs>, [HomeError.Code])] = [
        (night, []), (.not(.presence(.user(TestHome.ben))), []), (.presence(.user(ObjectID(99))), [.unknownObject]),
        (.all([]), [.emptyCondition]), (.any([night, .all([])]), [.emptyCondition]), (.days([]), [.emptyCondition]),
        (.time(from: .clock(.midnight), to: .clock(.midnight)), [.emptyCondition]),
        (.time(from: .sun(.sunset, offset: .seconds(50_000)), to: .clock(.midnight)), [.durationOutOfRange]),
        (.characteristic(TestHome.door, .changes), [.invalidValue]),
        (.characteristic(TestHome.door, .equals(7)), [.invalidValue]),
        (.characteristic(gone, .equals(true)), [.unknownObject]),
    ]

    @Test(arguments: conditions)
    func conditionsAreCheckedAgainstTheRules(_ condition: Condition<HomeIDs>, codes: [HomeError.Code]) throws {
        #expect(try Self.codes(if: condition) == codes)
    }

    @Test(arguments: [(7, true), (8, false), (1_000, false)])
    func conditionDepthIsLimited(_ nots: Int, isAllowed: Bool) throws {
        var condition = Self.night
        for _ in 0..<nots {
            condition = .not(condition)
        }
        #expect(try Self.codes(if: condition) == (isAllowed ? [] : [.conditionTooDeep]))
    }

    @Test(arguments: [(63, true), (64, false), (100_000, false)])
    func conditionSizeIsLimited(_ parts: Int, isAllowed: Bool) throws {
        let condition = Condition<HomeIDs>.any([Condition<HomeIDs>](repeating: .days(.weekend), count: parts))
        #expect(try Self.codes(if: condition) == (isAllowed ? [] : [.conditionTooDeep]))
    }

    @Test func sunEventsNeedALocation() throws {
        #expect(try Self.codes(when: .sun(.sunrise, offset: .zero, .daily), place: nil) == [.placeMissing])
        #expect(try Self.codes(if: Self.night, place: nil) == [.placeMissing, .placeMissing])
        #expect(try Self.codes(place: nil).isEmpty)
    }

    static let actions: [(actions: [HomeAction], codes: [HomeError.Code])] = [
        ([], [.nothingToDo]), ([TestHome.action(TestHome.light, 1)], []),
        ([TestHome.action(gone, true)], [.unknownObject]),
        ([TestHome.action(TestHome.selector(12, .brightness), 5)], [.noSuchCharacteristic]),
        ([TestHome.action(TestHome.door, 1)], [.readOnlyCharacteristic]),
        ([TestHome.action(TestHome.brightness, 101)], [.invalidValue]),
        ([TestHome.action(TestHome.light, true), TestHome.action(TestHome.light, false)], [.duplicateAction]),
    ]

    @Test(arguments: actions)
    func actionsAreCheckedAgainstTheRules(_ actions: [HomeAction], codes: [HomeError.Code]) throws {
        #expect(try Self.codes(set: actions) == codes)
        let end = EndEvent<HomeIDs>(.after(.seconds(60)), .actions(actions))
        #expect(try Self.codes(end: end) == codes)
    }

    @Test func onlyAnEnabledAutomationNeedsSomethingToRun() throws {
        var automation = try TestHome.automation(40, "It", when: .timeOfDay(.midnight, .daily), set: [])
        let home = try TestHome.home([])
        #expect(automation.violations(in: home).map(\.code) == [.nothingToDo])
        automation.isEnabled = false
        #expect(automation.violations(in: home).isEmpty)
    }

    @Test func scenesMustExistInTheHome() throws {
        #expect(try Self.codes(set: [], scenes: [TestHome.movie]).isEmpty)
        #expect(try Self.codes(set: [], scenes: [ObjectID(99)]) == [.unknownObject])
    }

    static let moments: [(EndEvent<HomeIDs>.Timing, [HomeError.Code])] = [
        (.after(.seconds(1)), []), (.after(.milliseconds(999)), [.durationOutOfRange]),
        (.after(.seconds(2_678_400)), []),
        (.after(.seconds(2_678_401)), [.durationOutOfRange]), (.when(TestHome.door, .equals(1)), []),
        (.when(TestHome.door, .changes), []), (.when(gone, .changes), [.unknownObject]),
        (.whenThenAfter(TestHome.door, .equals(8), .zero), [.invalidValue, .durationOutOfRange]),
    ]

    @Test(arguments: moments)
    func endsAreCheckedAgainstTheRules(_ moment: EndEvent<HomeIDs>.Timing, codes: [HomeError.Code]) throws {
        #expect(try Self.codes(end: EndEvent<HomeIDs>(moment, .restore)) == codes)
    }

    @Test func aTestNeedsReadOrEventPermission() throws {
        let identify = try #require(Catalog.characteristic(.identify))
        let service = HomeService(
            id: ObjectID(50),
            name: try ObjectName("Information"),
            type: .accessoryInformation,
            characteristics: [
                HomeCharacteristic(.init(identify))
            ]
        )
        let accessory = HomeAccessory(id: ObjectID(3), name: try ObjectName("Thing"), services: [service])
        let home = Home.made(name: try ObjectName("Home"), accessories: [accessory])
        let trigger = Trigger<HomeIDs>.characteristic(TestHome.selector(50, .identify), .changes)
        let automation = try TestHome.automation(
            40,
            "It",
            when: trigger,
            set: [TestHome.action(TestHome.selector(50, .identify), true)]
        )
        #expect(automation.violations(in: home).map(\.code) == [.unobservable])
    }

    @Test func triggersAndEndsNeedEventPermission() throws {
        let silent = HomeService(
            id: ObjectID(50),
            name: try ObjectName("Silent"),
            type: .lightbulb,
            characteristics: [
                HomeCharacteristic(
                    .init(type: .on, permissions: [.read, .write], metadata: CharacteristicMetadata(format: .bool))
                )
            ]
        )
        var home = try TestHome.home([])
        home.accessories[0].services.append(silent)
        let selector = TestHome.selector(50, .on)
        let set = [TestHome.action(TestHome.light, true)]
        func codes(_ automation: Automation) -> [HomeError.Code] { automation.violations(in: home).map(\.code) }
        let waits = try TestHome.automation(40, "It", when: .characteristic(selector, .equals(true)))
        #expect(codes(waits) == [.unobservable])
        #expect(waits.violations(in: home).first?.reason == "Silent/On does not report its changes.")
        for moment in [
            EndEvent<HomeIDs>.Timing.when(selector, .changes), .whenThenAfter(selector, .changes, .seconds(5)),
        ] {
            let ends = try TestHome.automation(
                41,
                "It",
                when: Self.works,
                end: EndEvent<HomeIDs>(moment, .actions(set))
            )
            #expect(codes(ends) == [.unobservable])
        }
        let tests = try TestHome.automation(
            42,
            "It",
            when: Self.works,
            if: .characteristic(selector, .equals(true))
        )
        #expect(codes(tests).isEmpty)
    }

    @Test func oneCheckOfAHomeFindsTheSameAsManyChecks() throws {
        let bad = try TestHome.automation(40, "Bad", when: .timeOfDay(.midnight, .once), set: [])
        let good = try TestHome.automation(41, "Good", when: Self.works)
        let home = try TestHome.home([bad, good, bad])
        let homes = Homes(homes: [home], primary: home.id)
        let found = HomeRules.violations(in: homes).filter { $0.path == "Kilgo House/Bad" }.map(\.code)
        #expect(found.filter { $0 == .recurrence }.count == 2)
        #expect(found.filter { $0 == .nothingToDo }.count == 2)
    }
}
