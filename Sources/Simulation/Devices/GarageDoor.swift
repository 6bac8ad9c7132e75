package import AccessoryModel
package import HAPCore

/// A garage door that takes its time, with an obstruction sensor and a lock.
///
/// It moves a Garage Door Opener service, whose two lock characteristics are optional: nothing but a write or a kept
/// value of theirs moves the bolt.
///
/// * A target written in mid-travel reverses the door from where it is, in proportional time. A target that it is at or
///   on its way to changes nothing; after ``BehaviorCommand/stop`` every write moves it, also one of the kept target.
/// * An obstruction makes a closing door open again, target included. While it lasts, a written Closed is accepted and
///   reversed at once: an open door stays open, an opening one goes on, a stopped one opens.
/// * Lock Target 1 shoots the bolt once the door is closed. Target Open is refused with −70412 while Lock Current State
///   is 1, which includes the time in which the bolt is being drawn back. While it is still being shot, Lock Current
///   State is 0 and Target Open is accepted: the bolt draws back, and comes again once the door is closed again.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.1, §20.2
package struct GarageDoor: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .targetDoorState: .boolean, .currentDoorState: .readOnly, .obstructionDetected: .readOnly,
        .lockTargetState: .boolean, .lockCurrentState: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.currentDoorState, .targetDoorState, .obstructionDetected]

    package var values = ServiceValues(
        stored: [.currentDoorState: 1, .targetDoorState: 1, .obstructionDetected: false],
        of: Self.required
    )
    private let configuration: Configuration
    private var state = State(restingAt: .closed)
    private var isObstructed = false
    /// When the obstruction leaves by itself; `nil` when there is none, or it stays.
    private var obstructionEnd: MonotonicInstant?
    private var isTargetSecured = false
    private var bolt = Bolt.resting(isSecured: false)

    /// Creates a door that is closed, unsecured and not obstructed.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Brings to an end what was under way.
    ///
    /// A door that was travelling has arrived in the meantime, as a real one would have: its target tells where it is.
    /// So it does where the kept values contradict each other, or the target alone was declared. A stopped door is still
    /// stopped, with its target; where was not kept, so it is half open. The bolt is where its target says, as far as
    /// the door lets it: of a door that is not closed it is drawn back, and waits. An obstruction is still there; its
    /// time begins anew.
    ///
    /// HAP: §20.1
    package mutating func restore(at now: MonotonicInstant) {
        state = Self.state(
            storedCurrent: values.integer(.currentDoorState),
            storedTarget: Target(values[.targetDoorState])
        )
        isObstructed = false
        obstructionEnd = nil
        if values.bool(.obstructionDetected) == true { beginObstruction(at: now) }
        isTargetSecured = (values[.lockTargetState] ?? values[.lockCurrentState])?.coercedBool ?? false
        bolt = .resting(isSecured: isTargetSecured && state.isClosed)
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(state.arrival, bolt.nextEvent, obstructionEnd)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        state.settle(at: due)
        bolt.settle(at: due)
        if let end = obstructionEnd, end <= due { endObstruction() }
        driveBolt(at: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        let isBarred = write.type == .targetDoorState && Target(write.value) == .open && bolt.current == 1
        return isBarred ? .notAllowedInCurrentState : Self.rules[write.type]?.refusal(of: write.value)
    }

    /// Follows each write at once: a bolt that is drawn back in no time lets the same request open the door.
    package mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant) {
        values.store(write)
        switch write.type {
        case .targetDoorState:
            if let target = Target(write.value) { drive(to: target, at: now) }
        case .lockTargetState:
            isTargetSecured = write.value.coercedBool ?? isTargetSecured
            driveBolt(at: now)
        default:
            break
        }
        updateValues()
        processEvents(through: now)
    }

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .stop: state.stop(at: now)
        case .obstruct: obstruct(at: now)
        case .clearObstruction: endObstruction()
        case .press, .applySensorInput: return false
        }
        return true
    }

    /// Answers with how far the door is open as `position`, and how far the lock's bolt is out as `bolt`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let door = advanced(to: now)
        return [
            BehaviorReading("position", door.state.position(at: now), unit: "%"),
            BehaviorReading("bolt", door.bolt.position(at: now), unit: "%"),
        ]
    }

    private mutating func drive(to target: Target, at now: MonotonicInstant) {
        // A closed door has nothing to reverse: it is where the write wants it.
        let isReversed = target == .closed && isObstructed && !state.isClosed
        state.drive(to: isReversed ? .open : target, at: now, fullTravelTime: configuration.travel)
        driveBolt(at: now)
    }

    private mutating func obstruct(at now: MonotonicInstant) {
        beginObstruction(at: now)
        if state.arrival != nil, state.target == .closed {
            drive(to: .open, at: now)
        }
    }

    private mutating func beginObstruction(at now: MonotonicInstant) {
        isObstructed = true
        obstructionEnd = configuration.obstructionDuration.map { now.advanced(by: max($0, .zero)) }
    }

    private mutating func endObstruction() {
        isObstructed = false
        obstructionEnd = nil
    }

    /// Lets the bolt follow its target, as far as the door lets it.
    private mutating func driveBolt(at now: MonotonicInstant) {
        let isSecured = isTargetSecured && state.isClosed
        guard bolt.isSecuredOrSecuring != isSecured else { return }
        let travel = bolt.travel(toSecured: isSecured, at: now, fullTravelTime: configuration.lockTravel)
        bolt = .moving(travel, wasSecured: bolt.current == 1)
    }

    private static func state(storedCurrent: Int?, storedTarget: Target?) -> State {
        switch (storedCurrent, storedTarget) {
        case (4, let target): State(halfwayTo: target ?? .closed)
        case (_, let target?): State(restingAt: target)
        case (0, nil), (2, nil): State(restingAt: .open)
        case (_, nil): State(restingAt: .closed)
        }
    }

    package mutating func updateValues() {
        values.set(.obstructionDetected, .bool(isObstructed))
        values.set(.targetDoorState, integer: state.target.rawValue)
        values.set(.currentDoorState, integer: state.current)
        values.set(.lockTargetState, integer: isTargetSecured ? 1 : 0)
        values.set(.lockCurrentState, integer: bolt.current)
    }

    /// How a garage door is built.
    package struct Configuration: Sendable, Hashable {
        /// What the whole way takes, from closed to open as well as back.
        ///
        /// 12 s by default; 0 or less makes every movement of the door immediate.
        package var travel = Duration.seconds(12)
        /// What the lock's bolt takes for its whole way.
        ///
        /// 1 s by default; 0 or less makes every movement of the bolt immediate.
        package var lockTravel = Duration.seconds(1)
        /// How long an obstruction lasts unless it is taken away before.
        ///
        /// `nil`, the default, means until it is taken away; 0 or less makes it leave at once, having done its work.
        package var obstructionDuration: Duration?
    }

    /// What a door is doing: Target Door State with how far it has come.
    ///
    /// HAP: §20.1
    struct State: Sendable, Hashable {
        private enum Motion: Sendable, Hashable {
            case resting
            case moving(LinearTravel)
            /// Halted on the way to the target.
            case stopped(position: Double)
        }

        /// Where the door is to go, and goes unless it was stopped.
        private(set) var target: Target
        private var motion = Motion.resting

        /// At rest where the target says.
        init(restingAt target: Target) {
            self.target = target
        }

        /// Halted halfway to the target.
        init(halfwayTo target: Target) {
            self.target = target
            motion = .stopped(position: 50)
        }

        var isClosed: Bool { current == 1 }

        /// The value of Current Door State.
        var current: Int {
            switch motion {
            case .resting: target.rawValue
            case .moving: 2 + target.rawValue
            case .stopped: 4
            }
        }

        /// When it arrives, `nil` while it rests.
        var arrival: MonotonicInstant? {
            if case .moving(let travel) = motion { travel.end } else { nil }
        }

        /// How far it is open, 0 to 100.
        func position(at now: MonotonicInstant) -> Double {
            switch motion {
            case .resting: target.position
            case .moving(let travel): travel.position(at: now)
            case .stopped(let position): position
            }
        }

        /// Sends it to `target` from where it is; does nothing when it is there or on its way.
        mutating func drive(to target: Target, at now: MonotonicInstant, fullTravelTime: Duration) {
            guard self.target != target || current == 4 else { return }
            motion = .moving(
                LinearTravel(from: position(at: now), to: target.position, at: now, fullTravelTime: fullTravelTime)
            )
            self.target = target
        }

        /// Halts it where it is; does nothing when it rests.
        mutating func stop(at now: MonotonicInstant) {
            if case .moving(let travel) = motion {
                motion = .stopped(position: travel.position(at: now))
            }
        }

        /// Lets it rest when its travel has ended by `now`.
        mutating func settle(at now: MonotonicInstant) {
            if let arrival, arrival <= now {
                motion = .resting
            }
        }
    }

    /// Where a door is to go: Target Door State.
    ///
    /// HAP: §20.1
    enum Target: Int, IntegerState {
        case open = 0
        case closed = 1

        /// The position there, in percent open.
        var position: Double { self == .open ? 100 : 0 }
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "garageDoor",
        "A garage door, with its lock if it has one.",
        services: [.garageDoorOpener],
        requiredTypes: [.targetDoorState, .currentDoorState],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from closed to open as well as back."),
            .duration("lockTravel", \.lockTravel, "What the lock's bolt takes for its whole way."),
            .duration(
                "obstructionDuration",
                \.obstructionDuration,
                "How long an obstruction lasts; without it, until it is taken away."
            ),
        ]
    ) { configuration, _ in GarageDoor(configuration) }
}
