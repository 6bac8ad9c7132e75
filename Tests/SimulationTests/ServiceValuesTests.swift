import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct ServiceValuesTests {
    private static let kept: [CharacteristicType: CharacteristicValue] = [
        .targetDoorState: 1, .currentDoorState: 1, .obstructionDetected: false,
    ]

    @Test func whatWasSetIsToldOnceWithItsLatestValue() {
        var values = ServiceValues(kept: Self.kept)
        values.set(.currentDoorState, 2)
        values.set(.currentDoorState, 0)
        #expect(values.takeChanges() == [BehaviorChange(.currentDoorState, 0)])
        #expect(values.takeChanges() == [])
    }

    @Test func changesComeInTheOrderOfTheLastChangeOfEach() {
        var values = ServiceValues(kept: Self.kept)
        values.set(.currentDoorState, 2)
        values.set(.targetDoorState, 0)
        values.set(.obstructionDetected, true)
        values.set(.currentDoorState, 3)
        #expect(values.takeChanges().told == "TargetDoorState 0, ObstructionDetected true, CurrentDoorState 3")
    }

    @Test func whatIsBackWhereItWasIsNotTold() {
        var values = ServiceValues(kept: Self.kept)
        values.set(.currentDoorState, 2)
        values.set(.currentDoorState, 1)
        #expect(values.takeChanges() == [])
    }

    @Test func whatTheOwnerStoresIsNotTold() {
        var values = ServiceValues(kept: Self.kept)
        values.set(.targetDoorState, 0)
        values.store(BehaviorChange(.targetDoorState, 0))
        #expect(values.takeChanges() == [])
        #expect(values[.targetDoorState] == 0)
    }

    @Test func aStoredValueThatIsTakenBackIsTold() {
        var values = ServiceValues(kept: Self.kept)
        values.store(BehaviorChange(.targetDoorState, 0))
        values.set(.targetDoorState, 1)
        #expect(values.takeChanges() == [BehaviorChange(.targetDoorState, 1)])
    }

    @Test func whatWasToldIsWhatTheOwnerKnows() {
        var values = ServiceValues(kept: Self.kept)
        values.set(.currentDoorState, 2)
        _ = values.takeChanges()
        values.set(.currentDoorState, 1)
        #expect(values.takeChanges() == [BehaviorChange(.currentDoorState, 1)])
    }

    @Test func whatTheServiceLacksIsNotSet() {
        var values = ServiceValues(kept: Self.kept)
        values.set(.lockCurrentState, 1)
        #expect(values.takeChanges() == [])
        #expect(!values.contains(.lockCurrentState))
    }

    @Test func whatTheServiceHasWithoutAValueIsSet() {
        var values = ServiceValues(kept: Self.kept, of: [.lockCurrentState, .targetDoorState, .lockCurrentState])
        #expect(values.contains(.lockCurrentState))
        #expect(values[.lockCurrentState] == nil)
        values.set(.lockCurrentState, choice: 0)
        values.set(.targetDoorState, choice: 1)
        #expect(values.takeChanges() == [BehaviorChange(.lockCurrentState, 0)])
    }

    @Test func theSameInAnotherWayIsNoChange() {
        var values = ServiceValues(kept: [.active: true])
        values.set(.active, choice: 1)
        #expect(values.takeChanges() == [])
        values.set(.active, choice: 0)
        #expect(values.takeChanges() == [BehaviorChange(.active, 0)])
    }
}
