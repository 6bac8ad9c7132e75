package import AccessoryModel
package import HAPCore

/// A filter that wears while the air purifier of its accessory purifies.
///
/// * Filter Life Level, where the service has it, falls to 0 over the filter's life, in steps of 1 %.
/// * Filter Change Indication becomes 1 when the level at which it is to be changed is reached.
/// * A second after Reset Filter Indication was written the filter is new: the level is 100 and the indication 0. A written 1
///   goes back to the 0 that it was, where it can be read (`format.md`: what Apple's simulator does).
/// * ``BehaviorCommand/applySensorInput(_:)`` of Filter Life Level puts in a filter that has so much left.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct FilterLife: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .filterChangeIndication: .readOnly, .filterLifeLevel: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.filterChangeIndication]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var life = SteppedMotion.resting(100)
    private var resetEnd: MonotonicInstant?
    private var resetReturnsToZero = false

    /// Creates a new filter.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes the filter as it was left; where its level was not kept, its indication tells whether it is new or worn.
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

    /// Answers with how much of the filter is left as `lifetime`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("life", advanced(to: now).life.value(at: now), unit: "%")]
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
        // Rounded up: one that is in use for a minute still has 100 %.
        values.set(.filterLifeLevel, .roundedNumber(life.reportedValue.rounded(.up)))
        values.set(.filterChangeIndication, integer: life.reportedValue <= configuration.changeThreshold ? 1 : 0)
    }

    /// How a filter is built.
    package struct Configuration: Sendable, Hashable {
        /// How long a new one lasts while air goes through it; 180 days by default, at least a minute.
        package var lifetime = Duration.seconds(180 * 86_400)
        /// At which Filter Life Level, in %, it is to be changed; 10 by default.
        package var changeThreshold: Double = 10
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "filter",
        "A filter that wears while the air purifier of its accessory runs.",
        services: [.filterMaintenance],
        requiredTypes: [.filterChangeIndication],
        defaults: Configuration(),
        parameters: [
            .duration(
                "life",
                \.lifetime,
                within: .seconds(60) ... .seconds(10 * 366 * 86_400),
                "How long a new one lasts while air goes through it."
            ),
            .number("changeAt", \.changeThreshold, 0...100, "At which Filter Life Level, in %, it is to be changed."),
        ]
    ) { configuration, _ in FilterLife(configuration) }
}
