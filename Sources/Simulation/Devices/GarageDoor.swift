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
package struct GarageDoor: EventDriven {
    package static let rules: WriteRules = [
        .targetDoorState: .state, .currentDoorState: .measured, .obstructionDetected: .measured,
        .lockTargetState: .state, .lockCurrentState: .measured,
    ]
    package static let required: [CharacteristicType] = [.currentDoorState, .targetDoorState, .obstructionDetected]

    package var values = ServiceValues(
        kept: [.currentDoorState: 1, .targetDoorState: 1, .obstructionDetected: false],
        of: Self.required
    )
    private let configuration: Configuration
    private var state = State.closed
    private var obstruction = Obstruction.none
    private var isToBeSecured = false
    private var bolt = Bolt.resting(isSecured: false)

    /// Creates a door that is closed, unsecured and not obstructed.
    package init(_ configuration: Configuration = Configuration()) {
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
        state = Self.state(keptCurrent: values.choice(.currentDoorState), keptTarget: Target(values[.targetDoorState]))
        obstruction = values.state(.obstructionDetected) == true ? newObstruction(at: now) : .none
        isToBeSecured = (values[.lockTargetState] ?? values[.lockCurrentState])?.isSwitchedOn ?? false
        bolt = .resting(isSecured: isToBeSecured && state == .closed)
        tell()
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(state.arrival, bolt.event, obstruction.end)
    }

    package mutating func happen(at due: MonotonicInstant) {
        state.settle(at: due)
        bolt.settle(at: due)
        obstruction.settle(at: due)
        driveBolt(at: due)
        tell()
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        let isBarred = write.type == .targetDoorState && Target(write.value) == .open && bolt.current == 1
        return isBarred ? .notAllowedInCurrentState : Self.rules[write.type]?.refusal(of: write.value)
    }

    /// Follows each write at once: a bolt that is drawn back in no time lets the same request open the door.
    package mutating func accept(_ write: BehaviorChange, at now: MonotonicInstant) {
        values.store(write)
        switch write.type {
        case .targetDoorState:
            if let target = Target(write.value) { drive(to: target, at: now) }
        case .lockTargetState:
            isToBeSecured = write.value.isSwitchedOn ?? isToBeSecured
            driveBolt(at: now)
        default:
            break
        }
        tell()
        settle(through: now)
    }

    package mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .stop: state.stop(at: now)
        case .obstruct: obstruct(at: now)
        case .clearObstruction: obstruction = .none
        case .press, .sense: return false
        }
        tell()
        return true
    }

    /// Answers with how far the door is open as `position`, and how far the lock's bolt is out as `bolt`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let door = settled(at: now)
        return [
            BehaviorReading("position", door.state.position(at: now), unit: "%"),
            BehaviorReading("bolt", door.bolt.position(at: now), unit: "%"),
        ]
    }
}

// MARK: - Motion

extension GarageDoor {
    private mutating func drive(to target: Target, at now: MonotonicInstant) {
        // A closed door has nothing to reverse: it is where the write wants it.
        let isReversed = target == .closed && obstruction.isDetected && state != .closed
        state.drive(to: isReversed ? .open : target, at: now, wholeWay: configuration.travel)
        driveBolt(at: now)
    }

    private mutating func obstruct(at now: MonotonicInstant) {
        obstruction = newObstruction(at: now)
        if case .closing = state {
            drive(to: .open, at: now)
        }
    }

    private func newObstruction(at now: MonotonicInstant) -> Obstruction {
        .present(until: configuration.obstructionClears.map { now.advanced(by: max($0, .zero)) })
    }

    /// Lets the bolt follow its target, as far as the door lets it.
    private mutating func driveBolt(at now: MonotonicInstant) {
        let isSecured = isToBeSecured && state == .closed
        guard bolt.isHeadingForSecured != isSecured else { return }
        let travel = bolt.travel(toSecured: isSecured, at: now, wholeWay: configuration.lockTravel)
        bolt = .moving(travel, wasSecured: bolt.current == 1)
    }

    private static func state(keptCurrent: Int?, keptTarget: Target?) -> State {
        switch (keptCurrent, keptTarget) {
        case (4, let target): .stopped(position: 50, target: target ?? .closed)
        case (_, let target?): State(restingAt: target)
        case (0, nil), (2, nil): .open
        case (_, nil): .closed
        }
    }

    private mutating func tell() {
        values.set(.obstructionDetected, .bool(obstruction.isDetected))
        values.set(.targetDoorState, choice: state.target.rawValue)
        values.set(.currentDoorState, choice: state.current)
        values.set(.lockTargetState, choice: isToBeSecured ? 1 : 0)
        values.set(.lockCurrentState, choice: bolt.current)
    }
}

