import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct SecuritySystemTests {
    private typealias Owner = BehaviorOwner<SecuritySystem>

    private static func system(
        _ mode: Int = 3,
        current: Int? = nil,
        alarm: Duration? = nil
    ) -> BehaviorOwner<SecuritySystem> {
        var owner = BehaviorOwner(
            SecuritySystem(.init(exitDelay: .seconds(20), entryDelay: .seconds(10), alarmDuration: alarm)),
            keeping: [
                .securitySystemTargetState: .integer(mode), .securitySystemCurrentState: .integer(current ?? mode),
                .securitySystemAlarmType: 0,
            ]
        )
        _ = owner.start()
        _ = owner.observe([BehaviorChange(.motionDetected, false)], of: Self.motion)
        _ = owner.observe([BehaviorChange(.contactSensorState, 0)], of: Self.contact)
        return owner
    }

    private static let motion = ServiceKey(.motionSensor)
    private static let contact = ServiceKey(.contactSensor)

    @Test(arguments: [0, 1, 2])
    func itIsArmedAfterTheExitDelay(mode: Int) {
        var system = Self.system()
        #expect(system.write(.securitySystemTargetState, .integer(mode)) == BehaviorResponse())
        #expect(system.reading("exit") == 20)
        #expect(system.advance(by: .seconds(19)) == [])
        #expect(system.advance(by: .seconds(1)) == [BehaviorChange(.securitySystemCurrentState, .integer(mode))])
        #expect(system.device.nextDeadline == nil)
    }

    @Test func itIsDisarmedAtOnce() {
        var system = Self.system(1)
        #expect(
            system.write(.securitySystemTargetState, 3).changes == [BehaviorChange(.securitySystemCurrentState, 3)]
        )
    }

    @Test func disarmingDuringTheExitDelayPreventsArming() {
        var system = Self.system()
        _ = system.write(.securitySystemTargetState, 1)
        _ = system.advance(by: .seconds(10))
        #expect(system.write(.securitySystemTargetState, 3) == BehaviorResponse())
        #expect(system.advance(by: .seconds(100)) == [])
        #expect(system.device.nextDeadline == nil)
    }

    /// Mode, sensor, and whether there is an alarm.
    @Test(arguments: [
        (1, true, true), (1, false, true), (0, true, false), (0, false, true), (2, true, false), (2, false, true),
        (3, true, false), (3, false, false),
    ])
    func aDetectionTriggersTheAlarmAfterTheEntryDelay(mode: Int, byMotion: Bool, isAlarm: Bool) {
        var system = Self.system(mode)
        let response =
            byMotion
            ? system.observe([BehaviorChange(.motionDetected, true)], of: Self.motion)
            : system.observe([BehaviorChange(.contactSensorState, 1)], of: Self.contact)
        #expect(response == [])
        #expect(system.reading("entry") == (isAlarm ? 10 : 0))
        let changes = system.advance(by: .seconds(10))
        let expected: [BehaviorChange] = [
            BehaviorChange(.securitySystemCurrentState, 4), BehaviorChange(.securitySystemAlarmType, 1),
        ]
        #expect(changes == (isAlarm ? expected : []))
    }

    @Test func disarmingDuringTheEntryDelayPreventsTheAlarm() {
        var system = Self.system(1)
        _ = system.observe([BehaviorChange(.contactSensorState, 1)], of: Self.contact)
        _ = system.write(.securitySystemTargetState, 3)
        #expect(system.advance(by: .seconds(60)) == [])
    }

    @Test func detectionsBeforeArmingDoNotCount() {
        var system = Self.system()
        _ = system.observe([BehaviorChange(.contactSensorState, 1)], of: Self.contact)
        _ = system.write(.securitySystemTargetState, 1)
        _ = system.observe([BehaviorChange(.motionDetected, true)], of: Self.motion)
        _ = system.advance(by: .seconds(20))
        #expect(system.observe([BehaviorChange(.contactSensorState, 1)], of: Self.contact) == [])
        #expect(system.device.nextDeadline == nil)
    }

    @Test func rewritingTheModeKeepsTheEntryDelay() {
        var system = Self.system(1)
        _ = system.observe([BehaviorChange(.contactSensorState, 1)], of: Self.contact)
        _ = system.write(.securitySystemTargetState, 1)
        #expect(system.advance(by: .seconds(10)).first == BehaviorChange(.securitySystemCurrentState, 4))
    }

    @Test func anAlarmLastsUntilItIsDisarmed() {
        var system = Self.system(1)
        #expect(system.perform(.applySensorInput(BehaviorChange(.securitySystemCurrentState, 4)))?.count == 2)
        #expect(system.advance(by: .seconds(86_400)) == [])
        _ = system.write(.securitySystemTargetState, 3)
        #expect(system.values[.securitySystemCurrentState] == 3)
        #expect(system.values[.securitySystemAlarmType] == 0)
    }

    @Test func aTimedAlarmLeavesItArmed() {
        var system = Self.system(2, alarm: .seconds(60))
        _ = system.observe([BehaviorChange(.contactSensorState, 1)], of: Self.contact)
        #expect(system.advance(by: .seconds(70)) == [])
        #expect(system.values[.securitySystemCurrentState] == 2)
        _ = system.perform(.applySensorInput(BehaviorChange(.securitySystemCurrentState, 4)))
        _ = system.advance(by: .seconds(60))
        #expect(system.values[.securitySystemCurrentState] == 2)
        #expect(system.values[.securitySystemAlarmType] == 0)
    }

    @Test func armingAtTheDeviceUpdatesTheTarget() {
        var system = Self.system()
        _ = system.perform(.applySensorInput(BehaviorChange(.securitySystemCurrentState, 0)))
        #expect(system.values[.securitySystemTargetState] == 0)
        #expect(system.values[.securitySystemCurrentState] == 0)
    }

    /// The stored target and current state, and the current state after the start.
    @Test(arguments: [(1, 3, 1), (3, 1, 3), (1, 4, 4), (3, 4, 3), (0, 0, 0), (9, 2, 2), (9, 9, 3)])
    func storedStatesAreCorrected(target: Int, current: Int, then: Int) {
        let system = Self.system(target, current: current)
        #expect(system.values[.securitySystemCurrentState] == .integer(then))
    }

    @Test(arguments: [CharacteristicValue.integer(4), -1, "3", true, .number(.real(.nan))])
    func invalidModesAreRefused(value: CharacteristicValue) {
        var system = Self.system(1)
        #expect(
            system.write(.securitySystemTargetState, value).refusals == [.securitySystemTargetState: .invalidValue]
        )
        #expect(system.values[.securitySystemCurrentState] == 1)
    }

    @Test func aMissingAlarmTypeIsNotReported() {
        var owner = BehaviorOwner(SecuritySystem(), keeping: [.securitySystemTargetState: 1])
        #expect(owner.start() == [BehaviorChange(.securitySystemCurrentState, 1)])
        #expect(owner.perform(.applySensorInput(BehaviorChange(.securitySystemCurrentState, 4)))?.count == 1)
        #expect(owner.perform(.stop) == nil)
    }
}
