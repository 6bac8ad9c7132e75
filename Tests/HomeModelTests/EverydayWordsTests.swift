import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// The words of people who do not know characteristics.
struct EverydayWordsTests {
    private let sample: SampleHome

    init() throws {
        sample = try SampleHome()
    }

    private func words() throws -> EverydayWords { EverydayWords(try sample.home) }

    @Test(arguments: [
        ("Garage Light", CharacteristicType.on, CharacteristicValue.bool(true), "turn on Garage Light"),
        ("Garage Light", .on, .integer(0), "turn off Garage Light"),
        ("Garage Door", .targetDoorState, .integer(1), "close Garage Door"),
        ("Living Room Lamp", .brightness, .integer(20), "set the brightness of Living Room Lamp to 20 %"),
    ])
    func action(service: String, type: CharacteristicType, value: CharacteristicValue, text: String) throws {
        let action = HomeAction(characteristic: try sample.selector(service, type), value: value)
        #expect(try words().text(of: action) == text)
    }

    @Test(
        arguments: [
            ("Garage Door", CharacteristicType.currentDoorState, .equals(2), "when Garage Door starts opening"),
            ("Garage Light", .on, .equals(.bool(false)), "when Garage Light becomes off"),
            ("Living Room Lamp", .brightness, .above(50), "when the brightness of Living Room Lamp is above 50 %"),
            ("Garage Door", .obstructionDetected, .equals(.bool(true)), "when Garage Door reports an obstruction"),
        ] as [(String, CharacteristicType, CharacteristicTest<CharacteristicValue>, String)]
    )
    func trigger(
        service: String,
        type: CharacteristicType,
        test: CharacteristicTest<CharacteristicValue>,
        text: String
    ) throws {
        let trigger = Trigger<HomeIDs>.characteristic(try sample.selector(service, type), test)
        #expect(try words().text(of: trigger) == text)
    }

    @Test func oppositeOfAConditionIsSaidOfTheDevice() throws {
        let door = try sample.selector("Garage Door", .currentDoorState)
        let condition = Condition<HomeIDs>.not(.characteristic(door, .equals(1)))
        #expect(try words().text(of: condition) == "Garage Door is not closed")
        // A number without a word is said like any other value.
        let unknown = Condition<HomeIDs>.characteristic(door, .equals(9))
        #expect(try words().text(of: unknown) == "the current door state of Garage Door is 9")
    }
}
