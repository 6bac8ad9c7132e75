package import AccessoryModel
package import HAPCore

/// A lock whose bolt takes its time, and may jam.
///
/// It moves a Lock Mechanism service, and its Lock Last Known Action where it has one.
///
/// * A written target sends the bolt there from where it is. Lock Current State is the end that it was at last until it
///   arrives, and Lock Last Known Action then says 6, secured, or 7, unsecured from afar (`format.md`: what Apple's
///   simulator does when Lock Target State is written).
/// * ``BehaviorCommand/obstruct`` jams it where it is: Lock Current State is 2. Targets are still accepted, and do not
///   move it. When the obstruction is gone, a bolt at an end is what it was, and one on its way stays jammed until the
///   next write, also of the kept target, moves it.
/// * A movement may jam by itself, by chance; the next write moves it again.
/// * ``BehaviorCommand/applySensorInput(_:)`` of Lock Current State 0 or 1 is somebody turning it by hand: both states follow at
///   once, and Lock Last Known Action says 9, secured, or 10, unsecured by hand.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.2
package struct Lock: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .lockTargetState: .boolean, .lockCurrentState: .readOnly, .lockLastKnownAction: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.lockCurrentState, .lockTargetState]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var bolt = Bolt.resting(isSecured: false)
    private var isObstructed = false
    private var random: SeededRandom

    /// Creates an unsecured lock.
    ///
    /// - Parameter seed: What the chance of a jam is drawn from.
    init(_ configuration: Configuration = Configuration(), seed: UInt64 = 0) {
        self.configuration = configuration
        random = SeededRandom(seed: seed)
    }

    /// Lets the bolt be where its target says.
    ///
    /// What was under way has ended. One that was jammed still is, half out, and moves at the next write.
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
        // A jammed one is neither secured nor not until it arrives: controllers see it come from the other end.
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
                // What was written in the meantime did not move it.
                values.set(.lockTargetState, integer: bolt.current)
            }
        case .applySensorInput(let change):
            guard change.type == .lockCurrentState, let isSecured = change.value.coercedBool else { return false }
            isObstructed = false
            bolt = .resting(isSecured: isSecured)
            values.set(.lockTargetState, integer: isSecured ? 1 : 0)
            values.set(.lockLastKnownAction, integer: isSecured ? 9 : 10)
        case .stop, .press:
            return false
        }
        return true
    }

    package mutating func updateValues() {
        values.set(.lockCurrentState, integer: bolt.current)
    }

    /// Answers with how far the bolt is out as `bolt`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("bolt", advanced(to: now).bolt.position(at: now), unit: "%")]
    }

    private mutating func drive(toSecured isSecured: Bool, wasSecured: Bool, at now: MonotonicInstant) {
        let travel = bolt.travel(toSecured: isSecured, at: now, fullTravelTime: configuration.travel)
        var jam: MonotonicInstant?
        if configuration.jamProbability > 0, random.nextUnit() < configuration.jamProbability {
            jam = now.advanced(by: now.duration(to: travel.end) * random.nextUnit())
        }
        bolt = .moving(travel, wasSecured: wasSecured, jam: jam)
    }

    /// How a lock is built.
    package struct Configuration: Sendable, Hashable {
        /// What the bolt takes for its whole way; 1 s by default, 0 or less makes every movement immediate.
        package var travel = Duration.seconds(1)
        /// How likely a movement jams on its way, from 0, the default, which is never, to 1, which is always.
        package var jamProbability: Double = 0
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "lock",
        "A lock whose bolt takes its time, and may jam.",
        services: [.lockMechanism],
        requiredTypes: [.lockTargetState, .lockCurrentState],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the bolt takes for its whole way."),
            .number("jamProbability", \.jamProbability, 0...1, "How likely a movement jams on its way, from 0 to 1."),
        ]
    ) { configuration, seed in Lock(configuration, seed: seed) }
}
