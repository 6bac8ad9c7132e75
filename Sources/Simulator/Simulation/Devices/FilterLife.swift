package import AccessoryModel
package import HAPCore

/// A filter that wears while the air purifier of its accessory purifies.
///
/// * Filter Life Level, if the service has it, falls to 0 over the filter's life, in steps of 1 %.
/// * Filter Change Indication becomes 1 when the level reaches the change threshold.
/// * One second after a write of Reset Filter Indication, the filter is new: the level is 100 and the indication 0. If
///   the value of Reset Filter Indication was 0 at startup, it then returns to 0, as in Apple's HomeKit Accessory
///   Simulator.
/// * ``BehaviorCommand/applySensorInput(_:)`` for Filter Life Level inserts a filter with that level.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct FilterLife: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .filterChangeIndication: .readOnly, .filterLifeLevel: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.filterChangeIndication]

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .filterChangeIndication: [.filterLifeLevel, .resetFilterIndication]
    ]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var life = SteppedMotion.resting(100)
    private var resetEnd: MonotonicInstant?
    private var resetReturnsToZero = false

    /// Creates a new filter.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Adopts the saved level; without one, Filter Change Indication determines whether the filter is new or worn.
    package mutating func restore(at now: MonotonicInstant) {
        let isWorn = values.bool(.filterChangeIndication) ?? false
        let level = values.number(.filterLifeLevel) ?? (isWorn ? configuration.changeThreshold : 100)
        life = .resting(level.clamped(to: 0...100))
        resetEnd = nil
        resetReturnsToZero = values.bool(.resetFilterIndication) == false
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(life.nextEvent, resetEnd)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        life.settle(at: due)
        if let end = resetEnd, end <= due {
            resetEnd = nil
            if resetReturnsToZero {
                values.set(.resetFilterIndication, integer: 0)
            }
            setLevel(to: 100, at: due)
        }
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        for write in writes where write.type == .resetFilterIndication && write.value.coercedBool == true {
            resetEnd = now.advanced(by: .seconds(1))
        }
    }

    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .filterLifeLevel, let left = found.value.finiteDouble else { return false }
        setLevel(to: left.clamped(to: 0...100), at: now)
        return true
    }

    package var observedServices: [ServiceType] { [.airPurifier] }

    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        if let state = changes.last(where: { $0.type == .currentAirPurifierState })?.value.coercedInteger {
            let level = life.value(at: now)
            life = state == 2 ? wearMotion(from: level, at: now) : .resting(level)
            updateValues()
        }
    }

    /// Returns the remaining life of the filter as `life`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("life", advanced(to: now).life.value(at: now), unit: "%")]
    }

    private func wearMotion(from level: Double, at now: MonotonicInstant) -> SteppedMotion {
        guard level > 0 else { return .resting(level) }
        let life = max(configuration.lifetime, .seconds(60))
        return .moving(SteppedTravel(from: level, to: 0, at: now, rate: (100, life), step: 1))
    }

    private mutating func setLevel(to level: Double, at now: MonotonicInstant) {
        if case .moving = life {
            life = wearMotion(from: level, at: now)
        } else {
            life = .resting(level)
        }
    }

    package mutating func updateValues() {
        // Rounded up, so that a filter that was used for a minute still has 100 %.
        values.set(.filterLifeLevel, .roundedNumber(life.reportedValue.rounded(.up)))
        values.set(.filterChangeIndication, integer: life.reportedValue <= configuration.changeThreshold ? 1 : 0)
    }

    /// The configuration of a filter.
    package struct Configuration: Sendable, Hashable {
        /// The life of a new filter while air flows through it; 180 days by default, at least one minute.
        package var lifetime = Duration.seconds(180 * 86_400)
        /// The Filter Life Level, in %, at which the filter must be changed; 10 by default.
        package var changeThreshold: Double = 10
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "filter",
        "A filter that wears while the air purifier of its accessory runs.",
        services: [.filterMaintenance],
        defaults: Configuration(),
        parameters: [
            .duration(
                "life",
                \.lifetime,
                within: .seconds(60) ... .seconds(10 * 366 * 86_400),
                "How long a new filter lasts while air flows through it."
            ),
            .number(
                "changeAt",
                \.changeThreshold,
                0...100,
                "The Filter Life Level, in %, at which the filter must be changed."
            ),
        ]
    ) { configuration, _ in FilterLife(configuration) }
}
