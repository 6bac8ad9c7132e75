import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests the actions of phrases that set a value, as in `set Bedroom Lamp to 50%`.
struct PhraseValueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let actions: Set<String>
        var testDescription: String { text }

        init(_ text: String, _ actions: Set<String>) {
            self.text = text
            self.actions = actions
        }
    }

    @Test(arguments: [
        Case("turn off the Upstairs lights", ["Bedroom Lamp On false"]),
        Case("turn on everything upstairs", ["Bedroom Lamp On true", "Office Outlet On true"]),
        Case("close the garage", ["Garage Door Target Door State 1"]),
        Case("open the garage door", ["Garage Door Target Door State 0"]),
        Case("turn on the garage door", []), Case("set the garage door to on", []), Case("toggle the garage door", []),
        Case(
            "set the Reading Lamps to 50%",
            [
                "Living Room Lamp On true", "Living Room Lamp Brightness 50", "Bedroom Lamp On true",
                "Bedroom Lamp Brightness 50",
            ]
        ),
        Case("set Bedroom Lamp to 50", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
        Case("set Bedroom Lamp to half", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
        Case("set Bedroom Lamp to 1/2", ["Bedroom Lamp On true", "Bedroom Lamp Brightness 50"]),
        Case("set Bedroom Lamp brightness to 50", ["Bedroom Lamp Brightness 50"]),
        Case("run Movie Time", ["Living Room Lamp Brightness 10"]), Case("turn off Movie Time", []),
        Case("set Bedroom Lamp to 101", []), Case("open Bedroom Lamp", []), Case("set Bedroom Lamp to nan", []),
        Case("set Bedroom Lamp to 1e999", []), Case("turn off Bedroom Lamp in 10 minutes", []),
        Case("set Bedroom Lamp to \(String(repeating: "9", count: 400))", []),
        Case("set Bedroom Lamp to red and blue", []),
    ])
    func aPhraseSetsTheExpectedValue(_ setting: Case) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try sample.home
        guard !setting.actions.isEmpty else {
            let error = #expect(throws: HomeError.self) {
                try Phrase(setting.text, in: home).actions(in: home, values: [:])
            }
            #expect(error?.remedy.isEmpty == false)
            return
        }
        let actions = try Phrase(setting.text, in: home).actions(in: home, values: [:])
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
        let actions = try Phrase("set the lights to 40% and red", in: home).actions(in: home, values: [:])
        for type in [CharacteristicType.brightness, .hue, .saturation] {
            #expect(actions.count { $0.characteristic.type == type } == (type == .brightness ? 6 : 2))
        }
    }

    @Test(arguments: ["turn on Garage Door's", "run Movie Time's"])
    func anOwnerAloneMeansNothing(_ text: String) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try sample.home
        let error = #expect(throws: HomeError.self) { try Phrase(text, in: home) }
        #expect(error?.reason == "Nothing follows that belongs to it.")
    }

    @Test
    func switchingTheHouseOnOpensNoDoor() throws {
        let sample = try SampleHome()
        let home = try sample.home
        let door = try sample.service("Garage Door").id
        for word in ["on", "off"] {
            let actions = try Phrase("turn \(word) Kilgo House", in: home).actions(in: home, values: [:])
            #expect(actions.count == 4)
            #expect(!actions.contains { $0.characteristic.service == door })
        }
    }

    @Test(arguments: [
        "Garage", "Kilgo Garage", "Garage Door", "garage doors", "the door in the garage",
    ])
    func switchingSomethingOnOpensNoDoor(name: String) throws {
        var sample = try SampleHome()
        let light = try sample.service("Garage Light").id
        let office = try #require(sample.rooms["Office"])
        try sample.edit { home throws(HomeError) in try home.moveService(light, to: office) }
        let home = try sample.home
        let actions = try? Phrase("turn on \(name)", in: home).actions(in: home, values: [:])
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
