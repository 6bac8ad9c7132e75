import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// Devices that are moved by hand: their states agree afterwards, and the next write of a controller acts.
struct HandInputTests {
    private typealias Values = [CharacteristicType: CharacteristicValue]

    /// A device of the catalog with all characteristics of its service type.
    struct Sample: Sendable, CustomTestStringConvertible {
        let model: String
        let service: ServiceType
        var testDescription: String { "\(model) as \(service)" }
    }

    static let samples = SimulationCatalog.models.flatMap { model in
        model.services.map { Sample(model: model.name, service: $0) }
    }

    /// A time after which every device has come to rest, and every delay of a security system has passed.
    private static let longEnough = Duration.seconds(3_600)

    @Test(arguments: samples)
    func statesAgreeAfterAnyInputByHand(sample: Sample) throws {
        let types = try Self.types(of: sample)
        var generator = SeededRandom(seed: 42)
        for seed in 0..<4 as Range<UInt64> {
            var owner = try Self.owner(of: sample, types, seed: seed)
            for step in 0..<250 {
                guard let type = types.randomElement(using: &generator),
                    let value = Self.value(of: type, using: &generator)
                else { continue }
                let (before, deadline) = (owner.values, owner.device.nextDeadline)
                let changes = owner.perform(.applySensorInput(BehaviorChange(type, value)))
                if changes == nil {
                    #expect(owner.values == before, "\(type) = \(value) was refused and changed something")
                    #expect(owner.device.nextDeadline == deadline, "\(type) = \(value) was refused and began something")
                }
                _ = owner.advance(by: Self.longEnough)
                if let reason = Self.disagreement(of: sample.model, owner.values) {
                    Issue.record("step \(step): \(reason) after \(type) = \(value), \(owner.values)")
                    return
                }
                if step % 5 == 0, let reason = Self.failedWrite(to: &owner, of: sample.model, using: &generator) {
                    Issue.record("step \(step): \(reason) after \(type) = \(value), \(owner.values)")
                    return
                }
            }
        }
    }

