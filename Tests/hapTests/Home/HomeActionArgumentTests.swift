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
        for name in ["Garage Light/00000025-0000-1000-8000-0026BB765291", "Garage Unit/Lightbulb/On"] {
            let actions = try HomeActionArgument.actions(["\(name)=on"], in: home)
            #expect(actions == [HomeAction(characteristic: light, value: true)])
        }
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

    @Test func serviceKindsAndRolesHaveNames() {
        #expect(SceneKind(argument: "sleep") == .sleep)
        #expect(SceneKind(argument: "Sleep") == nil)
        #expect(UserRole(argument: "administrator") == .administrator)
        #expect(UserRole(argument: "king") == nil)
    }
}
