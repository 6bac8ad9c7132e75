import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct HeaterCoolerTests {
    private static let both: [CharacteristicType: CharacteristicValue] = [
        .heatingThresholdTemperature: 20, .coolingThresholdTemperature: 24,
    ]

    private static func device(
        active: Int = 1,
        mode: Int,
        room: CharacteristicValue,
        thresholds: [CharacteristicType: CharacteristicValue] = both
    ) -> BehaviorOwner<HeaterCooler> {
        var owner = BehaviorOwner(
            HeaterCooler(.init(outside: 10, dailyAmplitude: 0)),
            keeping: [
                .active: .integer(active), .targetHeaterCoolerState: .integer(mode), .currentHeaterCoolerState: 0,
                .currentTemperature: room,
            ]
            .merging(thresholds) { $1 }
        )
        _ = owner.start()
        return owner
    }

    @Test(arguments: [
        // mode, room, state
        (0, 15, 2), (0, 22, 1), (0, 30, 3), (1, 15, 2), (1, 30, 1), (2, 15, 1), (2, 30, 3),
    ])
    func itHeatsAndCoolsAsItsModeAllows(mode: Int, room: Int, state: Int) {
        var device = Self.device(active: 0, mode: mode, room: .integer(room))
        #expect(device.values[.currentHeaterCoolerState] == 0)
        let changes = device.write(.active, 1).changes
        #expect(changes.reported == "CurrentHeaterCoolerState \(state)")
        #expect(device.write(.active, 0).changes.reported == "CurrentHeaterCoolerState 0")
    }

    @Test(arguments: [
        ([CharacteristicType.heatingThresholdTemperature], 30, 1), ([.heatingThresholdTemperature], 10, 2),
        ([.coolingThresholdTemperature], 10, 1), ([.coolingThresholdTemperature], 30, 3), ([], 10, 2), ([], 30, 3),
    ])
    func withoutAThresholdItCannotHeatOrCool(types: [CharacteristicType], room: Int, state: Int) {
        let thresholds = Self.both.filter { types.contains($0.key) }
        let device = Self.device(mode: 0, room: .integer(room), thresholds: thresholds)
        #expect(device.values[.currentHeaterCoolerState] == .integer(state))
    }

    @Test func theRoomWarmsAndTheHeaterRests() {
        var device = Self.device(mode: 1, room: 19)
        #expect(device.values[.currentHeaterCoolerState] == 2)
        let reported = device.live(for: .seconds(1_200))
        #expect(reported.count == 2)
        #expect(reported.last?.hasSuffix("CurrentHeaterCoolerState 1, CurrentTemperature 20") == true)
        #expect(device.perform(.applySensorInput(BehaviorChange(.currentTemperature, 12)))?.count == 2)
        #expect(device.perform(.stop) == nil)
    }

    @Test func swappedThresholdsDoNotOscillate() {
        let thresholds: [CharacteristicType: CharacteristicValue] = [
            .heatingThresholdTemperature: 25, .coolingThresholdTemperature: 15,
        ]
        var device = Self.device(mode: 0, room: 20, thresholds: thresholds)
        #expect(device.live(for: .seconds(86_400)).count < 300)
        #expect((14...16).contains(device.reading("room") ?? 0))
    }

    @Test(arguments: [
        ([CharacteristicType.coolingThresholdTemperature], 2), ([.heatingThresholdTemperature], 1), ([], 0),
    ])
    func withoutAModeItDoesWhatItCan(types: [CharacteristicType], mode: Int) {
        var device = BehaviorOwner(HeaterCooler(), keeping: Self.both.filter { types.contains($0.key) })
        #expect(
            device.start().reported
                == "Active 0, TargetHeaterCoolerState \(mode), CurrentHeaterCoolerState 0, CurrentTemperature 20"
        )
        let refused = device.write(.targetHeaterCoolerState, 3)
        #expect(refused == BehaviorResponse(refusals: [.targetHeaterCoolerState: .invalidValue]))
    }
}
