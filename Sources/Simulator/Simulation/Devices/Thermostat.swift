package import AccessoryModel
package import HAPCore

/// A thermostat in a room that responds to its heating, its cooling and the outside.
///
/// * Heating starts when the room is colder than Target Temperature by the hysteresis, and ends when the target is
///   reached. Cooling works likewise. After a controller writes a mode or a temperature, the device starts at once,
///   even for a small difference.
/// * In automatic mode it heats below Heating Threshold Temperature and cools above Cooling Threshold Temperature. If
///   the service lacks one of them, Target Temperature replaces it.
/// * Current Heating Cooling State is the action of the device; Current Temperature is the temperature of the room, in
///   steps of the resolution.
/// * Current Relative Humidity, if there is a target for it, follows the target by 1 % a minute.
/// * ``BehaviorCommand/applySensorInput(_:)`` for Current Temperature or Current Relative Humidity changes the value in
///   the room at once; the simulation continues from there.
///
/// At startup the room has its saved state. The outside temperature is at its mean, and reaches its maximum six hours
/// later.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// In contrast, Apple's HomeKit Accessory Simulator copies the target values at once.
package struct Thermostat: ClimateBehavior {
    package static let rules: WriteRules = [
        .targetHeatingCoolingState: .integer(0...3), .currentHeatingCoolingState: .readOnly,
        .targetTemperature: .number, .currentTemperature: .readOnly, .heatingThresholdTemperature: .number,
        .coolingThresholdTemperature: .number, .targetRelativeHumidity: .number, .currentRelativeHumidity: .readOnly,
    ]
    package static let required: [CharacteristicType] = [
        .targetHeatingCoolingState, .currentHeatingCoolingState, .targetTemperature, .currentTemperature,
    ]

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .currentHeatingCoolingState: [.targetHeatingCoolingState, .currentTemperature]
    ]

    package var values = ServiceValues(Self.required)
    private let environment: RoomClimate.Environment
    package var room: RoomClimate
    private var humidity: SteppedTravel?

    /// Creates a thermostat that is off, in a room at 20 °C.
    init(_ configuration: ClimateConfiguration = ClimateConfiguration()) {
        environment = configuration.environment
        room = RoomClimate(environment, at: 20, from: .zero)
    }

    package mutating func restore(at now: MonotonicInstant) {
        let action: RoomClimate.Action =
            switch values.integer(.currentHeatingCoolingState) {
            case 1: .raising
            case 2: .lowering
            default: .idle
            }
        room = RoomClimate(environment, at: values.number(.currentTemperature) ?? 20, doing: action, from: now)
        if !(values.integer(.targetHeatingCoolingState).map { 0...3 ~= $0 } ?? false) {
            values.set(.targetHeatingCoolingState, 0)
        }
        if values.number(.targetTemperature) == nil {
            values.set(.targetTemperature, 20)
        }
        humidity = nil
        driveHumidity(at: now)
        room.setBand(band, isNewRequest: false, now: now)
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(room.nextEvent, humidity?.nextChange)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        if let event = room.nextEvent, event <= due {
            room.handleEvent(at: due)
        }
        if var travel = humidity, travel.nextChange <= due {
            let hasEnded = travel.settle(at: due)
            values.set(.currentRelativeHumidity, .roundedNumber(travel.reportedValue.rounded()))
            humidity = hasEnded ? nil : travel
        }
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        let goals: [CharacteristicType] = [
            .targetHeatingCoolingState, .targetTemperature, .heatingThresholdTemperature, .coolingThresholdTemperature,
        ]
        if writes.contains(where: { goals.contains($0.type) }) {
            room.setBand(band, isNewRequest: true, now: now)
        }
        if writes.contains(where: { $0.type == .targetRelativeHumidity }) {
            driveHumidity(at: now)
        }
    }

    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .currentRelativeHumidity else { return setRoomTemperature(found, at: now) }
        guard let reported = found.value.finiteDouble else { return false }
        humidity = nil
        values.set(.currentRelativeHumidity, .roundedNumber(reported.clamped(to: 0...100)))
        driveHumidity(at: now)
        return true
    }

    private var band: RoomClimate.Band {
        let target = values.number(.targetTemperature)
        return switch values.integer(.targetHeatingCoolingState) {
        case 1: RoomClimate.Band(low: target)
        case 2: RoomClimate.Band(high: target)
        case 3:
            RoomClimate.Band(
                low: values.number(.heatingThresholdTemperature) ?? target,
                high: values.number(.coolingThresholdTemperature) ?? target
            )
        default: RoomClimate.Band()
        }
    }

    private mutating func driveHumidity(at now: MonotonicInstant) {
        guard let target = values.number(.targetRelativeHumidity), values.contains(.currentRelativeHumidity) else {
            return
        }
        let goal = target.clamped(to: 0...100)
        let current = humidity?.value(at: now) ?? values.number(.currentRelativeHumidity)?.clamped(to: 0...100)
        guard let current else {
            values.set(.currentRelativeHumidity, .roundedNumber(goal))
            return
        }
        guard current != goal else {
            humidity = nil
            return
        }
        humidity = SteppedTravel(from: current, to: goal, at: now, rate: (1, .seconds(60)), step: 1)
    }

    package mutating func updateValues() {
        let state =
            switch room.action {
            case .idle: 0
            case .raising: 1
            case .lowering: 2
            }
        values.set(.currentHeatingCoolingState, integer: state)
        values.set(.currentTemperature, .roundedNumber(room.reportedValue))
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "thermostat",
        "A thermostat in a room that responds to heating, cooling and the outside.",
        services: [.thermostat],
        defaults: ClimateConfiguration(),
        parameters: ClimateConfiguration.parameters
    ) { configuration, _ in Thermostat(configuration) }
}
