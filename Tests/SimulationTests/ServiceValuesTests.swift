import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct ServiceValuesTests {
    private static let kept: [CharacteristicType: CharacteristicValue] = [
        .targetDoorState: 1, .currentDoorState: 1, .obstructionDetected: false,
    ]

    @Test func aSetValueIsReportedOnceWithItsLatestValue() {
        var values = ServiceValues(stored: Self.kept)
        values.set(.currentDoorState, 2)
        values.set(.currentDoorState, 0)
        #expect(values.takeChanges() == [BehaviorChange(.currentDoorState, 0)])
        #expect(values.takeChanges() == [])
    }

    @Test func changesAreOrderedByTheirLastChange() {
        var values = ServiceValues(stored: Self.kept)
        values.set(.currentDoorState, 2)
        values.set(.targetDoorState, 0)
        values.set(.obstructionDetected, true)
        values.set(.currentDoorState, 3)
        #expect(values.takeChanges().reported == "TargetDoorState 0, ObstructionDetected true, CurrentDoorState 3")
    }

    @Test func aRevertedValueIsNotReported() {
        var values = ServiceValues(stored: Self.kept)
        values.set(.currentDoorState, 2)
        values.set(.currentDoorState, 1)
        #expect(values.takeChanges() == [])
    }

    @Test func valuesStoredByTheOwnerAreNotReported() {
        var values = ServiceValues(stored: Self.kept)
        values.set(.targetDoorState, 0)
        values.store(BehaviorChange(.targetDoorState, 0))
        #expect(values.takeChanges() == [])
        #expect(values[.targetDoorState] == 0)
    }

    @Test func aRevertedStoredValueIsReported() {
        var values = ServiceValues(stored: Self.kept)
        values.store(BehaviorChange(.targetDoorState, 0))
        values.set(.targetDoorState, 1)
        #expect(values.takeChanges() == [BehaviorChange(.targetDoorState, 1)])
    }

    @Test func reportedValuesAreKnownToTheOwner() {
        var values = ServiceValues(stored: Self.kept)
        values.set(.currentDoorState, 2)
        _ = values.takeChanges()
        values.set(.currentDoorState, 1)
        #expect(values.takeChanges() == [BehaviorChange(.currentDoorState, 1)])
    }

    @Test func aMissingCharacteristicIsNotSet() {
        var values = ServiceValues(stored: Self.kept)
        values.set(.lockCurrentState, 1)
        #expect(values.takeChanges() == [])
        #expect(!values.contains(.lockCurrentState))
    }

    @Test func aCharacteristicWithoutAValueIsSet() {
        var values = ServiceValues(stored: Self.kept, of: [.lockCurrentState, .targetDoorState, .lockCurrentState])
        #expect(values.contains(.lockCurrentState))
        #expect(values[.lockCurrentState] == nil)
        values.set(.lockCurrentState, integer: 0)
        values.set(.targetDoorState, integer: 1)
        #expect(values.takeChanges() == [BehaviorChange(.lockCurrentState, 0)])
    }

    @Test func anEquivalentValueIsNoChange() {
        var values = ServiceValues(stored: [.active: true])
        values.set(.active, integer: 1)
        #expect(values.takeChanges() == [])
        values.set(.active, integer: 0)
        #expect(values.takeChanges() == [BehaviorChange(.active, 0)])
    }
}
