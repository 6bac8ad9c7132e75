import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct LockTests {
    private static func lock(
        _ configuration: Lock.Configuration = .init(),
        seed: UInt64 = 0,
        secured: Bool = true,
        lastAction: Bool = true
    ) -> BehaviorOwner<Lock> {
        let state = CharacteristicValue.integer(secured ? 1 : 0)
        var owner = BehaviorOwner(
            Lock(configuration, seed: seed),
            keeping: [.lockCurrentState: state, .lockTargetState: state]
                .merging(lastAction ? [.lockLastKnownAction: 0] : [:]) { $1 }
        )
        #expect(owner.start() == [])
        return owner
    }

    @Test(arguments: [(true, "LockCurrentState 0", 0, 7), (false, "LockCurrentState 1", 1, 6)])
    func theCurrentStateFollowsWhenTheBoltHasMoved(secured: Bool, reported: String, target: Int, action: Int) {
        var lock = Self.lock(secured: secured)
        #expect(lock.write(.lockTargetState, .integer(target)) == BehaviorResponse())
        #expect(lock.reading("bolt", in: .milliseconds(250)) == (secured ? 75 : 25))
        #expect(lock.advance(by: .milliseconds(999)) == [])
        #expect(lock.advance(by: .milliseconds(1)).reported == "LockLastKnownAction \(action), \(reported)")
        #expect(lock.device.nextDeadline == nil)
    }

    @Test func aLockWithoutLastKnownActionReportsNone() {
        var lock = Self.lock(lastAction: false)
        _ = lock.write(.lockTargetState, 0)
        #expect(lock.advance(by: .seconds(1)).reported == "LockCurrentState 0")
        _ = lock.perform(.applySensorInput(BehaviorChange(.lockCurrentState, 1)))
        #expect(lock.values[.lockLastKnownAction] == nil)
    }

    @Test func aWriteDuringMovementReversesIt() {
        var lock = Self.lock()
        _ = lock.write(.lockTargetState, 0)
        _ = lock.advance(by: .milliseconds(400))
        #expect(lock.write(.lockTargetState, true) == BehaviorResponse())
        #expect(lock.live(for: .seconds(5)) == ["0.8: LockLastKnownAction 6"])
        #expect(lock.values[.lockCurrentState] == 1)
    }

    @Test func aWriteOfTheSameTargetChangesNothing() {
        var lock = Self.lock()
        _ = lock.write(.lockTargetState, 1)
        #expect(lock.device.nextDeadline == nil)
        _ = lock.write(.lockTargetState, 0)
        let end = lock.device.nextDeadline
        _ = lock.advance(by: .milliseconds(100))
        _ = lock.write(.lockTargetState, 0)
        #expect(lock.device.nextDeadline == end)
    }

    @Test func anObstructionJamsTheLockUntilTheNextWriteAfterClearing() {
        var lock = Self.lock()
        _ = lock.write(.lockTargetState, 0)
        _ = lock.advance(by: .milliseconds(300))
        #expect(lock.perform(.obstruct)?.reported == "LockCurrentState 2")
        #expect(lock.reading("bolt") == 70)
        #expect(lock.write(.lockTargetState, 1) == BehaviorResponse())
        #expect(lock.live(for: .seconds(60)) == [])
        #expect(lock.perform(.clearObstruction) == [])
        #expect(lock.live(for: .seconds(60)) == [])
        #expect(lock.write(.lockTargetState, 1).changes.reported == "LockCurrentState 0")
        #expect(lock.live(for: .seconds(1)) == ["120.6: LockLastKnownAction 6, LockCurrentState 1"])
    }

    @Test func anObstructedBoltAtRestRecoversWhenCleared() {
        var lock = Self.lock()
        #expect(lock.perform(.obstruct)?.reported == "LockCurrentState 2")
        _ = lock.write(.lockTargetState, 0)
        #expect(lock.perform(.clearObstruction)?.reported == "LockTargetState 1, LockCurrentState 1")
        _ = lock.write(.lockTargetState, 0)
        #expect(lock.live(for: .seconds(1)).count == 1)
    }

    @Test func aMovementThatAlwaysJamsNeverArrives() {
        var lock = Self.lock(.init(jamProbability: 1), seed: 7)
        for target in [0, 1, 0, 1] {
            _ = lock.write(.lockTargetState, .integer(target))
            _ = lock.advance(by: .seconds(1))
            #expect(lock.values[.lockCurrentState] == 2)
        }
    }

    @Test func theSameSeedJamsTheSameMovements() {
        func states(_ seed: UInt64) -> [Int?] {
            var lock = Self.lock(.init(jamProbability: 0.5), seed: seed)
            return (0..<64)
                .map { step in
                    _ = lock.write(.lockTargetState, .integer(step % 2))
                    _ = lock.advance(by: .seconds(2))
                    return lock.values[.lockCurrentState]?.integer
                }
        }
        #expect(states(3) == states(3))
        #expect(states(3) != states(4))
        #expect(10...54 ~= states(3).count { $0 == 2 })
    }

    @Test func manualOperationChangesBothStates() {
        var lock = Self.lock()
        let reported = lock.perform(.applySensorInput(BehaviorChange(.lockCurrentState, 0)))?.reported
        #expect(reported == "LockTargetState 0, LockLastKnownAction 10, LockCurrentState 0")
        #expect(lock.perform(.applySensorInput(BehaviorChange(.lockCurrentState, 3))) == nil)
        #expect(lock.perform(.applySensorInput(BehaviorChange(.name, "Lock"))) == nil)
        #expect(lock.perform(.stop) == nil)
    }

    @Test(arguments: [
        // stored current and target, changes at the start
        (1, 1, ""), (0, 0, ""), (0, 1, "LockCurrentState 1"), (1, 0, "LockCurrentState 0"), (2, 1, ""), (2, 0, ""),
        (3, 1, "LockCurrentState 1"), (nil, 1, "LockCurrentState 1"), (1, nil, "LockTargetState 1"),
        (nil, nil, "LockTargetState 0, LockCurrentState 0"), (99, -5, "LockTargetState 0, LockCurrentState 0"),
    ])
    func aLockStartsWhereItsTargetSays(current: Int?, target: Int?, reported: String) {
        var values: [CharacteristicType: CharacteristicValue] = [:]
        values[.lockCurrentState] = current.map { .integer($0) }
        values[.lockTargetState] = target.map { .integer($0) }
        var lock = BehaviorOwner(Lock(), keeping: values)
        #expect(lock.start().reported == reported)
        #expect(lock.device.nextDeadline == nil)
    }

    @Test func aJammedLockStaysJammedAfterARestartUntilTheNextWrite() {
        var lock = BehaviorOwner(Lock(), keeping: [.lockCurrentState: 2, .lockTargetState: 1])
        _ = lock.start()
        _ = lock.write(.lockTargetState, 1)
        #expect(lock.live(for: .seconds(1)) == ["0.5: LockCurrentState 1"])
    }

    @Test(arguments: [CharacteristicValue.integer(2), .integer(-1), .number(.real(.nan)), "0", .data([1])])
    func invalidTargetsAreRefused(value: CharacteristicValue) {
        var lock = Self.lock()
        #expect(lock.write(.lockTargetState, value) == BehaviorResponse(refusals: [.lockTargetState: .invalidValue]))
        #expect(lock.write(.lockCurrentState, 1) == BehaviorResponse(refusals: [.lockCurrentState: .readOnly]))
        #expect(lock.device.nextDeadline == nil)
    }
}
