package import AccessoryModel
package import HAPCore

/// A garage door that takes its time, with an obstruction sensor and a lock.
///
/// It moves a Garage Door Opener service. The two lock characteristics are optional there: nothing but a write or a
/// kept value of theirs moves the bolt, so that a service without them never hears of it.
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
package struct GarageDoor: Behavior {
    private let configuration: Configuration
    private var state = State.closed
    private var obstruction = Obstruction.none
    private var isToBeSecured = false
    private var bolt = Bolt(isSecured: false)

    /// Creates a door that is closed, unsecured and not obstructed.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values, and brings to an end what was under way.
    ///
    /// A door that was travelling has arrived in the meantime, as a real one would have: its target tells where it is.
    /// So it does where the kept values contradict each other, or the target alone was declared. A stopped door is still
    /// stopped, with its target; where was not kept, so it is half open. The bolt is where its target says, as far as
    /// the door lets it: of a door that is not closed it is drawn back, and waits. An obstruction is still there; its
    /// time begins anew.
    ///
    /// HAP: §20.1
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        state = Self.state(
            keptCurrent: values[.currentDoorState]?.integer,
            keptTarget: Target(values[.targetDoorState])
        )
        obstruction = values[.obstructionDetected]?.isSwitchedOn == true ? newObstruction(at: now) : .none
        let keptLock = values[.lockTargetState] ?? values[.lockCurrentState]
        isToBeSecured = keptLock?.isSwitchedOn ?? false
        bolt = Bolt(isSecured: isToBeSecured && state == .closed)

        var ledger = ChangeLedger(known: values)
        ledger.note(keptLock == nil ? doorValues : doorValues + lockValues)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        for write in writes {
            if let refusal = take(write, at: now, noting: &ledger) {
                refusals[write.type] = refusal
            }
            ledger.note(values)
            settle(through: now, noting: &ledger)
        }
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        [state.arrival, bolt.arrival, obstruction.end].compactMap(\.self).min()
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        switch command {
        case .stop: state.stop(at: now)
        case .obstruct: obstruct(at: now)
        case .clearObstruction: obstruction = .none
        case .press, .sense: return nil
        }
        ledger.note(values)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    /// Answers with how far the door is open as `position`, and how far the lock's bolt is out as `bolt`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        var door = self
        _ = door.advance(to: now)
        return [
            BehaviorReading("position", door.state.position(at: now), unit: "%"),
            BehaviorReading("bolt", door.bolt.position(at: now), unit: "%"),
        ]
    }
}

// MARK: - Inputs

extension GarageDoor {
    /// Takes one write; returns why it is refused, `nil` when it is accepted.
    private mutating func take(
        _ write: BehaviorChange,
        at now: MonotonicInstant,
        noting ledger: inout ChangeLedger
    ) -> HAPStatus? {
        switch write.type {
        case .targetDoorState:
            guard let target = Target(write.value) else { return .invalidValue }
            if target == .open, bolt.isSecured { return .notAllowedInCurrentState }
            ledger.stored(BehaviorChange(.targetDoorState, .integer(target.rawValue)))
            drive(to: target, at: now)
        case .lockTargetState:
            guard let secured = write.value.isSwitchedOn else { return .invalidValue }
            ledger.stored(BehaviorChange(.lockTargetState, .integer(secured ? 1 : 0)))
            isToBeSecured = secured
            driveBolt(at: now)
        case .currentDoorState, .obstructionDetected, .lockCurrentState:
            return .readOnly
        default:
            break
        }
        return nil
    }

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
}

// MARK: - Time and values

extension GarageDoor {
    /// Goes from deadline to deadline, so that what one of them sets off begins then and not at `now`.
    private mutating func settle(through now: MonotonicInstant, noting ledger: inout ChangeLedger) {
        while let due = nextDeadline, due <= now {
            state.settle(at: due)
            bolt.settle(at: due)
            obstruction.settle(at: due)
            driveBolt(at: due)
            ledger.note(values)
        }
    }

    private static func state(keptCurrent: Int?, keptTarget: Target?) -> State {
        switch (keptCurrent, keptTarget) {
        case (4, let target): .stopped(position: 50, target: target ?? .closed)
        case (_, let target?): State(restingAt: target)
        case (0, nil), (2, nil): .open
        case (_, nil): .closed
        }
    }

    private var values: [BehaviorChange] {
        doorValues + lockValues
    }

    private var doorValues: [BehaviorChange] {
        [
            BehaviorChange(.obstructionDetected, .bool(obstruction.isDetected)),
            BehaviorChange(.targetDoorState, .integer(state.target.rawValue)),
            BehaviorChange(.currentDoorState, .integer(state.current)),
        ]
    }

    private var lockValues: [BehaviorChange] {
        [
            BehaviorChange(.lockTargetState, .integer(isToBeSecured ? 1 : 0)),
            BehaviorChange(.lockCurrentState, .integer(bolt.isSecured ? 1 : 0)),
        ]
    }
}
