package import AccessoryModel
package import HAPCore

/// A filter that wears while the air purifier of its accessory purifies.
///
/// * Filter Life Level, where the service has it, falls to 0 over the filter's life, in steps of 1 %.
/// * Filter Change Indication becomes 1 when the level at which it is to be changed is reached.
/// * A second after Reset Filter Indication was written the filter is new: the level is 100 and the indication 0. A written 1
///   goes back to the 0 that it was, where it can be read (`format.md`: what Apple's simulator does).
/// * ``BehaviorCommand/sense(_:)`` of Filter Life Level puts in a filter that has so much left.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct FilterLife: EventDriven {
    package static let rules: WriteRules = [
        .filterChangeIndication: .measured, .filterLifeLevel: .measured,
    ]
    package static let required: [CharacteristicType] = [.filterChangeIndication]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var life = SteppedMotion.resting(100)
    private var resetEnd: MonotonicInstant?
    private var resetRests = false

    /// Creates a new filter.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes the filter as it was left; where its level was not kept, its indication tells whether it is new or worn.
    package mutating func restore(at now: MonotonicInstant) {
        let isWorn = values.state(.filterChangeIndication) ?? false
        let level = values.number(.filterLifeLevel) ?? (isWorn ? configuration.changeAt : 100)
        life = .resting(level.within(0...100))
        resetEnd = nil
        resetRests = values.state(.resetFilterIndication) == false
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(life.event, resetEnd)
    }

    package mutating func happen(at due: MonotonicInstant) {
        life.settle(at: due)
        if let end = resetEnd, end <= due {
            resetEnd = nil
            if resetRests {
                values.set(.resetFilterIndication, choice: 0)
            }
            renew(to: 100, at: due)
        }
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        for write in writes where write.type == .resetFilterIndication && write.value.isSwitchedOn == true {
            resetEnd = now.advanced(by: .seconds(1))
        }
    }

    package mutating func sense(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .filterLifeLevel, let left = found.value.finiteDouble else { return false }
        renew(to: left.within(0...100), at: now)
        return true
    }

    package var heededServices: [ServiceType] { [.airPurifier] }

    package mutating func hear(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        if let state = changes.last(where: { $0.type == .currentAirPurifierState })?.value.choice {
            let level = life.value(at: now)
            life = state == 2 ? wearing(from: level, at: now) : .resting(level)
            tell()
        }
    }

    /// Answers with how much of the filter is left as `life`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("life", settled(at: now).life.value(at: now), unit: "%")]
    }

    private func wearing(from level: Double, at now: MonotonicInstant) -> SteppedMotion {
        guard level > 0 else { return .resting(level) }
        let life = max(configuration.life, .seconds(60))
        return .moving(SteppedTravel(from: level, to: 0, at: now, way: (100, life), step: 1))
    }

    private mutating func renew(to level: Double, at now: MonotonicInstant) {
        if case .moving = life {
            life = wearing(from: level, at: now)
        } else {
            life = .resting(level)
        }
    }

    package mutating func tell() {
        // Rounded up: one that is in use for a minute still has 100 %.
        values.set(.filterLifeLevel, .measured(life.shown.rounded(.up)))
        values.set(.filterChangeIndication, choice: life.shown <= configuration.changeAt ? 1 : 0)
    }

    /// How a filter is built.
    package struct Configuration: Sendable, Hashable {
        /// How long a new one lasts while air goes through it; 180 days by default, at least a minute.
        package var life = Duration.seconds(180 * 86_400)
        /// At which Filter Life Level, in %, it is to be changed; 10 by default.
        package var changeAt: Double = 10
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "filter",
        "A filter that wears while the air purifier of its accessory runs.",
        services: [.filterMaintenance],
        needs: [.filterChangeIndication],
        standard: Configuration(),
        parameters: [
            .duration(
                "life",
                \.life,
                within: .seconds(60) ... .seconds(10 * 366 * 86_400),
                "How long a new one lasts while air goes through it."
            ),
            .number("changeAt", \.changeAt, 0...100, "At which Filter Life Level, in %, it is to be changed."),
        ]
    ) { configuration, _ in FilterLife(configuration) }
}
