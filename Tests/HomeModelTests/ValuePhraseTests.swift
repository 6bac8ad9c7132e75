import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests the actions that result from setting what a phrase describes to a value, as in `Garage Door=open`.
struct ValuePhraseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let phrase: String
        let value: String
        let actions: Set<String>
        var testDescription: String { "\(phrase): \(value)" }

        init(_ phrase: String, _ value: String, _ actions: Set<String>) {
            self.phrase = phrase
            self.value = value
            self.actions = actions
        }
    }

    @Test(arguments: [
        Case("Upstairs lights", "off", ["Bedroom Lamp On false"]),
        Case("Upstairs", "ON", ["Bedroom Lamp On true", "Office Outlet On true"]),
        Case("Garage", "off", ["Garage Light On false"]), Case("Garage", "close", ["Garage Door Target Door State 1"]),
        Case("Garage Door", "open", ["Garage Door Target Door State 0"]),
        Case("Garage Door", "off", []), Case("Garage Door", "on", []), Case("Garage Door", "toggle", []),
        Case("Garage Door", "Closed", ["Garage Door Target Door State 1"]),
        Case(
            "Reading Lamps",
            "50%",
            [
                "Living Room Lamp On true", "Living Room Lamp Brightness 50", "Bedroom Lamp On true",
                "Bedroom Lamp Brightness 50",
            ]
        ),
        Case("Bedroom Lamp", "50", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
        Case("Bedroom Lamp", "half", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
        Case("Bedroom Lamp brightness", "50", ["Bedroom Lamp Brightness 50"]),
        Case("the bedroom lamps", "off", ["Bedroom Lamp On false"]), Case("Bedroom Lamp", "brighter", []),
        Case("Bedroom Lamp", "red and blue", []),
        Case("Bedroom Lamp", "40% and on", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 40"]),
        Case("Bedroom Lamp", "on and 40%", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 40"]),
        Case("Bedroom Lamp", "1/2", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
        Case("Bedroom Lamp", "except the garage light, 40%", []),
        Case("Bedroom Lamp", "off in 10 minutes", []),
        Case("Bedroom Lamp hue", "12.5°", ["Bedroom Lamp Hue 12.5"]),
        Case("Bedroom Lamp on", "true", ["Bedroom Lamp On true"]), Case("office", "1", []),
        Case("Movie Time", "on", ["Living Room Lamp Brightness 10"]), Case("Movie Time", "off", []),
        Case("Bedroom Lamp", "101", []), Case("Bedroom Lamp", "open", []), Case("Bedroom Lamp", "", []),
        Case("Bedroom Lamp", "nan", []), Case("Bedroom Lamp", "1e999", []), Case("Bedroom Lamp", "-", []),
        Case("Garage Door current door state", "Open", []),
        Case("Bedroom Lamp brightness", "on", []), Case("Bedroom Lamp hue", "off", []),
        Case("Garage Door target door state", "on", []),
        Case("Bedroom Lamp", String(repeating: "9", count: 400), []),
        Case("Garage Door", "not open", []), Case("Garage Door", "open not", []), Case("Garage Door", "open?", []),
        Case("Bedroom Lamp", "except on", []), Case("Bedroom Lamp", "on here", []), Case("Bedroom Lamp", "all on", []),
        Case("Bedroom Lamp", "any on", []), Case("Bedroom Lamp", "dark", []), Case("Bedroom Lamp", "off at", []),
        Case("Bedroom Lamp", "off and", []), Case("Bedroom Lamp", "it is not on", []),
        Case("Garage Door", "I opened it", []),
        Case("Garage Door", "increase", []), Case("Garage Door", "turn up", []), Case("Garage Door", "raise a bit", []),
        Case("Garage Door", "up", ["Garage Door Target Door State 0"]),
        Case("Garage Door", "Open", ["Garage Door Target Door State 0"]),
        Case("Bedroom Lamp", "on at 50%", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
    ])
    func aPhraseSetsTheExpectedValue(_ setting: Case) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try sample.home
        let match = try HomePhraseResolver.resolve(setting.phrase, in: home)
        guard !setting.actions.isEmpty else {
            let error = #expect(throws: HomeError.self) { try match.actions(setting: setting.value, in: home) }
            #expect(error?.remedy.isEmpty == false)
            return
        }
        let actions = try match.actions(setting: setting.value, in: home)
        let texts = actions.map { action in
            let service = home.service(action.characteristic.service)?.name.text ?? ""
            return "\(service) \(action.characteristic.type) \(action.value)"
        }
        #expect(Set(texts) == setting.actions)
        #expect(Set(texts).count == texts.count)
        #expect(actions.allSatisfy { home.violation(of: $0, at: "") == nil })
    }

    /// Lamps without a color get the brightness.
    @Test func severalValuesAreSetWhereTheyHaveAMeaning() throws {
        let home = try PhraseHouse().home
        let actions = try HomePhraseResolver.resolve("lights", in: home).actions(setting: "40% and red", in: home)
        for type in [CharacteristicType.brightness, .hue, .saturation] {
            #expect(actions.count { $0.characteristic.type == type } == (type == .brightness ? 6 : 2))
        }
    }

    @Test func aNumberIsNotLeftOutOfADescription() throws {
        let home = try SampleHome().home
        #expect(throws: HomeError.self) { try HomePhraseResolver.resolve("Bedroom Lamp 2", in: home) }
        #expect(throws: HomeError.self) { try HomePhraseResolver.resolve("two lamps", in: home) }
    }

    @Test(arguments: ["Garage Door's", "Movie Time's"])
    func anOwnerAloneDescribesNothing(_ text: String) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try sample.home
        let error = #expect(throws: HomeError.self) { try HomePhraseResolver.resolve(text, in: home) }
        #expect(error?.reason == "Nothing follows that belongs to it.")
    }

    @Test func aRefusedValueSaysWhy() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let match = try HomePhraseResolver.resolve("Bedroom Lamp", in: sample.home)
        let home = try sample.home
        let later = #expect(throws: HomeError.self) { try match.actions(setting: "off in 10 minutes", in: home) }
        #expect(later?.reason == "A phrase acts now.")
        let more = #expect(throws: HomeError.self) { try match.actions(setting: "on here", in: home) }
        #expect(more?.reason == "This is not a value.")
    }

    @Test(arguments: [(256, true), (257, false)])
    func textLengthIsLimited(_ count: Int, isTaken: Bool) throws {
        var sample = try SampleHome()
        let television = RemoteAccessory(
            named: "Screen",
            services: [SampleHome.service(10, nil, .television, [.active, .configuredName])]
        )
        try sample.add(television, in: "Office", at: SampleHome.reference(30))
        let type = CharacteristicType.configuredName
        let service = try #require(sample.home.accessories.last?.services.first)
        var home = try sample.home
        let place = try #require(home.accessories.indices.last)
        home.accessories[place].services[0].characteristics[1].metadata.maximumLength = 1_000
        let match = PhraseMatch(home: home.id, target: .services([service.id]), property: type)
        let text = String(repeating: "x", count: count)
        if isTaken {
            #expect(try match.actions(setting: text, in: home).map(\.value) == [.string(text)])
        } else {
            let error = #expect(throws: HomeError.self) { try match.actions(setting: text, in: home) }
            #expect(error?.code == .invalidValue && error?.reason.contains("xxx") == true)
        }
    }

    @Test
    func switchingTheHouseOnOpensNoDoor() throws {
        let sample = try SampleHome()
        let home = try sample.home
        let door = try sample.service("Garage Door").id
        for word in ["on", "off"] {
            let actions = try HomePhraseResolver.resolve("Kilgo House", in: home).actions(setting: word, in: home)
            #expect(actions.count == 4)
            #expect(!actions.contains { $0.characteristic.service == door })
        }
    }

    @Test(arguments: [
        "Garage", "Kilgo Garage", "Garage Door", "garage doors", "the door in the garage",
    ])
    func switchingSomethingOnOpensNoDoor(phrase: String) throws {
        var sample = try SampleHome()
        let light = try sample.service("Garage Light").id
        let office = try #require(sample.rooms["Office"])
        try sample.edit { home throws(HomeError) in try home.moveService(light, to: office) }
        let home = try sample.home
        let match = try HomePhraseResolver.resolve(phrase, in: home)
        let actions = try? match.actions(setting: "on", in: home)
        let door = try sample.selector("Garage Door", .targetDoorState)
        #expect(actions?.contains { $0.characteristic == door } != true)
    }

    @Test(arguments: [
        ("Garage Door", "Opening", CharacteristicType.currentDoorState, CharacteristicValue.number(2)),
        ("Garage Light", "on", .on, true), ("Garage Light", "40%", .brightness, 40),
        ("Office Outlet", "no", .outletInUse, false),
    ])
    func expectedValuesAreReadLikeSetValues(
        service: String,
        text: String,
        type: CharacteristicType,
        value: CharacteristicValue
    ) throws {
        let characteristic = try #require(try SampleHome().service(service).characteristic(type))
        #expect(characteristic.base.value(of: text) == value)
        #expect(characteristic.base.value(of: "whatever") == nil)
    }

    @Test(arguments: ["Target Door State", "targetdoorstate", "TargetDoorState", "32", "fade rate"])
    func aPropertyIsFoundByItsTypeName(name: String) throws {
        let door = try SampleHome().service("Garage Door")
        #expect(door.characteristic(named: name)?.type == (name == "fade rate" ? nil : .targetDoorState))
    }
}
