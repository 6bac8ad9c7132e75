import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct GarageDoorStartTests {
    /// The stored values of a door without a lock, the changes at the start, and the position of the door after that.
    struct StoredState: Sendable, CustomTestStringConvertible {
        let current: Int?
        let target: Int?
        let changes: String
        let position: Double
        var testDescription: String {
            "current \(current.map(String.init) ?? "–"), target \(target.map(String.init) ?? "–")"
        }
    }

    static let stored: [StoredState] = [
        StoredState(current: 0, target: 0, changes: "", position: 100),
        StoredState(current: 1, target: 1, changes: "", position: 0),
        StoredState(current: 2, target: 0, changes: "C0", position: 100),
        StoredState(current: 3, target: 1, changes: "C1", position: 0),
        StoredState(current: 4, target: 0, changes: "", position: 50),
        StoredState(current: 4, target: 1, changes: "", position: 50),
        StoredState(current: 4, target: nil, changes: "T1", position: 50),
        StoredState(current: 0, target: 1, changes: "C1", position: 0),
        StoredState(current: 1, target: 0, changes: "C0", position: 100),
        StoredState(current: 2, target: 1, changes: "C1", position: 0),
        StoredState(current: 3, target: 0, changes: "C0", position: 100),
        StoredState(current: 0, target: nil, changes: "T0", position: 100),
        StoredState(current: 2, target: nil, changes: "T0 C0", position: 100),
        StoredState(current: 3, target: nil, changes: "T1 C1", position: 0),
        StoredState(current: nil, target: 0, changes: "C0", position: 100),
        StoredState(current: nil, target: 1, changes: "C1", position: 0),
        StoredState(current: nil, target: nil, changes: "T1 C1", position: 0),
        StoredState(current: 99, target: -7, changes: "T1 C1", position: 0),
    ]

    @Test(arguments: stored)
    func aMovingDoorIsAtRestAfterARestart(stored: StoredState) {
        var values: [CharacteristicType: CharacteristicValue] = [.obstructionDetected: false]
        values[.currentDoorState] = stored.current.map { .integer($0) }
        values[.targetDoorState] = stored.target.map { .integer($0) }
        var door = BehaviorOwner(GarageDoor(), keeping: values)
        #expect(door.start().notation == stored.changes)
        #expect(door.position == stored.position)
        #expect(door.device.nextDeadline == nil)
        #expect(door.current == 4 || door.current == door.target)
    }

    @Test func aDoorWithoutStoredValuesIsClosedAndUnobstructed() {
        var door = BehaviorOwner(GarageDoor())
        #expect(door.start().notation == "O0 T1 C1")
    }

    @Test(arguments: [
        // door, lock current, lock target, changes at the start, changes after the door was closed
        (1, 0, 1, "L1"), (1, 1, 0, "L0"), (1, 1, 1, ""), (1, 0, 0, ""), (1, 2, 1, "L1"), (1, 3, 0, "L0"),
        (0, 1, 1, "L0"), (0, 0, 1, ""), (0, 1, 0, "L0"),
    ])
    func theBoltStartsWhereItsTargetAndTheDoorAllow(door: Int, current: Int, target: Int, changes: String) {
        var owner = BehaviorOwner(
            GarageDoor(),
            keeping: [
                .currentDoorState: .integer(door), .targetDoorState: .integer(door), .obstructionDetected: false,
                .lockCurrentState: .integer(current), .lockTargetState: .integer(target),
            ]
        )
        #expect(owner.start().notation == changes)
        #expect(owner.device.nextDeadline == nil)
        _ = owner.take(.close)
        _ = owner.advance(by: .seconds(60))
        #expect(owner.lock == target)
    }

    @Test func aSecuredDoorIsStillSecuredAfterARestart() {
        var door = BehaviorOwner.door()
        door.take([(.zero, .secure), (.seconds(1), .close)])
        var again = BehaviorOwner(GarageDoor(), keeping: door.values)
        #expect(again.start() == [])
        #expect(again.take(.open) == "-70412")
    }

    @Test func aStoppedDoorMovesAtTheFirstWrite() {
        var door = BehaviorOwner(
            GarageDoor(),
            keeping: [.currentDoorState: 4, .targetDoorState: 0, .obstructionDetected: false]
        )
        _ = door.start()
        #expect(door.take(.open) == "C2")
        #expect(door.advance(by: .seconds(6)).notation == "C0")
    }

    @Test func anObstructionSurvivesARestartAndRestartsItsTime() {
        var door = BehaviorOwner(
            GarageDoor(.init(obstructionDuration: .seconds(5))),
            keeping: [.currentDoorState: 0, .targetDoorState: 0, .obstructionDetected: true]
        )
        door.sleep(.seconds(100))
        #expect(door.start() == [])
        #expect(door.advance(by: .seconds(5)).notation == "O0")
    }

    @Test func startingAgainDiscardsMovements() {
        var door = GarageDoor()
        _ = door.write([BehaviorChange(.targetDoorState, 0), BehaviorChange(.lockTargetState, 1)], at: .zero)
        _ = door.perform(.obstruct, at: .zero)
        _ = door.start(with: [.currentDoorState: 1, .targetDoorState: 1], at: .zero)
        #expect(door.nextDeadline == nil)
        #expect(door.readings(at: .zero).map(\.number) == [0, 0])
    }
}