extension GarageDoor {
    /// How a garage door is built.
    package struct Configuration: Sendable, Hashable {
        /// What the whole way takes, from closed to open as well as back.
        ///
        /// 12 s by default; 0 or less makes every movement of the door immediate.
        package var travel: Duration
        /// What the lock's bolt takes for its whole way.
        ///
        /// 1 s by default; 0 or less makes every movement of the bolt immediate.
        package var lockTravel: Duration
        /// How long an obstruction lasts unless it is taken away before.
        ///
        /// `nil`, the default, means until it is taken away; 0 or less makes it leave at once, having done its work.
        package var obstructionClears: Duration?

        /// Creates a configuration; without arguments, the Kilgo garage's.
        package init(
            travel: Duration = .seconds(12),
            lockTravel: Duration = .seconds(1),
            obstructionClears: Duration? = nil
        ) {
            self.travel = travel
            self.lockTravel = lockTravel
            self.obstructionClears = obstructionClears
        }
    }
}

extension GarageDoor {
    /// What a door is doing: Current Door State with what belongs to it, the target included.
    ///
    /// HAP: §20.1
    enum State: Sendable, Hashable {
        case open
        case closed
        case opening(LinearTravel)
        case closing(LinearTravel)
        /// Halted in mid-travel, on the way to `target`.
        case stopped(position: Double, target: Target)

        /// At rest where the target says.
        init(restingAt target: Target) {
            switch target {
            case .open: self = .open
            case .closed: self = .closed
            }
        }

        /// The value of Current Door State.
        var current: Int {
            switch self {
            case .open: 0
            case .closed: 1
            case .opening: 2
            case .closing: 3
            case .stopped: 4
            }
        }

        /// Where the door is to go, and goes unless it was stopped.
        var target: Target {
            switch self {
            case .open, .opening: .open
            case .closed, .closing: .closed
            case .stopped(_, let target): target
            }
        }

        /// When it arrives, `nil` while it rests.
        var arrival: MonotonicInstant? {
            switch self {
            case .open, .closed, .stopped: nil
            case .opening(let travel), .closing(let travel): travel.end
            }
        }

        /// How far it is open, 0 to 100.
        func position(at now: MonotonicInstant) -> Double {
            switch self {
            case .open: 100
            case .closed: 0
            case .opening(let travel), .closing(let travel): travel.position(at: now)
            case .stopped(let position, _): position
            }
        }

        /// Sends it to `target` from where it is; does nothing when it is there or on its way.
        mutating func drive(to target: Target, at now: MonotonicInstant, wholeWay: Duration) {
            switch self {
            case .open, .opening, .closed, .closing:
                guard self.target != target else { return }
            case .stopped:
                break
            }
            let travel = LinearTravel(from: position(at: now), to: target.position, at: now, wholeWay: wholeWay)
            switch target {
            case .open: self = .opening(travel)
            case .closed: self = .closing(travel)
            }
        }

        /// Halts it where it is; does nothing when it rests.
        mutating func stop(at now: MonotonicInstant) {
            switch self {
            case .open, .closed, .stopped: break
            case .opening, .closing: self = .stopped(position: position(at: now), target: target)
            }
        }

        /// Lets it rest when its travel has ended by `now`.
        mutating func settle(at now: MonotonicInstant) {
            if let arrival, arrival <= now {
                self = State(restingAt: target)
            }
        }
    }
}

extension GarageDoor {
    /// Where a door is to go: Target Door State.
    ///
    /// HAP: §20.1
    enum Target: Int, Sendable, Hashable {
        case open = 0
        case closed = 1

        /// Reads a written or kept value, also a Boolean; `nil` for anything but the two states.
        init?(_ value: CharacteristicValue?) {
            guard let isClosed = value?.isSwitchedOn else { return nil }
            self = isClosed ? .closed : .open
        }

        /// The position there, in percent open.
        var position: Double {
            switch self {
            case .open: 100
            case .closed: 0
            }
        }
    }
}

extension GarageDoor {
    /// Whether something is in the door's way.
    enum Obstruction: Sendable, Hashable {
        case none
        /// Something is; it leaves by itself at `until`, if ever.
        case present(until: MonotonicInstant?)

        /// The value of Obstruction Detected.
        var isDetected: Bool {
            switch self {
            case .none: false
            case .present: true
            }
        }

        /// When it leaves by itself.
        var end: MonotonicInstant? {
            switch self {
            case .none: nil
            case .present(let until): until
            }
        }

        /// Takes it away when its time has ended by `now`.
        mutating func settle(at now: MonotonicInstant) {
            if let end, end <= now {
                self = .none
            }
        }
    }
}

extension GarageDoor {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "garageDoor",
        "A garage door, with its lock if it has one.",
        services: [.garageDoorOpener],
        needs: [.targetDoorState, .currentDoorState],
        standard: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from closed to open as well as back."),
            .duration("lockTravel", \.lockTravel, "What the lock's bolt takes for its whole way."),
            .duration(
                "obstructionClears",
                \.obstructionClears,
                "How long an obstruction lasts; without it, until it is taken away."
            ),
        ]
    ) { configuration, _ in GarageDoor(configuration) }
}