    @Test(arguments: samples)
    func firstValuesAreThoseOfADeviceInAHome(sample: Sample) throws {
        let types = try Self.types(of: sample)
        let owner = try Self.owner(of: sample, types, seed: 0, settles: false)
        #expect(Self.disagreement(of: sample.model, owner.values) == nil, "\(owner.values)")
        for type in types {
            guard let value = owner.values[type], let definition = Catalog.characteristic(type) else { continue }
            if definition.metadata.unit == .celsius, let degrees = value.number?.double {
                #expect((10...30).contains(degrees), "\(type) begins at \(degrees) °C")
            }
            if type == .batteryLevel { #expect(value == 100) }
        }
    }

    /// The inputs that left a device with states that contradict each other, each with the values that follow.
    @Test(
        arguments: [
            ("garageDoor", .garageDoorOpener, .currentDoorState, 0, [.targetDoorState: 0, .currentDoorState: 0]),
            ("garageDoor", .garageDoorOpener, .currentDoorState, 4, [.targetDoorState: 1, .currentDoorState: 4]),
            ("garageDoor", .garageDoorOpener, .obstructionDetected, true, [.obstructionDetected: true]),
            ("position", .door, .currentPosition, 40, [.targetPosition: 40, .currentPosition: 40]),
            ("position", .window, .positionState, 1, [.targetPosition: 100, .currentPosition: 100, .positionState: 2]),
            (
                "position", .windowCovering, .currentHorizontalTiltAngle, 30,
                [.targetHorizontalTiltAngle: 30, .currentHorizontalTiltAngle: 30]
            ),
            ("fan", .fanv2, .active, 1, [.active: 1, .currentFanState: 2]),
        ] as [(String, ServiceType, CharacteristicType, CharacteristicValue, [CharacteristicType: CharacteristicValue])]
    )
    func targetFollowsTheHand(
        model: String,
        service: ServiceType,
        type: CharacteristicType,
        value: CharacteristicValue,
        expected: [CharacteristicType: CharacteristicValue]
    ) throws {
        let sample = Sample(model: model, service: service)
        var owner = try Self.owner(of: sample, try Self.types(of: sample), seed: 1)
        let changes = owner.perform(.applySensorInput(BehaviorChange(type, value)))
        #expect(changes != nil)
        _ = owner.advance(by: Self.longEnough)
        for (type, value) in expected {
            #expect(owner.values[type]?.coercedInteger == value.coercedInteger, "\(type)")
        }
    }

    @Test(
        arguments: [
            ("fan", .fanv2, .currentFanState, [.active, .on, .rotationSpeed]),
            ("airPurifier", .airPurifier, .currentAirPurifierState, [.active, .rotationSpeed]),
            (
                "heaterCooler", .heaterCooler, .currentHeaterCoolerState,
                [.active, .targetHeaterCoolerState, .currentTemperature]
            ),
            (
                "thermostat", .thermostat, .currentHeatingCoolingState,
                [.targetHeatingCoolingState, .currentTemperature]
            ),
        ] as [(String, ServiceType, CharacteristicType, [CharacteristicType])]
    )
    func stateThatFollowsFromOthersIsNotSetByHand(
        model: String,
        service: ServiceType,
        type: CharacteristicType,
        controls: [CharacteristicType]
    ) throws {
        let sample = Sample(model: model, service: service)
        var owner = try Self.owner(of: sample, try Self.types(of: sample), seed: 1)
        let changes = owner.perform(.applySensorInput(BehaviorChange(type, 1)))
        #expect(changes == nil)
        #expect(owner.device.controls(of: type) == controls)
    }

    @Test func openingASecuredDoorUnlocksIt() throws {
        let sample = Sample(model: "garageDoor", service: .garageDoorOpener)
        var door = try Self.owner(of: sample, try Self.types(of: sample), seed: 1)
        _ = door.perform(.applySensorInput(BehaviorChange(.lockCurrentState, 1)))
        #expect(door.values[.lockTargetState] == 1 && door.values[.lockCurrentState] == 1)
        _ = door.perform(.applySensorInput(BehaviorChange(.currentDoorState, 0)))
        #expect(door.values[.lockTargetState] == 0 && door.values[.lockCurrentState] == 0)
        // The bolt of an open door cannot be extended.
        let changes = door.perform(.applySensorInput(BehaviorChange(.lockCurrentState, 1)))
        #expect(changes == nil)
    }
}

// MARK: - What must agree

extension HandInputTests {
    /// Returns what contradicts in the values of a device at rest, or `nil`.
    private static func disagreement(of model: String, _ values: Values) -> String? {
        func number(_ type: CharacteristicType) -> Int? { values[type]?.coercedInteger }
        func differ(_ target: CharacteristicType, _ current: CharacteristicType, except others: Set<Int> = [])
            -> String?
        {
            guard let goal = number(target), let state = number(current), goal != state, !others.contains(state) else {
                return nil
            }
            return "\(target) \(goal), \(current) \(state)"
        }
        let isOff = number(.active) == 0 || number(.active) == nil && number(.on) == 0
        switch model {
        case "garageDoor":
            return differ(.targetDoorState, .currentDoorState, except: [4])
                ?? (number(.currentDoorState) == 1 ? differ(.lockTargetState, .lockCurrentState) : nil)
        case "lock": return differ(.lockTargetState, .lockCurrentState, except: [2])
        case "securitySystem": return differ(.securitySystemTargetState, .securitySystemCurrentState, except: [4])
        case "position":
            return differ(.targetPosition, .currentPosition)
                ?? differ(.targetHorizontalTiltAngle, .currentHorizontalTiltAngle)
                ?? differ(.targetVerticalTiltAngle, .currentVerticalTiltAngle)
                ?? (number(.positionState) == 2 ? nil : "it never comes to rest")
        case "fan":
            // The older type of fan has no such state.
            guard let state = number(.currentFanState) else { return nil }
            return isOff == (state == 0) ? nil : "off: \(isOff)"
        case "airPurifier": return isOff == (number(.currentAirPurifierState) == 0) ? nil : "off: \(isOff)"
        case "heaterCooler": return isOff == (number(.currentHeaterCoolerState) == 0) ? nil : "off: \(isOff)"
        case "humidifier": return isOff == (number(.currentHumidifierDehumidifierState) == 0) ? nil : "off: \(isOff)"
        case "thermostat":
            let (mode, state) = (number(.targetHeatingCoolingState), number(.currentHeatingCoolingState))
            return state == 0 || mode == 3 || mode == state ? nil : "mode \(mode as Any), state \(state as Any)"
        case "valve": return number(.active) == number(.inUse) ? nil : "the valve is not what it should be"
        case "television", "smartSpeaker":
            return isOff && model == "television" ? nil : differ(.targetMediaState, .currentMediaState)
        case "inputSource":
            // An unplugged input is hidden, whatever controllers want.
            guard number(.isConfigured) == 0 else { return differ(.targetVisibilityState, .currentVisibilityState) }
            return number(.currentVisibilityState) == 1 ? nil : "an unplugged input is shown"
        default: return nil
        }
    }

