import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// The invariants of every device that is driven by events, for any input.
struct DeviceInvariantTests {
    static let names = [
        "colorLight", "lock", "position", "thermostat", "heaterCooler", "humidifier", "fan", "airPurifier", "filter",
        "outlet",
    ]

    private static let types: [CharacteristicType] = [
        .on, .brightness, .hue, .saturation, .colorTemperature, .lockCurrentState, .lockTargetState,
        .lockLastKnownAction, .currentPosition, .targetPosition, .positionState, .holdPosition, .obstructionDetected,
        .currentHorizontalTiltAngle, .targetHorizontalTiltAngle, .targetVerticalTiltAngle, .active,
        .currentHeatingCoolingState, .targetHeatingCoolingState, .currentTemperature, .targetTemperature,
        .heatingThresholdTemperature, .coolingThresholdTemperature, .targetRelativeHumidity, .currentRelativeHumidity,
        .targetHeaterCoolerState, .currentHeaterCoolerState, .targetHumidifierDehumidifierState, .waterLevel,
        .relativeHumidityHumidifierThreshold, .relativeHumidityDehumidifierThreshold, .rotationSpeed,
        .targetFanState, .currentFanState, .targetAirPurifierState, .currentAirPurifierState, .filterLifeLevel,
        .filterChangeIndication, .resetFilterIndication, .outletInUse,
    ]

    private static let values: [CharacteristicValue] = [
        true, false, 0, 1, 2, 3, 20, 50, 100, .integer(Int64.min), .integer(UInt64.max), .number(.real(.nan)),
        .number(.real(.infinity)), .number(.real(-1e308)), .number(.real(1e308)), 0.1, 33.3, "", "1", .data([]),
    ]

    private static func changes(_ generator: inout SeededRandom) -> [BehaviorChange] {
        var changes: [CharacteristicType: CharacteristicValue] = [:]
        for _ in 0..<generator.next() % 12 {
            guard let type = types.randomElement(using: &generator),
                let value = values.randomElement(using: &generator)
            else { continue }
            changes[type] = value
        }
        return types.compactMap { type in changes[type].map { BehaviorChange(type, $0) } }
    }

    private static func instant(_ generator: inout SeededRandom) -> MonotonicInstant {
        let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let edge = edges.randomElement(using: &generator) ?? 0
        return MonotonicInstant(
            nanoseconds: Bool.random(using: &generator) ? edge : Int64(bitPattern: generator.next())
        )
    }

    private static func device(_ name: String, seed: UInt64) throws -> any Behavior {
        try #require(SimulationCatalog.model(named: name)?.model().behavior(seed: seed))
    }

    @Test(arguments: names)
    func noValueAndNoOrderOfInstantsTraps(name: String) throws {
        for seed in 0..<8 as Range<UInt64> {
            var generator = SeededRandom(seed: seed)
            var device = try Self.device(name, seed: seed)
            for _ in 0..<24 {
                let now = Self.instant(&generator)
                let changes = Self.changes(&generator)
                switch generator.next() % 5 {
                case 0:
                    _ = device.start(
                        with: Dictionary(uniqueKeysWithValues: changes.map { ($0.type, $0.value) }),
                        at: now
                    )
                case 1: _ = device.write(changes, at: now)
                case 2: _ = device.advance(to: now)
                case 3: _ = device.observe(changes, of: ServiceKey(.airPurifier), at: now)
                default:
                    let senses = changes.map { BehaviorCommand.applySensorInput($0) }
                    for command in senses + [.stop, .obstruct, .clearObstruction, .press(.long)] {
                        _ = device.perform(command, at: now)
                    }
                }
                let readings = device.readings(at: now)
                #expect(readings.allSatisfy { $0.number?.isFinite == true })
            }
        }
    }

    /// Returns what an owner receives during two weeks of writes, call by call, and its final state.
    private static func run<Device: Behavior>(
        _ device: Device,
        seed: UInt64,
        looksOften: Bool
    ) -> (reported: [String], values: [CharacteristicType: CharacteristicValue]) {
        var generator = SeededRandom(seed: seed)
        let stored: [CharacteristicType: CharacteristicValue] = [
            .active: 1, .on: true, .rotationSpeed: 50, .brightness: 50, .hue: 10, .saturation: 10, .waterLevel: 90,
            .heatingThresholdTemperature: 19, .coolingThresholdTemperature: 24, .currentFanState: 0,
            .filterLifeLevel: 70, .colorTemperature: 200, .currentHorizontalTiltAngle: 0,
            .targetHorizontalTiltAngle: 0, .currentRelativeHumidity: 30, .targetRelativeHumidity: 30,
            .relativeHumidityHumidifierThreshold: 40, .relativeHumidityDehumidifierThreshold: 60,
        ]
        var owner = BehaviorOwner(device, keeping: stored)
        var reported = [owner.start().reported]
        let numbers: [CharacteristicValue] = [0, 1, 18, 23, 42, 77, 100]
        for _ in 0..<60 {
            let pause = Duration.milliseconds(Int64(generator.next() % 40_000_000))
            if looksOften {
                for _ in 0..<50 { _ = owner.advance(by: pause / 50) }
            } else {
                _ = owner.advance(by: (pause / 50) * 50)
            }
            let isUsual = generator.next() % 8 != 0
            guard let type = types.randomElement(using: &generator),
                let value = numbers.randomElement(using: &generator)
            else { continue }
            let response =
                isUsual
                ? owner.write(type, value)
                : BehaviorResponse(changes: owner.perform(.applySensorInput(BehaviorChange(type, value))) ?? [])
            reported.append(response.changes.reported)
        }
        return (reported, owner.values)
    }

    @Test(arguments: names)
    func theSameCallsGiveTheSameResultsHoweverOftenPolled(name: String) throws {
        for seed in 1..<5 as Range<UInt64> {
            let device = try Self.device(name, seed: seed)
            let once = Self.run(device, seed: seed, looksOften: false)
            let again = Self.run(device, seed: seed, looksOften: false)
            let often = Self.run(device, seed: seed, looksOften: true)
            #expect(once.reported == again.reported)
            #expect(once.reported == often.reported)
            #expect(once.values == often.values)
        }
    }

    @Test(arguments: names)
    func aJumpOverCenturiesFinishesQuickly(name: String) throws {
        var device = try Self.device(name, seed: 1)
        let stored: [CharacteristicType: CharacteristicValue] = [
            .active: 1, .targetFanState: 1, .targetAirPurifierState: 1, .targetHeatingCoolingState: 1,
            .targetTemperature: 21, .currentTemperature: 21,
        ]
        _ = device.start(with: stored, at: .zero)
        let end = MonotonicInstant(nanoseconds: Int64.max / 2)
        _ = device.advance(to: end)
        #expect(device.nextDeadline.map { $0 > end } ?? true)
    }
}
