package import AccessoryModel
package import HAPCore

/// A thermostat in a room that follows its heating, its cooling and the outside.
///
/// * Heating begins when the room is colder than Target Temperature by the hysteresis, and ends when it is reached;
///   cooling likewise. Whoever writes a mode or a temperature sees it begin at once, however little is missing.
/// * In automatic it heats below Heating Threshold Temperature and cools above Cooling Threshold Temperature; where the
///   service lacks one, Target Temperature takes its place.
/// * Current Heating Cooling State is what it does, Current Temperature the room, in steps of the resolution.
/// * Current Relative Humidity, where there is a target for it, follows that by 1 % a minute.
/// * ``BehaviorCommand/sense(_:)`` of Current Temperature or Current Relative Humidity: the room is so at once, and goes
///   on from there.
///
/// At the start the room is as it was left; the outside is at its mean, and warmest six hours later.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: `format.md`, where what Apple's simulator copies at once takes its time here
package struct Thermostat: HeatedRoom {
    package static let rules: WriteRules = [
        .targetHeatingCoolingState: .choice(0...3), .currentHeatingCoolingState: .measured,
        .targetTemperature: .number, .currentTemperature: .measured, .heatingThresholdTemperature: .number,
        .coolingThresholdTemperature: .number, .targetRelativeHumidity: .number, .currentRelativeHumidity: .measured,
    ]
    package static let required: [CharacteristicType] = [
        .targetHeatingCoolingState, .currentHeatingCoolingState, .targetTemperature, .currentTemperature,
    ]

    package var values = ServiceValues(Self.required)
    private let surroundings: RoomClimate.Surroundings
    package var room: RoomClimate
    private var humidity: SteppedTravel?

    /// Creates a thermostat that is off, in a room of 20 °C.
    init(_ configuration: ClimateConfiguration = ClimateConfiguration()) {
        surroundings = configuration.surroundings
        room = RoomClimate(surroundings, at: 20, from: .zero)
    }

    package mutating func restore(at now: MonotonicInstant) {
        let action: RoomClimate.Action =
            switch values.choice(.currentHeatingCoolingState) {
            case 1: .raising
            case 2: .lowering
            default: .idle
            }
        room = RoomClimate(surroundings, at: values.number(.currentTemperature) ?? 20, doing: action, from: now)
        if !(values.choice(.targetHeatingCoolingState).map { 0...3 ~= $0 } ?? false) {
            values.set(.targetHeatingCoolingState, 0)
        }
        if values.number(.targetTemperature) == nil {
            values.set(.targetTemperature, 20)
        }
        humidity = nil
        driveHumidity(at: now)
        room.aim(at: band, isFresh: false, now: now)
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(room.nextEvent, humidity?.next)
    }

    package mutating func happen(at due: MonotonicInstant) {
        if let event = room.nextEvent, event <= due {
            room.happen(at: due)
        }
        if var travel = humidity, travel.next <= due {
            let hasEnded = travel.settle(at: due)
            values.set(.currentRelativeHumidity, .measured(travel.shown.rounded()))
            humidity = hasEnded ? nil : travel
        }
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        let goals: [CharacteristicType] = [
            .targetHeatingCoolingState, .targetTemperature, .heatingThresholdTemperature, .coolingThresholdTemperature,
        ]
        if writes.contains(where: { goals.contains($0.type) }) {
            room.aim(at: band, isFresh: true, now: now)
        }
        if writes.contains(where: { $0.type == .targetRelativeHumidity }) {
            driveHumidity(at: now)
        }
    }

    package mutating func sense(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .currentRelativeHumidity else { return senseTemperature(found, at: now) }
        guard let told = found.value.finiteDouble else { return false }
        humidity = nil
        values.set(.currentRelativeHumidity, .measured(told.within(0...100)))
        driveHumidity(at: now)
        return true
    }

    private var band: RoomClimate.Band {
        let target = values.number(.targetTemperature)
        return switch values.choice(.targetHeatingCoolingState) {
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
        let goal = target.within(0...100)
        let current = humidity?.value(at: now) ?? values.number(.currentRelativeHumidity)?.within(0...100)
        guard let current else {
            values.set(.currentRelativeHumidity, .measured(goal))
            return
        }
        guard current != goal else {
            humidity = nil
            return
        }
        humidity = SteppedTravel(from: current, to: goal, at: now, way: (1, .seconds(60)), step: 1)
    }

    package mutating func tell() {
        let state =
            switch room.action {
            case .idle: 0
            case .raising: 1
            case .lowering: 2
            }
        values.set(.currentHeatingCoolingState, choice: state)
        values.set(.currentTemperature, .measured(room.shown))
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "thermostat",
        "A thermostat, with a room that follows its heating, its cooling and the outside.",
        services: [.thermostat],
        needs: [.targetHeatingCoolingState, .currentHeatingCoolingState, .targetTemperature, .currentTemperature],
        standard: ClimateConfiguration(),
        parameters: ClimateConfiguration.parameters
    ) { configuration, _ in Thermostat(configuration) }
}