    /// The states that a controller requests of each model, each with the state that follows.
    private static let requests: [String: (target: CharacteristicType, current: CharacteristicType, values: [Int])] = [
        "garageDoor": (.targetDoorState, .currentDoorState, [0, 1]),
        "lock": (.lockTargetState, .lockCurrentState, [0, 1]),
        "securitySystem": (.securitySystemTargetState, .securitySystemCurrentState, [0, 1, 2, 3]),
        "position": (.targetPosition, .currentPosition, [0, 35, 100]),
    ]

    /// Writes each state as a controller; returns the first that the device does not reach.
    private static func failedWrite(
        to owner: inout BehaviorOwner<AnyDevice>,
        of model: String,
        using generator: inout SeededRandom
    ) -> String? {
        guard let request = requests[model] else { return nil }
        // An obstruction and a bolt stop a door on purpose.
        _ = owner.perform(.clearObstruction)
        if model == "garageDoor" {
            _ = owner.write(.lockTargetState, 0)
            _ = owner.advance(by: longEnough)
        }
        for value in request.values.shuffled(using: &generator) {
            let response = owner.write(request.target, .integer(value))
            guard response.refusals.isEmpty else { return "a write of \(value) was refused" }
            _ = owner.advance(by: longEnough)
            let state = owner.values[request.current]?.coercedInteger
            guard state == value else { return "a write of \(value) led to \(state as Any)" }
        }
        return nil
    }
}

// MARK: - Devices

extension HandInputTests {
    /// A device of any model.
    struct AnyDevice: Behavior {
        private var device: any EventDrivenBehavior

        init(_ device: any EventDrivenBehavior) { self.device = device }

        mutating func start(
            with values: [CharacteristicType: CharacteristicValue],
            of types: [CharacteristicType],
            at now: MonotonicInstant
        ) -> [BehaviorChange] { device.start(with: values, of: types, at: now) }

        mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
            device.write(writes, at: now)
        }

        var nextDeadline: MonotonicInstant? { device.nextDeadline }

        mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] { device.advance(to: now) }

        mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
            device.perform(command, at: now)
        }

        func controls(of type: CharacteristicType) -> [CharacteristicType]? { device.controls(of: type) }

    }

    private static func types(of sample: Sample) throws -> [CharacteristicType] {
        let definition = try #require(Catalog.service(sample.service))
        return definition.required + definition.optional
    }

    /// Returns an owner of the device with plausible first values.
    ///
    /// - Parameter settles: Whether the device has come to rest.
    private static func owner(
        of sample: Sample,
        _ types: [CharacteristicType],
        seed: UInt64,
        settles: Bool = true
    ) throws -> BehaviorOwner<AnyDevice> {
        let behavior = try #require(SimulationCatalog.model(named: sample.model)?.model().behavior(seed: seed))
        let device = try #require(behavior as? any EventDrivenBehavior)
        var values: Values = [:]
        for type in types {
            guard let definition = Catalog.characteristic(type), definition.permissions.contains(.read) else {
                continue
            }
            values[type] = definition.metadata.firstValue(of: type) ?? Self.least(of: definition)
        }
        var owner = BehaviorOwner(AnyDevice(device), keeping: values)
        _ = owner.start()
        if settles { _ = owner.advance(by: longEnough) }
        return owner
    }

    private static func least(of definition: CharacteristicDefinition) -> CharacteristicValue? {
        guard !definition.type.isButton else { return nil }
        switch definition.metadata.format {
        case .bool: return false
        case .string, .tlv8, .data: return nil
        default: return .number(definition.metadata.minimum ?? 0)
        }
    }

    private static func value(
        of type: CharacteristicType,
        using generator: inout SeededRandom
    ) -> CharacteristicValue? {
        guard let metadata = Catalog.characteristic(type)?.metadata else { return nil }
        switch metadata.format {
        case .bool: return .bool(Bool.random(using: &generator))
        case .string, .tlv8, .data: return nil
        default:
            let (low, high) = (metadata.minimum?.double ?? 0, metadata.maximum?.double ?? 1_000)
            let places = [low, high, 0, 1, 2, 3, 4, 40, low + (high - low) * Double(generator.next() % 100) / 100]
            let place = (places.randomElement(using: &generator) ?? low).rounded()
            return metadata.value(from: CharacteristicValue.number(JSONNumber(place) ?? 0), isStrict: false)
        }
    }
}
