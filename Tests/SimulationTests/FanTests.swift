import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct FanTests {
    private static func fan(_ values: [CharacteristicType: CharacteristicValue]) -> BehaviorOwner<BlowerDevice> {
        var owner = BehaviorOwner(BlowerDevice(.fan), keeping: values)
        _ = owner.start()
        return owner
    }

    private static let modern: [CharacteristicType: CharacteristicValue] = [
        .active: 0, .currentFanState: 0, .targetFanState: 0, .rotationSpeed: 60,
    ]

    @Test func itIsIdleUntilItIsUpToSpeed() {
        var fan = Self.fan(Self.modern)
        #expect(fan.write(.active, 1).changes.reported == "CurrentFanState 1")
        #expect(fan.reading("speed", in: .milliseconds(1_500)) == 30)
        #expect(fan.live(for: .seconds(60)) == ["3.0: CurrentFanState 2"])
        #expect(fan.reading("speed") == 60)
        #expect(fan.write(.active, 0).changes.reported == "CurrentFanState 0")
        #expect(fan.reading("speed", in: .milliseconds(1_500)) == 30)
    }

    @Test func anotherSpeedDoesNotStopIt() {
        var fan = Self.fan(Self.modern.merging([.active: 1, .currentFanState: 2]) { $1 })
        #expect(fan.write(.rotationSpeed, 90) == BehaviorResponse())
        #expect(fan.reading("speed", in: .milliseconds(1_500)) == 75)
        #expect(fan.live(for: .seconds(9)) == [])
        #expect(fan.write(.rotationSpeed, 0).changes.reported == "CurrentFanState 1")
    }

    @Test func automaticModeAlternatesBlowingAndIdling() {
        var fan = Self.fan(Self.modern.merging([.targetFanState: 1]) { $1 })
        _ = fan.write(.active, 1)
        #expect(
            fan.live(for: .seconds(2_500)) == [
                "3.0: CurrentFanState 2", "600.0: CurrentFanState 1", "1803.0: CurrentFanState 2",
                "2400.0: CurrentFanState 1",
            ]
        )
        _ = fan.write(.targetFanState, 0)
        #expect(fan.live(for: .seconds(86_400)) == ["2503.0: CurrentFanState 2"])
    }

    @Test func aJumpOverYearsEndsWhereSteppingDoes() {
        // 17 minutes do not divide a day.
        let configuration = BlowerConfiguration(runDuration: .seconds(420), restDuration: .seconds(600))
        var stepping = BehaviorOwner(
            BlowerDevice(.fan, configuration),
            keeping: Self.modern.merging([.targetFanState: 1]) { $1 }
        )
        _ = stepping.start()
        _ = stepping.write(.active, 1)
        var jumping = stepping
        for _ in 0..<400 { _ = stepping.advance(by: .seconds(86_400)) }
        _ = jumping.advance(by: .seconds(400 * 86_400))
        #expect(jumping.values == stepping.values)
        #expect(jumping.device.nextDeadline == stepping.device.nextDeadline)
    }

    @Test func theOlderFanHasNoState() {
        var fan = Self.fan([.on: false])
        #expect(fan.write(.on, true) == BehaviorResponse())
        #expect(fan.live(for: .seconds(60)) == [])
        #expect(fan.reading("speed") == 100)
    }

    @Test(arguments: [(0, 60, 0), (1, 60, 2), (1, 0, 1)])
    func itStartsInItsStoredState(active: Int, speed: Int, state: Int) {
        let fan = Self.fan(
            [.active: .integer(active), .rotationSpeed: .integer(speed), .currentFanState: 1, .targetFanState: 0]
        )
        #expect(fan.values[.currentFanState] == .integer(state))
        #expect(fan.device.nextDeadline == nil)
    }

    @Test(arguments: [
        (CharacteristicType.active, CharacteristicValue.integer(2), HAPStatus.invalidValue),
        (.rotationSpeed, "fast", .invalidValue), (.currentFanState, 1, .readOnly), (.on, 3, .invalidValue),
    ])
    func whatItCannotFollowIsRefused(type: CharacteristicType, value: CharacteristicValue, status: HAPStatus) {
        var fan = Self.fan(Self.modern)
        #expect(fan.write(type, value) == BehaviorResponse(refusals: [type: status]))
        #expect(fan.perform(.stop) == nil)
    }
}
