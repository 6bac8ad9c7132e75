package import AccessoryModel
package import HAPCore

/// A humidifier, a dehumidifier or both, with a room that responds to it.
///
/// * While Active is 1, it humidifies below its Humidifier Threshold and dehumidifies above its Dehumidifier Threshold.
///   Target Humidifier Dehumidifier State permits both (0), only humidifying (1) or only dehumidifying (2). A service
///   with one threshold has only that function. A service with neither humidifies below 40 % and dehumidifies above
///   60 %.
/// * Current Humidifier Dehumidifier State is 0 inactive, 1 idle, 2 humidifying, 3 dehumidifying; Current Relative
///   Humidity is the humidity of the room, in steps of 1 %.
/// * Water Level, if the service has it, falls while the device humidifies, and is reported in steps of 5 %. At 0 the
///   device does not humidify until ``BehaviorCommand/applySensorInput(_:)`` for Water Level fills the tank.
/// * Sensor input for Current Relative Humidity changes the humidity of the room at once; the simulation continues from
///   there.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Humidifier: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .targetHumidifierDehumidifierState: .integer(0...2),
        .currentHumidifierDehumidifierState: .readOnly, .currentRelativeHumidity: .readOnly, .waterLevel: .readOnly,
        .relativeHumidityHumidifierThreshold: .number, .relativeHumidityDehumidifierThreshold: .number,
    ]
    package static let required: [CharacteristicType] = [
        .active, .currentRelativeHumidity, .currentHumidifierDehumidifierState, .targetHumidifierDehumidifierState,
    ]

    private static let thresholds = ThresholdCharacteristics(
        mode: .targetHumidifierDehumidifierState,
        low: .relativeHumidityHumidifierThreshold,
        high: .relativeHumidityDehumidifierThreshold,
        defaultRange: 40...60
    )

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .currentHumidifierDehumidifierState: [
            .active, .targetHumidifierDehumidifierState, .currentRelativeHumidity,
        ]
    ]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var room: RoomClimate
    /// The water in the tank, 0 to 100 %.
    private var water = SteppedMotion.resting(100)

    /// Creates an inactive device with a full tank, in a room at its natural humidity.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        room = RoomClimate(configuration.environment, at: configuration.outside, from: .zero)
    }

    package mutating func restore(at now: MonotonicInstant) {
        let action = RoomClimate.Action(state: values.integer(.currentHumidifierDehumidifierState))
        let humidity = values.number(.currentRelativeHumidity) ?? configuration.outside
        room = RoomClimate(configuration.environment, at: humidity, doing: action, from: now)
        water = .resting((values.number(.waterLevel) ?? 100).clamped(to: 0...100))
        Self.thresholds.setDefaults(&values)
        values.setDefault(.waterLevel, .roundedNumber(water.reportedValue.rounded()))
        update(isNewRequest: false, at: now)
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(room.nextEvent, water.nextEvent)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        if let event = room.nextEvent, event <= due {
            room.handleEvent(at: due)
        }
        if let event = water.nextEvent, event <= due {
            water.settle(at: due)
            values.set(.waterLevel, .roundedNumber(water.reportedValue.rounded()))
        }
        update(isNewRequest: false, at: due)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        if writes.contains(where: { Self.thresholds.types.contains($0.type) }) {
            update(isNewRequest: true, at: now)
        }
    }

    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard let value = found.value.finiteDouble else { return false }
        switch found.type {
        case .currentRelativeHumidity:
            room.jump(to: value, at: now)
        case .waterLevel where values.contains(.waterLevel):
            water = .resting(value.clamped(to: 0...100))
            values.set(.waterLevel, .roundedNumber(water.reportedValue.rounded()))
        default:
            return false
        }
        update(isNewRequest: false, at: now)
        return true
    }

    package mutating func skip(_ duration: Duration) {
        room.skip(duration)
    }

    /// Returns the relative humidity of the room as `room` and the content of the tank as `water`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        let device = advanced(to: now)
        let room = DeviceReading("room", device.room.value(at: now), unit: "%")
        guard values.contains(.waterLevel) else { return [room] }
        return [room, DeviceReading("water", device.water.value(at: now), unit: "%")]
    }

    /// Updates the action of the device, the tank and the values.
    private mutating func update(isNewRequest: Bool, at now: MonotonicInstant) {
        // The device cannot humidify without water.
        let isDry = values.contains(.waterLevel) && water.value(at: now) <= 0
        room.setBand(Self.thresholds.band(values, canRaise: !isDry), isNewRequest: isNewRequest, now: now)
        let level = water.value(at: now)
        if !values.contains(.waterLevel) || room.action != .raising {
            water = .resting(level)
        } else if case .resting = water, level > 0 {
            water = .moving(
                SteppedTravel(from: level, to: 0, at: now, rate: (100, configuration.tankDuration), step: 5)
            )
        }
        let isActive = values.bool(.active) == true
        values.set(.currentHumidifierDehumidifierState, integer: room.action.state(isActive: isActive))
        values.set(.currentRelativeHumidity, .roundedNumber(room.reportedValue))
    }

    /// The configuration of a humidifier and its room.
    package struct Configuration: Sendable, Hashable {
        /// The relative humidity that the room reaches without the device, in %; 45 by default.
        package var outside: Double = 45
        /// The time in which the room loses 63 % of the difference from ``outside``; 6 h by default.
        package var timeConstant = Duration.seconds(6 * 3_600)
        /// The humidity that humidifying adds per hour, in %; 12 by default.
        package var humidifyingRate: Double = 12
        /// The humidity that dehumidifying removes per hour, in %; 12 by default.
        package var dehumidifyingRate: Double = 12
        /// The deviation from the target at which the device starts again, in %; 3 by default.
        package var hysteresis: Double = 3
        /// The time that a full tank lasts while the device humidifies; 10 h by default.
        package var tankDuration = Duration.seconds(10 * 3_600)

        var environment: RoomClimate.Environment {
            RoomClimate.Environment(
                outside: outside,
                dailyAmplitude: 0,
                timeConstant: timeConstant,
                raisingRate: humidifyingRate,
                loweringRate: dehumidifyingRate,
                hysteresis: hysteresis,
                resolution: 1,
                limits: 0...100
            )
        }
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "humidifier",
        "A humidifier or a dehumidifier with a water tank, in a room that responds to it.",
        services: [.humidifierDehumidifier],
        defaults: Configuration(),
        parameters: [
            .number(
                "outside",
                \.outside,
                0...100,
                "The relative humidity that the room reaches without the device, in %."
            ),
            .duration(
                "timeConstant",
                \.timeConstant,
                within: .seconds(600) ... .seconds(1_000 * 3_600),
                "The time in which the room loses 63 % of its difference from `outside`."
            ),
            .number("humidifying", \.humidifyingRate, 0...100, "The humidity that humidifying adds per hour, in %."),
            .number(
                "dehumidifying",
                \.dehumidifyingRate,
                0...100,
                "The humidity that dehumidifying removes per hour, in %."
            ),
            .number(
                "hysteresis",
                \.hysteresis,
                1...20,
                "The deviation from the target at which the device starts again, in %."
            ),
            .duration(
                "tank",
                \.tankDuration,
                within: .seconds(60) ... .seconds(1_000 * 3_600),
                "How long a full tank lasts while the device humidifies."
            ),
        ]
    ) { configuration, _ in Humidifier(configuration) }
}
