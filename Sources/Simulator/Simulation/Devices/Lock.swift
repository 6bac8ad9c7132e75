package import AccessoryModel
package import HAPCore

/// A lock whose bolt has a travel time, and may jam.
///
/// It drives a Lock Mechanism service, and its Lock Last Known Action if it has one.
///
/// * A written target moves the bolt from its position. Until the bolt arrives, Lock Current State is the state from
///   which it started. Then Lock Last Known Action is 6, secured remotely, or 7, unsecured remotely, as in Apple's
///   HomeKit Accessory Simulator.
/// * ``BehaviorCommand/obstruct`` jams the bolt where it is: Lock Current State is 2. The lock still accepts targets,
///   but they do not move the bolt. When the obstruction is cleared, a bolt at an end returns to the state of that end.
///   A bolt between the ends stays jammed until the next write, even a write of the same target.
/// * A movement may jam at random; the next write moves the bolt again.
/// * ``BehaviorCommand/applySensorInput(_:)`` for Lock Current State 0 or 1 turns the lock by hand. Both states follow
///   immediately. Lock Last Known Action is then 9, secured by hand, or 10, unsecured by hand.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.2
package struct Lock: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .lockTargetState: .boolean, .lockCurrentState: .readOnly, .lockLastKnownAction: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.lockTargetState, .lockCurrentState]

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .lockLastKnownAction: [.lockTargetState, .lockCurrentState]
    ]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var bolt = Bolt.resting(isSecured: false)
    private var isObstructed = false
    private var random: SeededRandom

    /// Creates an unsecured lock.
    ///
    /// - Parameter seed: The seed of random jams.
    init(_ configuration: Configuration = Configuration(), seed: UInt64 = 0) {
        self.configuration = configuration
        random = SeededRandom(seed: seed)
    }

    /// Moves the bolt to its saved target.
    ///
    /// A movement that was in progress has ended. A jammed bolt stays jammed, half extended, and moves at the next
    /// write.
    package mutating func restore(at now: MonotonicInstant) {
        isObstructed = false
        let isSecured = values.bool(.lockTargetState) ?? values.bool(.lockCurrentState) ?? false
        bolt = values.integer(.lockCurrentState) == 2 ? .jammed(position: 50) : .resting(isSecured: isSecured)
        values.set(.lockTargetState, integer: isSecured ? 1 : 0)
    }

    package var nextEvent: MonotonicInstant? { bolt.nextEvent }

    package mutating func handleEvent(at due: MonotonicInstant) {
        bolt.settle(at: due)
        if case .resting(let isSecured) = bolt {
            values.set(.lockLastKnownAction, integer: isSecured ? 6 : 7)
        }
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard !isObstructed, let target = writes.last(where: { $0.type == .lockTargetState })?.value.coercedBool else {
            return
        }
        guard bolt.isSecuredOrSecuring != target else { return }
        // A jammed bolt has no known state, so until it arrives the lock reports the opposite of the target.
        let wasSecured = bolt.isSecuredOrSecuring == nil ? !target : bolt.current == 1
        drive(toSecured: target, wasSecured: wasSecured, at: now)
    }

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .obstruct:
            isObstructed = true
            bolt = .jammed(position: bolt.position(at: now))
        case .clearObstruction:
            isObstructed = false
            if case .jammed(let position) = bolt, position == 0 || position == 100 {
                bolt = .resting(isSecured: position == 100)
                // Targets that were written while it was jammed did not move the bolt.
                values.set(.lockTargetState, integer: bolt.current)
            }
        case .applySensorInput(let change):
            guard change.type == .lockCurrentState, let isSecured = change.value.coercedBool else { return false }
            isObstructed = false
            bolt = .resting(isSecured: isSecured)
            values.set(.lockTargetState, integer: isSecured ? 1 : 0)
            values.set(.lockLastKnownAction, integer: isSecured ? 9 : 10)
        case .stop, .press, .plug, .unplug:
            return false
        }
        return true
    }

    package mutating func updateValues() {
        values.set(.lockCurrentState, integer: bolt.current)
    }

    /// Returns how far the bolt is extended as `bolt`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("bolt", advanced(to: now).bolt.position(at: now), unit: "%")]
    }

    private mutating func drive(toSecured isSecured: Bool, wasSecured: Bool, at now: MonotonicInstant) {
        let travel = bolt.travel(toSecured: isSecured, at: now, fullTravelTime: configuration.travel)
        var jam: MonotonicInstant?
        if configuration.jamProbability > 0, random.nextUnit() < configuration.jamProbability {
            jam = now.advanced(by: now.duration(to: travel.end) * random.nextUnit())
        }
        bolt = .moving(travel, wasSecured: wasSecured, jam: jam)
    }

    /// The configuration of a lock.
    package struct Configuration: Sendable, Hashable {
        /// The duration of the bolt's full travel; 1 s by default, 0 or less makes every movement immediate.
        package var travel = Duration.seconds(1)
        /// The probability that a movement jams, from 0, never, to 1, always; 0 by default.
        package var jamProbability: Double = 0
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "lock",
        "A lock whose bolt takes time to move, and may jam.",
        services: [.lockMechanism],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travel, "The duration of the bolt's full travel."),
            .number("jamProbability", \.jamProbability, 0...1, "The probability that a movement jams, from 0 to 1."),
        ]
    ) { configuration, seed in Lock(configuration, seed: seed) }
}
