import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct BatteryTests {
    private static func battery(level: Int = 100, charging: Int = 0, low: Int = 0) -> BehaviorOwner<Battery> {
        var owner = BehaviorOwner(
            Battery(.init(dischargeDuration: .seconds(1_000), chargeDuration: .seconds(100), lowThreshold: 20)),
            keeping: [
                .batteryLevel: .integer(level), .chargingState: .integer(charging), .statusLowBattery: .integer(low),
            ]
        )
        #expect(owner.start() == [])
        return owner
    }

    @Test func itRunsDownInStepsOfOnePercent() {
        var battery = Self.battery(level: 50)
        var levels: [Int] = []
        while let deadline = battery.device.nextDeadline, levels.count < 100 {
            levels += battery.advance(by: battery.now.duration(to: deadline))
                .compactMap {
                    $0.type == .batteryLevel ? $0.value.integer : nil
                }
        }
        #expect(levels == (0..<50).reversed())
        #expect(battery.values[.statusLowBattery] == 1)
        #expect(495...500 ~= Double(battery.now.nanoseconds) / 1e9)
        #expect(battery.advance(by: .seconds(1_000)) == [])
    }

    @Test func itIsLowFromTheLevelOn() {
        var battery = Self.battery(level: 22)
        #expect(battery.advance(by: .seconds(10)) == [BehaviorChange(.batteryLevel, 21)])
        #expect(
            battery.advance(by: .seconds(10))
                == [BehaviorChange(.batteryLevel, 20), BehaviorChange(.statusLowBattery, 1)]
        )
    }

    @Test func itChargesOnCommandAndDischargesAfterwards() {
        var battery = Self.battery(level: 10, low: 1)
        #expect(
            battery.perform(.applySensorInput(BehaviorChange(.chargingState, 1))) == [BehaviorChange(.chargingState, 1)]
        )
        #expect(
            battery.advance(by: .seconds(20))
                == [BehaviorChange(.batteryLevel, 30), BehaviorChange(.statusLowBattery, 0)]
        )
        _ = battery.advance(by: .seconds(80))
        #expect(battery.values[.batteryLevel] == 100)
        #expect(battery.device.nextDeadline == nil)
        _ = battery.perform(.applySensorInput(BehaviorChange(.chargingState, 0)))
        _ = battery.advance(by: .seconds(100))
        #expect(battery.values[.batteryLevel] == 90)
    }

    @Test func aSensedLevelIsSet() {
        var battery = Self.battery()
        _ = battery.perform(.applySensorInput(BehaviorChange(.batteryLevel, 5)))
        #expect(battery.values == [.batteryLevel: 5, .chargingState: 0, .statusLowBattery: 1])
        _ = battery.perform(.applySensorInput(BehaviorChange(.statusLowBattery, 0)))
        #expect(battery.values == [.batteryLevel: 21, .chargingState: 0, .statusLowBattery: 0])
        _ = battery.perform(.applySensorInput(BehaviorChange(.statusLowBattery, true)))
        #expect(battery.values == [.batteryLevel: 20, .chargingState: 0, .statusLowBattery: 1])
    }

    @Test(arguments: [(-5.0, 0), (1e300, 100), (33.4, 33)])
    func anOutOfRangeLevelIsClamped(stored: Double, level: Int) {
        var owner = BehaviorOwner(Battery(), keeping: [.batteryLevel: .number(.real(stored))])
        _ = owner.start()
        #expect(owner.values[.batteryLevel] == .integer(level))
    }

    @Test(arguments: [
        BehaviorCommand.stop, .applySensorInput(BehaviorChange(.chargingState, 3)),
        .applySensorInput(BehaviorChange(.batteryLevel, "full")),
        .applySensorInput(BehaviorChange(.name, "full")),
    ])
    func otherCommandsAreRefused(command: BehaviorCommand) {
        var battery = Self.battery()
        #expect(battery.perform(command) == nil)
    }

    @Test func controllersCannotWriteIt() {
        var battery = Self.battery()
        #expect(battery.write(.batteryLevel, 5).refusals == [.batteryLevel: .readOnly])
        #expect(battery.values[.batteryLevel] == 100)
    }
}
