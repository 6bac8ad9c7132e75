package import AccessoryModel
package import HAPCore

/// A heater, an air conditioner or both, in a room that responds to it and to the outside.
///
/// * While Active is 1, it heats below Heating Threshold Temperature and cools above Cooling Threshold Temperature.
///   Target Heater Cooler State permits both (0), only heating (1) or only cooling (2). Without a threshold, the
///   service lacks that function. Without either threshold, it heats below 20 °C and cools above 25 °C.
/// * Current Heater Cooler State is 0 inactive, 1 idle, 2 heating, 3 cooling; Current Temperature is the temperature of
///   the room, in steps of the resolution.
/// * Heating and cooling start when the deviation from the threshold reaches the hysteresis. After a controller's
///   write, they start even for a smaller deviation.
/// * ``BehaviorCommand/applySensorInput(_:)`` for Current Temperature changes the temperature of the room at once; the
///   simulation continues from there.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct HeaterCooler: ClimateBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .targetHeaterCoolerState: .integer(0...2), .currentHeaterCoolerState: .readOnly,
        .currentTemperature: .readOnly, .heatingThresholdTemperature: .number, .coolingThresholdTemperature: .number,
    ]
    package static let required: [CharacteristicType] = [
        .active, .currentTemperature, .currentHeaterCoolerState, .targetHeaterCoolerState,
    ]

    private static let thresholds = ThresholdCharacteristics(
        mode: .targetHeaterCoolerState,
        low: .heatingThresholdTemperature,
        high: .coolingThresholdTemperature,
        defaultRange: 20...25
    )

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .currentHeaterCoolerState: [.active, .targetHeaterCoolerState, .currentTemperature]
    ]

    package var values = ServiceValues(Self.required)
    private let environment: RoomClimate.Environment
    package var room: RoomClimate

    /// Creates an inactive device in a room at 20 °C.
    init(_ configuration: ClimateConfiguration = ClimateConfiguration()) {
        environment = configuration.environment
        room = RoomClimate(environment, at: 20, from: .zero)
    }

    package mutating func restore(at now: MonotonicInstant) {
        let action = RoomClimate.Action(state: values.integer(.currentHeaterCoolerState))
        room = RoomClimate(environment, at: values.number(.currentTemperature) ?? 20, doing: action, from: now)
        Self.thresholds.setDefaults(&values)
        room.setBand(Self.thresholds.band(values), isNewRequest: false, now: now)
    }

    package var nextEvent: MonotonicInstant? { room.nextEvent }

    package mutating func handleEvent(at due: MonotonicInstant) {
        room.handleEvent(at: due)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard writes.contains(where: { Self.thresholds.types.contains($0.type) }) else { return }
        room.setBand(Self.thresholds.band(values), isNewRequest: true, now: now)
    }

    package mutating func updateValues() {
        let isActive = values.bool(.active) == true
        values.set(.currentHeaterCoolerState, integer: room.action.state(isActive: isActive))
        values.set(.currentTemperature, .roundedNumber(room.reportedValue))
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "heaterCooler",
        "A heater or an air conditioner in a room that responds to it and the outside.",
        services: [.heaterCooler],
        defaults: ClimateConfiguration(),
        parameters: ClimateConfiguration.parameters
    ) { configuration, _ in HeaterCooler(configuration) }
}
