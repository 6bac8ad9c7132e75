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
    private var bolt = Bolt(isSecured: false)

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
        bolt = Bolt(isSecured: isToBeSecured && state == .closed)
        tell()
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(state.arrival, bolt.arrival, obstruction.end)
    }

    package mutating func happen(at due: MonotonicInstant) {
        state.settle(at: due)
        bolt.settle(at: due)
        obstruction.settle(at: due)
        driveBolt(at: due)
        tell()
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        let isBarred = write.type == .targetDoorState && Target(write.value) == .open && bolt.isSecured
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
        bolt.drive(toSecured: isToBeSecured && state == .closed, at: now, wholeWay: configuration.lockTravel)
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
        values.set(.lockCurrentState, choice: bolt.isSecured ? 1 : 0)
    }
}
