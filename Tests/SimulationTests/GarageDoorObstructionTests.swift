import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct GarageDoorObstructionTests {
    @Test(arguments: [(1, 1), (6, 6), (11, 11)])
    func anObstructionSendsAClosingDoorBackUpInProportionalTime(seconds: Int, back: Int) {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .close)])
        _ = door.advance(by: .seconds(seconds))
        #expect(door.take(.obstruct) == "O1 T0 C2")
        #expect(door.device.nextDeadline == door.now.advanced(by: .seconds(back)))
        #expect(door.advance(by: .seconds(back)).notation == "C0")
        #expect(door.isObstructed == true)
    }

    @Test func anObstructionAtTheStartOfClosingLeavesTheDoorOpen() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .close)])
        #expect(door.take(.obstruct) == "O1 T0 C0")
    }

    @Test func anObstructionAtTheInstantOfArrivalComesTooLate() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .close)])
        door.sleep(.seconds(12))
        #expect(door.take(.obstruct) == "C1 O1")
        #expect(door.target == 1)
    }

    @Test func aRefusalDropsNoDueChange() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open)])
        let due = door.device.nextDeadline
        door.sleep(.seconds(20))
        #expect(door.perform(.press(.single)) == nil)
        #expect(door.device.nextDeadline == due)
        #expect(door.advance().notation == "C0")
    }

    @Test func anObstructionLastsUntilItIsCleared() {
        var door = BehaviorOwner.door()
        _ = door.take(.obstruct)
        #expect(door.device.nextDeadline == nil)
        #expect(door.advance(by: .seconds(1_000_000)) == [])
        #expect(door.take(.clear) == "O0")
        #expect(door.take(.clear) == "")
    }

    @Test func anObstructionClearsAfterItsTimeWhileTheDoorMoves() {
        var door = BehaviorOwner.door(.init(obstructionDuration: .seconds(5)))
        door.take([(.zero, .open), (.seconds(12), .close), (.seconds(11), .obstruct)])
        #expect(door.advance(by: .seconds(5)).notation == "O0")
        #expect(door.current == 2)
        #expect(door.advance(by: .seconds(6)).notation == "C0")
    }

    @Test func aSecondObstructionRestartsItsTime() {
        var door = BehaviorOwner.door(.init(obstructionDuration: .seconds(5)))
        door.take([(.zero, .obstruct), (.seconds(4), .obstruct)])
        #expect(door.advance(by: .seconds(4)) == [])
        #expect(door.advance(by: .seconds(1)).notation == "O0")
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func aMomentaryObstructionStillReversesTheDoor(clears: Duration) {
        var door = BehaviorOwner.door(.init(obstructionDuration: clears))
        door.take([(.zero, .open), (.seconds(12), .close), (.seconds(3), .close)])
        #expect(door.take(.obstruct) == "T0 C2")
        #expect(door.isObstructed == false)
    }

    @Test func aDoorCanCloseOnceTheObstructionIsCleared() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .open), (.seconds(12), .obstruct)])
        #expect(door.take(.close) == "T0")
        #expect(door.take(.close) == "T0")
        #expect(door.take(.clear) == "O0")
        #expect(door.take(.close) == "C3")
    }
}
