import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests that a phrase changes only what it says.
struct PhraseSafetyTests {
    private static let position: [CharacteristicType] = [.currentPosition, .targetPosition, .positionState]

    /// A house with two windows at 50 %, two thermostats, a scene Tonight and a room Darkroom.
    private static func house() throws -> (home: Home, values: [CharacteristicSelector: CharacteristicValue]) {
        var sample = try SampleHome()
        for (number, name) in ["Left Window", "Right Window"].enumerated() {
            try sample.add(
                RemoteAccessory(named: name, services: [SampleHome.service(10, nil, .window, position)]),
                in: "Office",
                at: SampleHome.reference(20 + UInt8(number))
            )
        }
        for (number, name) in ["Office Heater", "Bedroom Heater"].enumerated() {
            try sample.add(
                RemoteAccessory(
                    named: name,
                    services: [
                        SampleHome.service(10, nil, .thermostat, [.targetTemperature, .targetHeatingCoolingState])
                    ]
                ),
                in: number == 0 ? "Office" : "Bedroom",
                at: SampleHome.reference(30 + UInt8(number))
            )
        }
        try sample.add(
            RemoteAccessory(
                named: "Alarm",
                services: [SampleHome.service(10, nil, .securitySystem, [.securitySystemTargetState])]
            ),
            in: "Garage",
            at: SampleHome.reference(40)
        )
        let lamp = try sample.action("Bedroom Lamp", .on, true)
        try sample.edit { home throws(HomeError) in
            _ = try home.addScene(named: ObjectName("Tonight"), kind: .userDefined, actions: [lamp])
            _ = try home.addRoom(named: ObjectName("Darkroom"))
        }
        let home = try sample.home
        var values: [CharacteristicSelector: CharacteristicValue] = [:]
        for service in home.accessories.flatMap(\.services) where service.type == .window {
            values[CharacteristicSelector(service: service.id, type: .currentPosition)] = 50
            values[CharacteristicSelector(service: service.id, type: .targetPosition)] = 50
        }
        return (home, values)
    }

    private static func outcome(of text: String) throws -> String {
        let (home, values) = try house()
        do throws(HomeError) {
            let phrase = try Phrase(text, in: home)
            guard case .commands = phrase.meaning else { return "no command" }
            let needed = Set(phrase.neededSelectors(in: home))
            return try phrase.actions(in: home, values: values.filter { needed.contains($0.key) })
                .map { "\(home.service($0.characteristic.service)?.name.text ?? "") \($0.value)" }.sorted()
                .joined(separator: ", ")
        } catch {
            return error.code.rawValue
        }
    }

    @Test(arguments: [
        ("lower the windows a bit", "Left Window 40, Right Window 40"),
        ("stop the windows", "Left Window 50, Right Window 50"),
        ("set the windows to 30%", "Left Window 30, Right Window 30"),
        ("close the windows", "Left Window 0, Right Window 0"),
        ("raise the windows a bit", "mustBeNamed"), ("set the windows to 60%", "mustBeNamed"),
        ("open the office", "mustBeNamed"), ("raise the left window a bit", "Left Window 60"),
        ("close the windows to 100%", "mustBeNamed"), ("increase the left window", "invalidValue"),
        ("turn the left window up by 10%", "invalidValue"), ("decrease the windows", "invalidValue"),
    ])
    func aTypeClosesWindowsButDoesNotOpenThem(_ text: String, _ outcome: String) throws {
        #expect(try Self.outcome(of: text) == outcome)
    }

    @Test func aWindowOfUnknownPositionIsNotMovedByItsType() throws {
        let home = try Self.house().home
        let phrase = try Phrase("set the windows to 30%", in: home)
        let error = #expect(throws: HomeError.self) { try phrase.actions(in: home, values: [:]) }
        #expect(error?.code == .mustBeNamed)
        #expect(try Phrase("close the windows", in: home).actions(in: home, values: [:]).count == 2)
    }

