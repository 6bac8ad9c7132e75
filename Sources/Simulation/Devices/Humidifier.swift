package import AccessoryModel
package import HAPCore

/// A humidifier, a dehumidifier or both, with a room that follows it.
///
/// * While Active is 1 it humidifies below its Humidifier Threshold and dehumidifies above its Dehumidifier Threshold, as
///   far as Target Humidifier Dehumidifier State wants both (0), the one (1) or the other (2). What the service has no
///   threshold for it cannot do; one without either humidifies below 40 % and dehumidifies above 60 %.
/// * Current Humidifier Dehumidifier State is 0 inactive, 1 idle, 2 humidifying, 3 dehumidifying; Current Relative Humidity
///   is the room, in steps of 1 %.
/// * Water Level, where the service has it, falls while it humidifies, and is told in steps of 5 %. At 0 it does not
///   humidify until ``BehaviorCommand/applySensorInput(_:)`` of Water Level fills the tank.
/// * Sensing Current Relative Humidity: the room is so at once, and goes on from there.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Humidifier: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .targetHumidifierDehumidifierState: .integer(0...2),
        .currentHumidifierDehumidifierState: .readOnly, .currentRelativeHumidity: .readOnly, .waterLevel: .readOnly,
        .relativeHumidityHumidifierThreshold: .number, .relativeHumidityDehumidifierThreshold: .number,
    ]
    package static let required: [CharacteristicType] = [
        .active, .targetHumidifierDehumidifierState, .currentHumidifierDehumidifierState, .currentRelativeHumidity,
    ]

    private static let thresholds = ThresholdCharacteristics(
        mode: .targetHumidifierDehumidifierState,
        low: .relativeHumidityHumidifierThreshold,
        high: .relativeHumidityDehumidifierThreshold,
        defaultRange: 40...60
    )

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var room: RoomClimate
    /// What is in the tank, 0 to 100 %.
    private var water = SteppedMotion.resting(100)

    /// Creates one that is inactive, in a room as it is by itself, with a full tank.
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

    /// Answers with the relative humidity of the room as `room`, and with what is in the tank as `water`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let device = advanced(to: now)
        let room = BehaviorReading("room", device.room.value(at: now), unit: "%")
        guard values.contains(.waterLevel) else { return [room] }
        return [room, BehaviorReading("water", device.water.value(at: now), unit: "%")]
    }

    /// Lets the device do what is wanted, the tank follow, and the owner know.
    private mutating func update(isNewRequest: Bool, at now: MonotonicInstant) {
        // Without water it does not humidify.
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

    /// How a humidifier and its room are built.
    package struct Configuration: Sendable, Hashable {
        /// The relative humidity that the room settles at by itself, in %; 45 by default.
        package var outside: Double = 45
        /// How long the room takes to lose 63 % of what it differs from that; 6 h by default.
        package var timeConstant = Duration.seconds(6 * 3_600)
        /// What humidifying adds in an hour, in %; 12 by default.
        package var humidifyingRate: Double = 12
        /// What dehumidifying takes away in an hour, in %; 12 by default.
        package var dehumidifyingRate: Double = 12
        /// How far the room leaves what is wanted before the device begins again, in %; 3 by default.
        package var hysteresis: Double = 3
        /// How long a full tank lasts while the device humidifies; 10 h by default.
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

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "humidifier",
        "A humidifier or a dehumidifier, with a room that follows it, and its tank.",
        services: [.humidifierDehumidifier],
        requiredTypes: [
            .active, .currentRelativeHumidity, .currentHumidifierDehumidifierState, .targetHumidifierDehumidifierState,
        ],
        defaults: Configuration(),
        parameters: [
            .number("outside", \.outside, 0...100, "The relative humidity that the room settles at by itself, in %."),
            .duration(
                "timeConstant",
                \.timeConstant,
                within: .seconds(600) ... .seconds(1_000 * 3_600),
                "How long the room takes to lose 63 % of what it differs from that."
            ),
            .number("humidifying", \.humidifyingRate, 0...100, "What humidifying adds in an hour, in %."),
            .number("dehumidifying", \.dehumidifyingRate, 0...100, "What dehumidifying takes away in an hour, in %."),
            .number(
                "hysteresis",
                \.hysteresis,
                1...20,
                "How far the room leaves what is wanted before the device begins again, in %."
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
