import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel
import Testing

@testable import hap

/// A property and its value in the form that users write, for triggers, conditions and ends.
@Suite struct HomeTestArgumentTests {
    @Test(
        arguments: [
            ("Garage Door/Current Door State=Opening", CharacteristicType.currentDoorState, .equals(2)),
            ("garage door/currentdoorstate=stopped", .currentDoorState, .equals(4)),
            ("Garage Light=on", .on, .equals(true)), ("Garage Light = no", .on, .equals(false)),
            ("Garage Light Brightness=40", .brightness, .equals(40)),
            ("Heater/Target Temperature=20.5", .targetTemperature, .equals(20.5)),
            ("Heater/Current Heating Cooling State=Heat", .currentHeatingCoolingState, .equals(1)),
            // A service without a property means its state.
            ("garage door=open", .currentDoorState, .equals(0)),
            ("Garage Door/Target Door State=open", .targetDoorState, .equals(0)),
            ("garage door changes", .currentDoorState, .changes),
            ("Garage Door/Target Door State changes", .targetDoorState, .changes),
            ("Heater/Current Temperature>25", .currentTemperature, .above(25)),
            ("heater current temperature < 18.5", .currentTemperature, .below(18.5)),
            ("Garage Light/Brightness>40%", .brightness, .above(40)),
            ("Heater/Current Temperature=18...24", .currentTemperature, .within(NumberRange(18...24))),
            ("Heater/Current Temperature>=18", .currentTemperature, range(18, nil)),
            ("Heater/Current Temperature<=-3", .currentTemperature, range(nil, -3)),
            ("Heater/Current Temperature=...24", .currentTemperature, range(nil, 24)),
        ] as [(String, CharacteristicType, CharacteristicTest<CharacteristicValue>)]
    )
    func textIsOneTest(text: String, type: CharacteristicType, test: CharacteristicTest<CharacteristicValue>) throws {
        try HomeTestArgument.check([text])
        let found = try HomeTestArgument.test(text, in: try SampleHouse.home())
        #expect(found.0.type == type)
        #expect(found.1 == test)
    }

    private static func range(_ minimum: JSONNumber?, _ maximum: JSONNumber?) -> CharacteristicTest<CharacteristicValue>
    {
        NumberRange(minimum: minimum, maximum: maximum).map { .within($0) } ?? .changes
    }

    @Test(arguments: [
        ("Garage Door/Current Door State=Sideways", HomeError.Code.invalidValue),
        ("Garage Door/Brightness=1", .noSuchCharacteristic), ("Garage Door/Brightness changes", .noSuchCharacteristic),
        ("Garage Light", .invalidValue), ("Garage=on", .ambiguousName), ("Cellar=on", .unknownObject),
        ("Heater>25", .ambiguousName), ("Heater=18...24", .ambiguousName), ("Cellar>5", .unknownObject),
        ("Heater/Current Temperature>warm", .invalidValue), ("Heater/Current Temperature>=", .invalidValue),
    ])
    func invalidTestIsRefusedWithItsReason(text: String, code: HomeError.Code) throws {
        let home = try SampleHouse.home()
        let error = #expect(throws: HomeError.self) { try HomeTestArgument.test(text, in: home) }
        #expect(error?.code == code, "\(error?.description ?? "")")
    }

    @Test(arguments: ["Garage Light", "=on", ">5", "Heater>", "Heater>=", " changes", "=", ""])
    func textWithoutAValueIsRefused(text: String) {
        #expect(throws: ValidationError.self) { try HomeTestArgument.check([text]) }
    }
}
