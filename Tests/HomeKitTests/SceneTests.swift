import AccessoryModel
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import TestSupport
import Testing

@testable import HomeKit

/// Tests of scenes and their actions.
@Suite struct SceneTests {
    @Test func everyHomeHasTheBuiltInScenes() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let home = try await fixture.home(garages: 0)
        #expect(
            Set(home.actionSets.map(\.actionSetType)) == [
                HMActionSetTypeWakeUp, HMActionSetTypeSleep, HMActionSetTypeHomeDeparture, HMActionSetTypeHomeArrival,
            ]
        )
        let sleep = try #require(home.builtinActionSet(ofType: HMActionSetTypeSleep))
        #expect(sleep.name == "Good Night" && sleep.actions.isEmpty)
        #expect(home.builtinActionSet(ofType: HMActionSetTypeUserDefined) == nil)
        await fixture.close()
    }

    @Test func homeOfAnotherProgramGetsTheBuiltInScenes() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let recorder = Recorder()
        fixture.manager.delegate = recorder
        try await fixture.changeElsewhere { homes in
            let id = try homes.addHome(named: ObjectName("Cabin"))
            try homes.edit(id) { home throws(HomeError) in _ = try home.addScene(named: ObjectName("Good Night")) }
        }
        try await recorder.wait(for: "added home Cabin")
        let home = try #require(fixture.manager.homes.first)
        #expect(home.actionSets.count == 5)
        #expect(home.builtinActionSet(ofType: HMActionSetTypeSleep)?.name == "Good Night 2")
        await fixture.close()
    }

    @Test func actionThatAnotherProgramRemovesCanBeAddedAgain() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let scene = try await home.addActionSet(named: "Bright")
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let action = HMCharacteristicWriteAction(characteristic: power, targetValue: true as NSNumber)
        try await scene.addAction(action)
        let id = try #require(scene.modelReference?.model.scene?.id)
        try await fixture.changeHomeElsewhere { home throws(HomeError) in try home.setActions([], of: id) }
        try await eventually("the action is gone") { scene.actions.isEmpty }
        try await scene.addAction(action)
        #expect(scene.actions == [action])
        await fixture.close()
    }

    @Test func writesThatWereRequestedBeforeASceneComeFirst() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let scene = try await home.addActionSet(named: "Dark")
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        try await scene.addAction(HMCharacteristicWriteAction(characteristic: power, targetValue: false as NSNumber))
        for _ in 0..<20 { power.writeValue(true) { _ in } }
        try await home.executeActionSet(scene)
        #expect(try await fixture.servedValue(of: power) == false && power.value as? Bool == false)
        await fixture.close()
    }

    @Test func sceneRunsItsActions() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let scene = try await home.addActionSet(named: "Bright")
        #expect(scene.actionSetType == HMActionSetTypeUserDefined)
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let fade = try home.fadeRate()
        let on = HMCharacteristicWriteAction(characteristic: power, targetValue: NSNumber(value: true))
        try await scene.addAction(on)
        try await scene.addAction(HMCharacteristicWriteAction(characteristic: fade, targetValue: NSNumber(value: 3.5)))
        #expect(scene.actions.count == 2 && scene.actions.contains(on))
        #expect(scene.lastExecutionDate == nil)
        try await home.executeActionSet(scene)
        #expect(power.value as? Bool == true && fade.value as? Double == 3.5, "the app sees what it has written")
        #expect(try await fixture.servedValue(of: power) == true)
        #expect(scene.lastExecutionDate != nil && !scene.isExecuting)
        await fixture.close()
    }

    @Test func loadedActionHasTheTypeToWhichAppsCast() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let scene = try await home.addActionSet(named: "Bright")
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        try await scene.addAction(HMCharacteristicWriteAction(characteristic: power, targetValue: true as NSNumber))
        let other = try await fixture.anotherManager()
        let loaded = try #require(other.homes.first?.actionSets.last)
        let action = try #require(loaded.actions.first as? HMCharacteristicWriteAction<any NSCopying>)
        #expect((action.targetValue as? NSNumber)?.boolValue == true)
        #expect(action.value(forKey: "targetValue") as? NSNumber == 1)
        #expect(action.characteristic.uniqueIdentifier == power.uniqueIdentifier)
        #expect(loaded.actions.first === action, "one object for each action")
        #expect(action.uniqueIdentifier == scene.actions.first?.uniqueIdentifier)
        try await action.updateTargetValue(false as NSNumber)
        let own = try #require(scene.actions.first as? HMCharacteristicWriteAction<any NSCopying>)
        #expect((own.targetValue as? NSNumber)?.boolValue == false)
        await fixture.close()
    }

    @Test func actionsAndScenesAreRemoved() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let scene = try await home.addActionSet(named: "Bright")
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let action = HMCharacteristicWriteAction(characteristic: power, targetValue: true as NSNumber)
        try await scene.addAction(action)
        try await scene.removeAction(action)
        #expect(scene.actions.isEmpty)
        try await scene.addAction(action)
        try await scene.updateName("Dark")
        try await home.removeActionSet(scene)
        #expect(!home.actionSets.contains(scene) && scene.name == "Dark")
        await fixture.close()
    }

    @Test func failedActionsAreReported() async throws {
        let fixture = try await HomeKitFixture(garages: 2)
        let home = try await fixture.home(garages: 2)
        let scene = try await home.addActionSet(named: "Bright")
        let powers = home.accessories.flatMap(\.services).flatMap(\.characteristics)
            .filter { $0.characteristicType == HMCharacteristicTypePowerState }
        for power in powers {
            try await scene.addAction(HMCharacteristicWriteAction(characteristic: power, targetValue: true as NSNumber))
        }
        let second = fixture.host.servers[1].id
        await fixture.host.remove(second)
        #expect(
            await #expect(throws: HMError.self) { try await home.executeActionSet(scene) }?.code
                == .actionSetExecutionPartialSuccess
        )
        await fixture.close()
        #expect(
            await #expect(throws: HMError.self) { try await home.executeActionSet(scene) }?.code
                == .actionSetExecutionFailed
        )
    }
}
