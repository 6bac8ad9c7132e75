import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel
import Testing

@testable import hap

/// `NAME=VALUE`, in the form that users write.
@Suite struct HomeActionArgumentTests {
    @Test(arguments: ["Garage Light", "=on", "Garage Light=", ""])
    func actionWithoutValueIsRefused(text: String) {
        #expect(throws: ValidationError.self) { try HomeActionArgument.check([text]) }
    }

    @Test func phraseIsOneOrSeveralActions() throws {
        let home = try SampleHouse.home()
        let light = CharacteristicSelector(service: try home.service(named: "Garage Light").id, type: .on)
        #expect(
            try HomeActionArgument.actions(["Garage Light=on"], in: home) == [
                HomeAction(characteristic: light, value: true)
            ]
        )
        #expect(try HomeActionArgument.actions(["Downstairs lights=off"], in: home).map(\.characteristic) == [light])
        #expect(try HomeActionArgument.actions([], in: home).isEmpty)
    }

    @Test func lastOfTwoActionsOnOneCharacteristicCounts() throws {
        let home = try SampleHouse.home()
        let actions = try HomeActionArgument.actions(
            ["Garage Light=on", "Garage Door=open", "Garage Light=off"],
            in: home
        )
        #expect(actions.map(\.value) == [0, false])
    }

    @Test func valueFollowsTheLastEqualsSign() throws {
        let home = try SampleHouse.home()
        #expect(throws: HomeError.self) { try HomeActionArgument.actions(["Garage=Light=on"], in: home) }
    }

    @Test(arguments: [
        ("Garage Door/Current Door State=Opening", CharacteristicType.currentDoorState, CharacteristicValue.integer(2)),
        ("garage door/currentdoorstate=stopped", .currentDoorState, 4), ("Garage Light=on", .on, true),
        ("Garage Light=no", .on, false), ("Garage Light Brightness=40", .brightness, 40),
        ("Heater/Target Temperature=20.5", .targetTemperature, 20.5),
        ("Heater/Current Heating Cooling State=Heat", .currentHeatingCoolingState, 1),
        // A service without a property means its state.
        ("garage door=open", .currentDoorState, 0), ("Garage Door/Target Door State=open", .targetDoorState, 0),
    ])
    func propertyHasOneValue(text: String, type: CharacteristicType, value: CharacteristicValue) throws {
        let action = try HomeActionArgument.state(text, in: try SampleHouse.home())
        #expect(action.characteristic.type == type)
        #expect(action.value == value)
    }

    @Test(arguments: [
        ("Garage Door/Current Door State=Sideways", HomeError.Code.invalidValue),
        ("Garage Door/Brightness=1", .noSuchCharacteristic), ("Garage Light", .invalidValue),
        ("Garage=on", .ambiguousName), ("Cellar=on", .unknownObject),
    ])
    func invalidPropertyValueIsRefusedWithItsReason(text: String, code: HomeError.Code) throws {
        let home = try SampleHouse.home()
        let error = #expect(throws: HomeError.self) { try HomeActionArgument.state(text, in: home) }
        #expect(error?.code == code, "\(error?.description ?? "")")
    }

    @Test func serviceKindsAndRolesHaveNames() {
        #expect(SceneKind(argument: "sleep") == .sleep)
        #expect(SceneKind(argument: "Sleep") == nil)
        #expect(UserRole(argument: "administrator") == .administrator)
        #expect(UserRole(argument: "king") == nil)
    }
}
