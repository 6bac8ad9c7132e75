package import AccessoryModel
package import HAPCore

/// A heater, an air conditioner or both, in a room that follows it and the outside.
///
/// * While Active is 1 it heats below Heating Threshold Temperature and cools above Cooling Threshold Temperature, as far
///   as Target Heater Cooler State wants both (0), heat (1) or cool (2). What the service has no threshold for it cannot do;
///   one without either heats below 20 °C and cools above 25 °C.
/// * Current Heater Cooler State is 0 inactive, 1 idle, 2 heating, 3 cooling; Current Temperature is the room, in steps of
///   the resolution.
/// * Heating and cooling begin beyond the hysteresis, and at once for whoever writes.
/// * ``BehaviorCommand/sense(_:)`` of Current Temperature: the room is so at once, and goes on from there.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct HeaterCooler: HeatedRoom {
    package static let rules: WriteRules = [
        .active: .state, .targetHeaterCoolerState: .choice(0...2), .currentHeaterCoolerState: .measured,
        .currentTemperature: .measured, .heatingThresholdTemperature: .number, .coolingThresholdTemperature: .number,
    ]
    package static let required: [CharacteristicType] = [
        .active, .targetHeaterCoolerState, .currentHeaterCoolerState, .currentTemperature,
    ]

    private static let goal = ClimateGoal(
        mode: .targetHeaterCoolerState,
        low: .heatingThresholdTemperature,
        high: .coolingThresholdTemperature,
        usual: 20...25
    )

    package var values = ServiceValues(Self.required)
    private let surroundings: RoomClimate.Surroundings
    package var room: RoomClimate

    /// Creates one that is inactive, in a room of 20 °C.
    init(_ configuration: ClimateConfiguration = ClimateConfiguration()) {
        surroundings = configuration.surroundings
        room = RoomClimate(surroundings, at: 20, from: .zero)
    }

    package mutating func restore(at now: MonotonicInstant) {
        let action = RoomClimate.Action(state: values.choice(.currentHeaterCoolerState))
        room = RoomClimate(surroundings, at: values.number(.currentTemperature) ?? 20, doing: action, from: now)
        Self.goal.fill(&values)
        room.aim(at: Self.goal.band(values), isFresh: false, now: now)
    }

    package var nextEvent: MonotonicInstant? { room.nextEvent }

    package mutating func happen(at due: MonotonicInstant) {
        room.happen(at: due)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard writes.contains(where: { Self.goal.types.contains($0.type) }) else { return }
        room.aim(at: Self.goal.band(values), isFresh: true, now: now)
    }

    package mutating func tell() {
        let isActive = values.state(.active) == true
        values.set(.currentHeaterCoolerState, choice: room.action.state(isActive: isActive))
        values.set(.currentTemperature, .measured(room.shown))
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "heaterCooler",
        "A heater or an air conditioner, with a room that follows it and the outside.",
        services: [.heaterCooler],
        needs: [.active, .currentTemperature, .currentHeaterCoolerState, .targetHeaterCoolerState],
        standard: ClimateConfiguration(),
        parameters: ClimateConfiguration.parameters
    ) { configuration, _ in HeaterCooler(configuration) }
}
