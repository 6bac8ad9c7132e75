import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct PositionDriveTests {
    private static func blind(
        _ configuration: PositionActuator.Configuration = .init(),
        at place: CharacteristicValue = 0,
        more: [CharacteristicType: CharacteristicValue] = [:]
    ) -> BehaviorOwner<PositionActuator> {
        var owner = BehaviorOwner(
            PositionActuator(configuration),
            keeping: [.currentPosition: place, .targetPosition: place, .positionState: 2].merging(more) { $1 }
        )
        #expect(owner.start() == [])
        return owner
    }

    private static let slats: [CharacteristicType: CharacteristicValue] = [
        .currentHorizontalTiltAngle: 0, .targetHorizontalTiltAngle: 0, .currentVerticalTiltAngle: -90,
        .targetVerticalTiltAngle: -90,
    ]

    @Test func eachTenthOfTheWayAndTheEndAreReported() {
        var blind = Self.blind()
        #expect(blind.write(.targetPosition, 35).changes.reported == "PositionState 1")
        #expect(
            blind.live(for: .seconds(60)) == [
                "2.0: CurrentPosition 10", "4.0: CurrentPosition 20", "6.0: CurrentPosition 30",
                "7.0: CurrentPosition 35, PositionState 2",
            ]
        )
        #expect(blind.device.nextDeadline == nil)
    }

    @Test func itMovesDownLikeUp() {
        var blind = Self.blind(.init(step: 25), at: 100)
        #expect(blind.write(.targetPosition, 40).changes.reported == "PositionState 0")
        #expect(blind.reading("position", in: .milliseconds(2_500)) == 87.5)
        #expect(
            blind.live(for: .seconds(60)) == [
                "5.0: CurrentPosition 75", "10.0: CurrentPosition 50", "12.0: CurrentPosition 40, PositionState 2",
            ]
        )
    }

    @Test func pollingOnceReportsWhatPollingOftenDoes() {
        var often = Self.blind()
        var once = Self.blind()
        _ = often.write(.targetPosition, 77)
        _ = once.write(.targetPosition, 77)
        for _ in 0..<1_234 { _ = often.advance(by: .milliseconds(7)) }
        _ = once.advance(by: .milliseconds(7 * 1_234))
        #expect(often.values == once.values)
        #expect(often.reading("position") == once.reading("position"))
        #expect(often.device.nextDeadline == once.device.nextDeadline)
    }

    @Test func aNewTargetDuringMovementIsReachedFromTheCurrentPosition() {
        var blind = Self.blind()
        _ = blind.write(.targetPosition, 100)
        _ = blind.advance(by: .seconds(5))
        #expect(blind.values[.currentPosition] == 20)
        #expect(blind.write(.targetPosition, 0).changes.reported == "PositionState 0")
        #expect(blind.live(for: .seconds(60)).last == "10.0: CurrentPosition 0, PositionState 2")
    }

    @Test(arguments: [true, false])
    func stoppingSetsTheTargetToTheCurrentPosition(byWrite: Bool) {
        var blind = Self.blind(more: Self.slats)
        _ = blind.write([BehaviorChange(.targetPosition, 100), BehaviorChange(.targetHorizontalTiltAngle, 90)])
        _ = blind.advance(by: .milliseconds(1_100))
        let changes = byWrite ? blind.write(.holdPosition, true).changes : blind.perform(.stop)
        #expect(
            changes?.reported == "TargetPosition 6, CurrentPosition 6, TargetHorizontalTiltAngle 66, "
                + "CurrentHorizontalTiltAngle 66, PositionState 2"
        )
        #expect(blind.device.nextDeadline == nil)
        #expect(blind.write(.holdPosition, false) == BehaviorResponse())
    }

    @Test func anObstructionStopsItAndResetsItsTarget() {
        var blind = Self.blind(more: [.obstructionDetected: false])
        _ = blind.write(.targetPosition, 100)
        _ = blind.advance(by: .seconds(10))
        #expect(blind.perform(.obstruct)?.reported == "ObstructionDetected true, TargetPosition 50, PositionState 2")
        #expect(blind.write(.targetPosition, 0).changes.reported == "TargetPosition 50")
        #expect(blind.live(for: .seconds(60)) == [])
        #expect(blind.perform(.clearObstruction)?.reported == "ObstructionDetected false")
        #expect(blind.write(.targetPosition, 0).changes.reported == "PositionState 0")
    }

    @Test func aDoorWithoutTheSensorStopsSilently() {
        var door = Self.blind()
        _ = door.write(.targetPosition, 100)
        _ = door.advance(by: .seconds(10))
        #expect(door.perform(.obstruct)?.reported == "TargetPosition 50, PositionState 2")
        #expect(door.perform(.clearObstruction) == [])
    }

    @Test func slatsAreAtTheirTargetAfterARestart() {
        var blind = BehaviorOwner(
            PositionActuator(),
            keeping: [
                .targetPosition: 50, .currentPosition: 50, .positionState: 2, .targetHorizontalTiltAngle: 30,
                .currentHorizontalTiltAngle: -90, .targetVerticalTiltAngle: 0, .currentVerticalTiltAngle: 0,
            ]
        )
        #expect(blind.start().reported == "CurrentHorizontalTiltAngle 30")
        #expect(blind.reading("horizontalTilt") == 30)
    }

    @Test func slatsTiltIndependentlyOfThePosition() {
        var blind = Self.blind(more: Self.slats)
        #expect(blind.write(.targetVerticalTiltAngle, 0) == BehaviorResponse())
        #expect(blind.reading("verticalTilt", in: .milliseconds(750)) == -45)
        #expect(
            blind.live(for: .seconds(9)) == [
                "0.5: CurrentVerticalTiltAngle -60", "1.0: CurrentVerticalTiltAngle -30",
                "1.5: CurrentVerticalTiltAngle 0",
            ]
        )
        #expect(blind.reading("horizontalTilt") == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(Int64.min)])
    func withoutTravelTimeItArrivesAtOnce(travel: Duration) {
        var blind = Self.blind(.init(travel: travel, tiltTravel: travel), more: Self.slats)
        #expect(blind.write(.targetPosition, 70).changes.reported == "CurrentPosition 70")
        #expect(blind.write(.targetHorizontalTiltAngle, -30).changes.reported == "CurrentHorizontalTiltAngle -30")
        #expect(blind.device.nextDeadline == nil)
    }

    @Test(
        arguments: [
            // stored current, target, state and obstruction, changes at the start
            (20, 80, 1, nil, "CurrentPosition 80, PositionState 2"), (20, 20, 2, false, ""),
            (nil, 40, nil, nil, "CurrentPosition 40, PositionState 2"),
            (30, nil, 2, nil, "TargetPosition 30"),
            (nil, nil, nil, nil, "TargetPosition 0, CurrentPosition 0, PositionState 2"),
            (30, 90, 2, true, "TargetPosition 30"),
            (-7, 400, 9, nil, "TargetPosition 100, CurrentPosition 100, PositionState 2"),
        ] as [(Int?, Int?, Int?, Bool?, String)]
    )
    func itStartsAtRest(current: Int?, target: Int?, state: Int?, obstructed: Bool?, reported: String) {
        var values: [CharacteristicType: CharacteristicValue] = [:]
        values[.currentPosition] = current.map { .integer($0) }
        values[.targetPosition] = target.map { .integer($0) }
        values[.positionState] = state.map { .integer($0) }
        values[.obstructionDetected] = obstructed.map { .bool($0) }
        var blind = BehaviorOwner(PositionActuator(), keeping: values)
        #expect(blind.start().reported == reported)
        #expect(blind.device.nextDeadline == nil)
    }

    @Test(arguments: [CharacteristicValue.number(.real(.nan)), .number(.real(.infinity)), "50", true, .data([])])
    func invalidPositionsAreRefused(value: CharacteristicValue) {
        var blind = Self.blind()
        #expect(blind.write(.targetPosition, value) == BehaviorResponse(refusals: [.targetPosition: .invalidValue]))
        #expect(blind.write(.currentPosition, 1) == BehaviorResponse(refusals: [.currentPosition: .readOnly]))
        #expect(blind.perform(.press(.single)) == nil)
        #expect(blind.device.nextDeadline == nil)
    }
}
