package import AccessoryModel
package import HAPCore

/// A security system with time to leave and time to disarm it.
///
/// * A written target arms it after the exit delay; until then Current State is what it was, Disarmed after an alarm.
///   Disarm holds at once, and ends an alarm.
/// * Motion and contact sensors of the same accessory are heard while it is armed: what they find begins the entry delay,
///   and then comes the alarm. Motion counts in mode Away alone, since in Stay and Night somebody is at home; what was
///   found before it was armed does not count.
/// * ``BehaviorCommand/sense(_:)`` of Current State 4 gives the alarm at once, also when it is disarmed; of 0 to 3 it is armed
///   or disarmed at the device, with the target.
/// * An alarm that ends by its time leaves it armed.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct SecuritySystem: Behavior {
    private let configuration: Configuration
    private var state = State.settled(.disarmed)
    private var fitted: Set<CharacteristicType> = [.securitySystemCurrentState, .securitySystemTargetState]
    /// What each heeded sensor finds, as far as it was heard.
    private var findings: [ServiceKey: Bool] = [:]

    /// Creates a system that is disarmed.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values: an alarm goes on, its time begins anew, and what was being armed is.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        fitted.formUnion(values.keys)
        let current = values[.securitySystemCurrentState]
        let target = Mode(values[.securitySystemTargetState]) ?? Mode(current) ?? .disarmed
        if current?.integer == 4, target != .disarmed {
            state = newAlarm(target, at: now)
        } else {
            state = .settled(target)
        }
        settle(through: now)
        var ledger = ChangeLedger(known: values)
        ledger.note(self.values)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        settle(through: now)
        ledger.note(values)
        for write in writes {
            switch write.type {
            case .securitySystemTargetState:
                guard let mode = Mode(write.value) else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                ledger.stored(write)
                arm(mode, at: now)
            case .securitySystemCurrentState, .securitySystemAlarmType:
                refusals[write.type] = .readOnly
            default:
                break
            }
        }
        settle(through: now)
        ledger.note(values)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        state.end
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        settle(through: now)
        ledger.note(values)
        return ledger.changes
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of its two states.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard case .sense(let found) = command else { return nil }
        var ledger = ChangeLedger(known: values)
        var changed = self
        changed.settle(through: now)
        switch found.type {
        case .securitySystemCurrentState:
            if found.value.integer == 4 {
                changed.state = changed.newAlarm(changed.state.target, at: now)
            } else {
                guard let mode = Mode(found.value) else { return nil }
                changed.state = .settled(mode)
            }
        case .securitySystemTargetState:
            guard let mode = Mode(found.value) else { return nil }
            changed.arm(mode, at: now)
        default:
            return nil
        }
        changed.settle(through: now)
        self = changed
        ledger.note(values)
        return ledger.changes
    }

    package var heededServices: [ServiceType] {
        [.motionSensor, .contactSensor]
    }

    /// Hears what the sensors of the same accessory find; what one finds when it is first heard of does not count.
    package mutating func heed(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        settle(through: now)
        for change in changes {
            guard change.type == .motionDetected || change.type == .contactSensorState,
                let isFound = change.value.isSwitchedOn
            else { continue }
            let before = findings.updateValue(isFound, forKey: service)
            if isFound, before == false {
                trip(byMotion: change.type == .motionDetected, at: now)
            }
        }
        settle(through: now)
        ledger.note(values)
        return ledger.changes
    }

    /// Answers with the seconds that are left to leave as `exit`, and to disarm it as `entry`.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        var (exit, entry) = (0.0, 0.0)
        switch state {
        case .settled, .alarm: break
        case .leaving(_, let until, _): exit = Double(now.nanoseconds(to: until)) / 1e9
        case .entering(_, let until): entry = Double(now.nanoseconds(to: until)) / 1e9
        }
        return [BehaviorReading("exit", exit, unit: "s"), BehaviorReading("entry", entry, unit: "s")]
    }
}

extension SecuritySystem {
    private mutating func arm(_ mode: Mode, at now: MonotonicInstant) {
        let present: Mode
        switch state {
        case .settled(let settled): present = settled
        case .leaving(let goal, _, let from):
            guard goal != mode else { return }
            present = from
        // Written again while somebody enters, the mode holds as it is.
        case .entering(let armed, _):
            guard armed != mode else { return }
            present = armed
        case .alarm: present = .disarmed
        }
        if mode == .disarmed || mode == present {
            state = .settled(mode)
        } else {
            state = .leaving(mode, until: now.advanced(by: max(configuration.exitDelay, .zero)), from: present)
        }
    }

    private mutating func trip(byMotion: Bool, at now: MonotonicInstant) {
        guard case .settled(let mode) = state, mode != .disarmed, !(byMotion && mode.allowsMotion) else { return }
        state = .entering(mode, until: now.advanced(by: max(configuration.entryDelay, .zero)))
    }

    private func newAlarm(_ mode: Mode, at now: MonotonicInstant) -> State {
        .alarm(mode, until: configuration.alarm.map { now.advanced(by: max($0, .zero)) })
    }

    /// Goes from deadline to deadline, so that an alarm lasts from its own beginning.
    private mutating func settle(through now: MonotonicInstant) {
        while let end = state.end, end <= now {
            switch state {
            case .settled(let mode), .leaving(let mode, _, _), .alarm(let mode, _): state = .settled(mode)
            case .entering(let mode, _): state = newAlarm(mode, at: end)
            }
        }
    }

    private var values: [BehaviorChange] {
        [
            BehaviorChange(.securitySystemTargetState, .integer(state.target.rawValue)),
            BehaviorChange(.securitySystemCurrentState, .integer(state.current)),
            BehaviorChange(.securitySystemAlarmType, state.current == 4 ? 1 : 0),
        ]
        .filter { fitted.contains($0.type) }
    }
}
