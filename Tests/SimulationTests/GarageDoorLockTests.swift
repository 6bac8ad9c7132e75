import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct GarageDoorLockTests {
    @Test func theBoltTakesASecondEachWay() {
        var door = BehaviorOwner.door()
        #expect(door.take(.secure) == "")
        #expect(door.advance(by: .milliseconds(250)) == [])
        #expect(door.bolt == 25)
        #expect(door.advance(by: .milliseconds(750)).notation == "L1")
        #expect(door.take(.unsecure) == "")
        #expect(door.advance(by: .milliseconds(999)) == [])
        #expect(door.advance(by: .milliseconds(1)).notation == "L0")
    }

    @Test func aSecuredDoorRefusesToOpenAndNothingChanges() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .secure), (.seconds(1), .close)])
        let before = door.values
        let response = door.write(.targetDoorState, 0)
        #expect(response == BehaviorResponse(refusals: [.targetDoorState: .notAllowedInCurrentState]))
        #expect(door.values == before)
        #expect(door.advance(by: .seconds(60)) == [])
    }

    @Test func theBoltWaitsForTheDoor() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .secure), (.seconds(60), .close)])
        #expect(door.bolt == 0)
        #expect(door.advance(by: .seconds(12)).notation == "C1")
        #expect(door.device.nextDeadline == door.now.advanced(by: .seconds(1)))
        #expect(door.advance(by: .seconds(1)).notation == "L1")
    }

    @Test func closingAndSecuringInOneJumpReportsBothInOrder() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .close), (.zero, .secure)])
        #expect(door.advance(by: .seconds(1_000)).notation == "C1 L1")
    }

    @Test func theBoltMovesWhenTheDoorArrivesDespiteALateTimer() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .close), (.zero, .secure)])
        #expect(door.reading("bolt", in: .milliseconds(12_500)) == 50)
        #expect(door.advance(by: .milliseconds(12_500)).notation == "C1")
        #expect(door.bolt == 50)
        #expect(door.device.nextDeadline == door.now.advanced(by: .milliseconds(500)))
    }

    @Test func openingDuringLockingRetractsTheBoltUntilTheDoorIsClosed() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .secure), (.milliseconds(600), .open)])
        #expect(door.current == 2)
        #expect(door.bolt == 60)
        #expect(door.advance(by: .milliseconds(600)) == [])
        #expect(door.bolt == 0)
        #expect(door.values[.lockTargetState] == 1)
        _ = door.take(.close)
        #expect(door.advance(by: .seconds(60)).notation == "C1 L1")
    }

    @Test func aBoltReversedHalfwayNeverChangesTheLockState() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .secure), (.milliseconds(400), .unsecure)])
        #expect(door.device.nextDeadline == door.now.advanced(by: .milliseconds(400)))
        #expect(door.advance(by: .seconds(60)) == [])
        #expect(door.lock == 0)
    }

    @Test func theWritesOfOneRequestTakeEffectInItsOrder() {
        let open = BehaviorChange(.targetDoorState, 0)
        let secure = BehaviorChange(.lockTargetState, 1)
        var immediate = BehaviorOwner.door(.init(lockTravel: .zero))
        #expect(immediate.write([secure, open]).refusals == [.targetDoorState: .notAllowedInCurrentState])
        #expect(immediate.lock == 1)

        immediate = .door(.init(lockTravel: .zero))
        let response = immediate.write([open, secure])
        #expect(response.refusals.isEmpty)
        #expect(response.changes.notation == "C2")
        #expect(immediate.lock == 0)
    }

    @Test func unsecuringAndOpeningInOneRequestRefusesTheOpening() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .secure), (.seconds(1), .close)])
        let response = door.write([BehaviorChange(.lockTargetState, 0), BehaviorChange(.targetDoorState, 0)])
        #expect(response.refusals == [.targetDoorState: .notAllowedInCurrentState])
        #expect(door.advance(by: .seconds(1)).notation == "L0")
        #expect(door.take(.open) == "C2")
    }

    @Test func aServiceWithoutALockReportsNone() {
        var door = BehaviorOwner(
            GarageDoor(),
            keeping: [.currentDoorState: 1, .targetDoorState: 1, .obstructionDetected: false]
        )
        #expect(door.start() == [])
        #expect(door.take(.open) == "C2")
        #expect(door.advance(by: .seconds(60)).notation == "C0")
        #expect(door.take(.close) == "C3")
        #expect(door.advance(by: .seconds(60)).notation == "C1")
        #expect(door.values.count == 3)
    }
}
