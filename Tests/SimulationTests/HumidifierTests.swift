import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct HumidifierTests {
    private static func device(
        _ configuration: Humidifier.Configuration = .init(),
        active: Int = 1,
        mode: Int = 0,
        room: CharacteristicValue = 45,
        more: [CharacteristicType: CharacteristicValue] = [
            .relativeHumidityHumidifierThreshold: 50, .relativeHumidityDehumidifierThreshold: 60,
        ]
    ) -> BehaviorOwner<Humidifier> {
        var owner = BehaviorOwner(
            Humidifier(configuration),
            keeping: [
                .active: .integer(active), .targetHumidifierDehumidifierState: .integer(mode),
                .currentHumidifierDehumidifierState: 0, .currentRelativeHumidity: room,
            ]
            .merging(more) { $1 }
        )
        _ = owner.start()
        return owner
    }

    @Test(arguments: [
        // mode, room, state
        (0, 30, 2), (0, 55, 1), (0, 80, 3), (1, 30, 2), (1, 80, 1), (2, 30, 1), (2, 80, 3),
    ])
    func itActsByItsMode(mode: Int, room: Int, state: Int) {
        var device = Self.device(active: 0, mode: mode, room: .integer(room))
        #expect(device.values[.currentHumidifierDehumidifierState] == 0)
        #expect(device.write(.active, 1).changes.reported == "CurrentHumidifierDehumidifierState \(state)")
    }

    @Test func humidityApproachesTheThresholdInPercentSteps() {
        var device = Self.device()
        #expect(device.values[.currentHumidifierDehumidifierState] == 2)
        let reported = device.live(for: .seconds(1_800))
        let values = reported.map { $0.split(separator: ": ").dropFirst().joined() }
        #expect(
            values == [
                "CurrentRelativeHumidity 46", "CurrentRelativeHumidity 47", "CurrentRelativeHumidity 48",
                "CurrentRelativeHumidity 49", "CurrentHumidifierDehumidifierState 1, CurrentRelativeHumidity 50",
            ]
        )
    }

    @Test func anEmptyTankStopsItUntilItIsFilled() {
        var device = Self.device(
            .init(outside: 20, humidifyingRate: 1, tankDuration: .seconds(3_600)),
            mode: 1,
            room: 20,
            more: [.relativeHumidityHumidifierThreshold: 70, .waterLevel: 12]
        )
        let reported = device.live(for: .seconds(3_600)).filter { $0.contains("WaterLevel") }
        #expect(
            reported == [
                "72.0: WaterLevel 10", "252.0: WaterLevel 5",
                "432.0: WaterLevel 0, CurrentHumidifierDehumidifierState 1",
            ]
        )
        let filled = device.perform(.applySensorInput(BehaviorChange(.waterLevel, 100)))?.reported
        #expect(filled == "WaterLevel 100, CurrentHumidifierDehumidifierState 2")
        #expect(device.reading("water", in: .seconds(1_800)) == 50)
    }

    @Test func aDeviceWithoutATankReportsNoWater() {
        var device = Self.device()
        #expect(!device.live(for: .seconds(86_400)).contains { $0.contains("WaterLevel") })
        #expect(device.perform(.applySensorInput(BehaviorChange(.waterLevel, 1))) == nil)
        #expect(device.perform(.press(.single)) == nil)
    }

    @Test func aSensedHumidityIsApplied() {
        var device = Self.device(room: 55)
        let reported = device.perform(.applySensorInput(BehaviorChange(.currentRelativeHumidity, 90)))?.reported
        #expect(reported == "CurrentHumidifierDehumidifierState 3, CurrentRelativeHumidity 90")
    }

    @Test func itStartsConsistentAndRefusesUnsupportedWrites() {
        var device = BehaviorOwner(Humidifier())
        #expect(
            device.start().reported == "Active 0, TargetHumidifierDehumidifierState 0, "
                + "CurrentHumidifierDehumidifierState 0, CurrentRelativeHumidity 45"
        )
        for (type, status) in [(CharacteristicType.active, HAPStatus.invalidValue), (.waterLevel, .readOnly)] {
            #expect(device.write(type, 7) == BehaviorResponse(refusals: [type: status]))
        }
    }
}
