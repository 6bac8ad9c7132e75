import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct GarageDoorTravelTests {
    @Test func twelveSecondsOfTravelNeedNoRealTime() {
        var door = BehaviorOwner.door()
        #expect(door.take(.open) == "C2")
        #expect(door.device.nextDeadline == MonotonicInstant(nanoseconds: 12_000_000_000))
        #expect(door.advance(by: .seconds(11)) == [])
        #expect(door.advance(by: .nanoseconds(999_999_999)) == [])
        #expect(door.advance(by: .nanoseconds(1)).notation == "C0")
        #expect(door.device.nextDeadline == nil)
    }

    @Test func aCycleIsOpeningOpenClosingClosed() {
        var door = BehaviorOwner.door()
        #expect(door.take(.open) == "C2")
        #expect(door.advance(by: .seconds(12)).notation == "C0")
        #expect(door.take(.close) == "C3")
        #expect(door.advance(by: .seconds(12)).notation == "C1")
    }

    @Test(arguments: [(0, 0.0), (3, 25.0), (6, 50.0), (9, 75.0), (12, 100.0), (1_000_000, 100.0)])
    func thePositionFollowsTheTime(seconds: Int, percent: Double) {
        var door = BehaviorOwner.door()
        _ = door.take(.open)
        #expect(door.reading("position", in: .seconds(seconds)) == percent)
    }

    @Test(arguments: [(25.0, Duration.seconds(3)), (50, .seconds(6)), (99, .milliseconds(11_880))])
    func aReversalTakesAsLongAsTheTravelBefore(percent: Double, way: Duration) {
        var door = BehaviorOwner.door()
        _ = door.take(.open)
        #expect(door.advance(by: way) == [])
        #expect(door.position == percent)
        #expect(door.take(.close) == "C3")
        #expect(door.position == percent)
        #expect(door.device.nextDeadline == door.now.advanced(by: way))
        #expect(door.advance(by: way - .nanoseconds(1)) == [])
        #expect(door.advance(by: .nanoseconds(1)).notation == "C1")
        #expect(door.position == 0)
    }

    @Test(arguments: [(75.0, Duration.seconds(3)), (50, .seconds(6)), (1, .milliseconds(11_880))])
    func aClosingDoorReversesFromWhereItIs(percent: Double, way: Duration) {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .close)])
        #expect(door.advance(by: way) == [])
        #expect(door.take(.open) == "C2")
        #expect(door.position.map { abs($0 - percent) < 1e-9 } == true)
        #expect(door.advance(by: way).notation == "C0")
    }

    @Test func aStoppedDoorKeepsItsPositionAndTarget() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(3), .stop)])
        #expect(door.current == 4)
        #expect(door.target == 0)
        #expect(door.advance(by: .seconds(3_600)) == [])
        #expect(door.position == 25)
    }

    @Test(arguments: [DoorInput.open, .close])
    func aWriteAfterAStopContinuesFromThere(input: DoorInput) {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(3), .stop), (.seconds(100), input)])
        let rest: Duration = input == .open ? .seconds(9) : .seconds(3)
        #expect(door.device.nextDeadline == door.now.advanced(by: rest))
    }

    @Test func aStopOnArrivalFindsTheDoorOpen() {
        var door = BehaviorOwner.door()
        _ = door.take(.open)
        door.sleep(.seconds(12))
        #expect(door.take(.stop) == "C0")
    }

    @Test func aWriteBeforeTheTimerAppliesDueChangesFirst() {
        var door = BehaviorOwner.door()
        _ = door.take(.open)
        door.sleep(.seconds(20))
        #expect(door.take(.open) == "C0")
        door.sleep(.seconds(20))
        #expect(door.take(.close) == "C3")
        door.sleep(.seconds(20))
        #expect(door.take(.open) == "C2")
        #expect(door.position == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(Int64.min)])
    func aDoorWithoutTravelTimeArrivesAtOnce(travel: Duration) {
        var door = BehaviorOwner.door(.init(travel: travel))
        #expect(door.take(.open) == "C0")
        #expect(door.take(.close) == "C1")
        #expect(door.device.nextDeadline == nil)
    }

    @Test(arguments: [(CharacteristicValue.bool(false), "C2"), (.bool(true), ""), (0, "C2"), (.number(.real(1)), "")])
    func booleansAndIntegersAreValidTargets(value: CharacteristicValue, outcome: String) {
        var door = GarageDoor()
        let response = door.write([BehaviorChange(.targetDoorState, value)], at: .zero)
        #expect(response.refusals.isEmpty)
        #expect(response.changes.notation == outcome)
    }

    @Test(arguments: [
        CharacteristicValue.integer(2), .integer(-1), .number(.real(.nan)), .number(.real(0.5)), .string("0"),
        .data([0]),
        .integer(UInt64.max),
    ])
    func aNonIntegralTargetIsRefused(value: CharacteristicValue) {
        for type in [CharacteristicType.targetDoorState, .lockTargetState] {
            var door = GarageDoor()
            let response = door.write([BehaviorChange(type, value)], at: .zero)
            #expect(response == BehaviorResponse(refusals: [type: .invalidValue]))
            #expect(door.nextDeadline == nil)
        }
    }

    @Test(arguments: [CharacteristicType.currentDoorState, .obstructionDetected, .lockCurrentState])
    func currentStatesCannotBeWritten(type: CharacteristicType) {
        var door = GarageDoor()
        let response = door.write([BehaviorChange(type, 1)], at: .zero)
        #expect(response == BehaviorResponse(refusals: [type: .readOnly]))
    }

    @Test func otherCharacteristicsAreAccepted() {
        var door = GarageDoor()
        #expect(door.write([BehaviorChange(.name, "Door")], at: .zero) == BehaviorResponse())
    }
}