    @Test(arguments: [
        ("set the radiator to 21 degrees", "ambiguousName"), ("turn off the heating", "ambiguousName"),
        ("set the radiators to 21 degrees", "Bedroom Heater 21, Office Heater 21"),
        ("set the radiator in the office to 21 degrees", "Office Heater 21"),
        ("set all heating to 21 degrees", "Bedroom Heater 21, Office Heater 21"),
    ])
    func aTypeInTheSingularIsOneService(_ text: String, _ outcome: String) throws {
        #expect(try Self.outcome(of: text) == outcome)
    }

    /// A heater cooler has only thresholds, and its mode 0 is Auto.
    @Test(arguments: [
        ("set the air conditioner to 21", 1, "Heating Threshold Temperature 21"),
        ("set the air conditioner to 21 degrees", 2, "Cooling Threshold Temperature 21"),
        ("set the air conditioner to 21", 0, "ambiguousName"),
        ("set the heating to 21", 0, "Heating Threshold Temperature 21"), ("set the heating to 21", 2, "invalidValue"),
        ("make the office cooler", 2, "Cooling Threshold Temperature 24"),
        ("set Office Climate cooling threshold temperature to 22", 1, "Cooling Threshold Temperature 22"),
    ])
    func aTemperatureIsTheOneInEffect(_ text: String, _ mode: Int, _ outcome: String) throws {
        var sample = try SampleHome()
        let types: [CharacteristicType] = [
            .active, .targetHeaterCoolerState, .rotationSpeed, .heatingThresholdTemperature,
            .coolingThresholdTemperature,
        ]
        let climate = RemoteAccessory(
            named: "Office Climate",
            services: [SampleHome.service(10, nil, .heaterCooler, types)]
        )
        try sample.add(climate, in: "Office", at: SampleHome.reference(30))
        let home = try sample.home
        let id = try sample.service("Office Climate").id
        let values: [CharacteristicType: CharacteristicValue] = [
            .targetHeaterCoolerState: .integer(mode), .heatingThresholdTemperature: 18,
            .coolingThresholdTemperature: 25,
        ]
        var known: [CharacteristicSelector: CharacteristicValue] = [:]
        for (type, value) in values { known[CharacteristicSelector(service: id, type: type)] = value }
        let found: String
        do throws(HomeError) {
            let phrase = try Phrase(text, in: home)
            let needed = Set(phrase.neededSelectors(in: home))
            found = try phrase.actions(in: home, values: known.filter { needed.contains($0.key) })
                .map { "\($0.characteristic.type) \($0.value)" }.joined(separator: ", ")
        } catch {
            found = error.code.rawValue
        }
        #expect(found == outcome)
    }

    /// A house with locks, rooms and scenes that are named like words of phrases.
    private static func confusingHouse() throws -> Home {
        var sample = try SampleHome()
        for (number, name) in ["Lock", "Locks", "Doors", "All Doors", "Everything"].enumerated() {
            try sample.add(
                RemoteAccessory(
                    named: "Lock Box \(number)",
                    services: [SampleHome.service(10, name, .lockMechanism, [.lockCurrentState, .lockTargetState])]
                ),
                in: "Office",
                at: SampleHome.reference(50 + UInt8(number))
            )
        }
        try sample.add(
            RemoteAccessory(named: "Outlet Box", services: [SampleHome.service(10, "The", .outlet, [.on])]),
            in: "Office",
            at: SampleHome.reference(60)
        )
        let lamp = try sample.action("Bedroom Lamp", .on, true)
        try sample.edit { home throws(HomeError) in
            _ = try home.addRoom(named: ObjectName("Off"))
            for name in ["Off", "No", "Do Not", "Red"] {
                _ = try home.addScene(named: ObjectName(name), kind: .userDefined, actions: [lamp])
            }
        }
        return try sample.home
    }

    /// Returns the changed services with their values, "scene", "question", or the code of the error.
    private static func confusedOutcome(of text: String) throws -> String {
        let home = try confusingHouse()
        do throws(HomeError) {
            let phrase = try Phrase(text, in: home)
            switch phrase.meaning {
            case .scene: return "scene"
            case .question(let question): return "question about \(question.services.count)"
            case .commands:
                return try phrase.actions(in: home, values: [:])
                    .map { "\(home.service($0.characteristic.service)?.name.text ?? "") \($0.value)" }.sorted()
                    .joined(separator: ", ")
            }
        } catch {
            return error.code.rawValue
        }
    }

    @Test(arguments: [
        ("unlock every lock", "mustBeNamed"), ("unlock each lock", "mustBeNamed"),
        ("unlock everything", "mustBeNamed"), ("unlock all doors", "ambiguousName"),
        ("unlock the locks", "ambiguousName"), ("unlock the doors", "ambiguousName"),
        ("lock everything", "All Doors 1, Doors 1, Everything 1, Lock 1, Locks 1"),
        ("lock every lock", "All Doors 1, Doors 1, Everything 1, Lock 1, Locks 1"),
        ("unlock service everything", "Everything 0"), ("unlock service locks", "Locks 0"),
        ("are all locks locked", "question about 5"),
    ])
    func aNameLikeATypeDoesNotStandForTheType(_ text: String, _ outcome: String) throws {
        #expect(try Self.confusedOutcome(of: text) == outcome)
    }

    @Test(arguments: [
        ("turn off the lights", "Bedroom Lamp false, Garage Light false, Living Room Lamp false"),
        ("turn on the lights", "Bedroom Lamp true, Garage Light true, Living Room Lamp true"),
        ("turn it off", "unknownObject"), ("turn it red", "unknownObject"), ("run Off", "scene"),
        ("scene Red", "scene"),
        ("don't turn on the lights", "invalidValue"), ("do not turn it on", "invalidValue"),
        ("turn on The", "The true"), ("are the lights on", "question about 3"),
    ])
    func aNameLikeAWordOfTheGrammarChangesNoPhrase(_ text: String, _ outcome: String) throws {
        #expect(try Self.confusedOutcome(of: text) == outcome)
    }

    @Test(arguments: ["lights off", "the open windows", "locked doors"])
    func aDescriptionHasNoState(_ text: String) throws {
        let home = try Self.house().home
        let error = #expect(throws: HomeError.self) { try home.services(describedBy: text) }
        #expect(error?.remedy.contains("ask") == true)
    }

    @Test func aDescriptionHasNoColor() throws {
        let home = try PhraseHouse().home
        let error = #expect(throws: HomeError.self) { try home.services(describedBy: "lights red") }
        #expect(error?.code == .ambiguousName)
    }

    @Test(arguments: [
        String(repeating: "frontdoors ", count: 48), String(repeating: "r ", count: 48),
        "turn on the l" + String(repeating: "\u{301}", count: 400),
    ])
    func manyUnknownWordsAreRefused(_ text: String) throws {
        #expect(throws: HomeError.self) { try Phrase(text, in: Self.house().home) }
    }

    @Test(arguments: [
        ("set the alarm to night", "Alarm 2"), ("tonight", "no command"), ("run Tonight", "no command"),
        ("turn on the dark room", "unknownObject"),
    ])
    func wordsAreJoinedOnlyToANameThatIsWrittenAsOneWord(_ text: String, _ outcome: String) throws {
        #expect(try Self.outcome(of: text) == outcome)
    }

    @Test(arguments: [
        ("Living Room", ["living", "room"], true), ("Livingroom", ["living", "room"], false),
        ("LivingRoom", ["living", "room"], true), ("Tonight", ["to", "night"], false),
        ("A B C", ["ab", "c"], true), ("AB C", ["a", "bc"], false),
    ])
    func aNameBreaksWhereItsWordsBegin(_ name: String, _ keys: [String], _ breaks: Bool) throws {
        #expect(try ObjectName(name).breaks(like: keys) == breaks)
    }

    @Test func aPresenceQuestionSelectsNothing() throws {
        let home = try Self.house().home
        for text in ["is anyone home", "who is home"] {
            let error = #expect(throws: HomeError.self) { try home.services(describedBy: text) }
            #expect(error?.reason.contains("users") == true)
            #expect(throws: HomeError.self) { try home.selectors(describedBy: text) }
        }
        #expect(try home.services(describedBy: "the windows").map(\.name.text) == ["Left Window", "Right Window"])
        #expect(try home.selectors(describedBy: "brightness of the garage light").count == 1)
    }
}
