package import AccessoryModel
package import HAPCore

/// A security system with time to leave and time to disarm it.
///
/// * A written target arms it after the exit delay; until then Current State is what it was, Disarmed after an alarm.
///   Disarm holds at once, and ends an alarm.
/// * Motion and contact sensors of the same accessory are heard while it is armed: what they find begins the entry delay,
///   and then comes the alarm. Motion counts in mode Away alone, since in Stay and Night somebody is at home; what was
///   found before it was armed does not count.
/// * ``BehaviorCommand/applySensorInput(_:)`` of Current State 4 gives the alarm at once, also when it is disarmed; of 0 to 3 it is armed
///   or disarmed at the device, with the target.
/// * An alarm that ends by its time leaves it armed.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct SecuritySystem: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .securitySystemTargetState: .integer(0...3), .securitySystemCurrentState: .readOnly,
        .securitySystemAlarmType: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.securitySystemCurrentState, .securitySystemTargetState]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var state = State.settled(.disarmed)
    /// What each heeded sensor finds, as far as it was heard.
    private var sensorStates: [ServiceKey: Bool] = [:]

    /// Creates a system that is disarmed.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values: an alarm goes on, its time begins anew, and what was being armed is.
    package mutating func restore(at now: MonotonicInstant) {
        let current = values[.securitySystemCurrentState]
        let target = Mode(values[.securitySystemTargetState]) ?? Mode(current) ?? .disarmed
        let isAlarm = current?.coercedInteger == 4 && target != .disarmed
        sensorStates = [:]
        state = isAlarm ? alarmState(target, at: now) : .settled(target)
    }

    package var nextEvent: MonotonicInstant? { state.end }

    package mutating func handleEvent(at due: MonotonicInstant) {
        switch state {
        case .settled(let mode), .exitDelay(let mode, _, _), .alarm(let mode, _): state = .settled(mode)
        case .entryDelay(let mode, _): state = alarmState(mode, at: due)
        }
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        let isNoMode = write.type == .securitySystemTargetState && Mode(write.value) == nil
        return isNoMode ? .invalidValue : Self.rules[write.type]?.refusal(of: write.value)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard let mode = Mode(writes.last { $0.type == .securitySystemTargetState }?.value) else { return }
        arm(mode, at: now)
    }

    /// Knows ``BehaviorCommand/applySensorInput(_:)`` of its two states.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        switch found.type {
        case .securitySystemCurrentState:
            if found.value.coercedInteger == 4 {
                state = alarmState(state.target, at: now)
            } else {
                guard let mode = Mode(found.value) else { return false }
                state = .settled(mode)
            }
        case .securitySystemTargetState:
            guard let mode = Mode(found.value) else { return false }
            arm(mode, at: now)
        default:
            return false
        }
        return true
    }

    package var observedServices: [ServiceType] { [.motionSensor, .contactSensor] }

    /// Hears what the sensors of the same accessory find; what one finds when it is first heard of does not count.
    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        for change in changes {
            guard change.type == .motionDetected || change.type == .contactSensorState,
                let isFound = change.value.coercedBool
            else { continue }
            let before = sensorStates.updateValue(isFound, forKey: service)
            if isFound, before == false {
                trip(byMotion: change.type == .motionDetected, at: now)
            }
        }
        updateValues()
    }

    /// Answers with the seconds that are left to leave as `exit`, and to disarm it as `entry`.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        var (exit, entry) = (0.0, 0.0)
        switch state {
        case .settled, .alarm: break
        case .exitDelay(_, let until, _): exit = Double(now.nanoseconds(to: until)) / 1e9
        case .entryDelay(_, let until): entry = Double(now.nanoseconds(to: until)) / 1e9
        }
        return [BehaviorReading("exit", exit, unit: "s"), BehaviorReading("entry", entry, unit: "s")]
    }

    private mutating func arm(_ mode: Mode, at now: MonotonicInstant) {
        let present: Mode
        switch state {
        case .settled(let settled): present = settled
        case .exitDelay(let goal, _, let from):
            guard goal != mode else { return }
            present = from
        // Written again while somebody enters, the mode holds as it is.
        case .entryDelay(let armed, _):
            guard armed != mode else { return }
            present = armed
        case .alarm: present = .disarmed
        }
        if mode == .disarmed || mode == present {
            state = .settled(mode)
        } else {
            state = .exitDelay(mode, until: now.advanced(by: max(configuration.exitDelay, .zero)), from: present)
        }
    }

    private mutating func trip(byMotion: Bool, at now: MonotonicInstant) {
        guard case .settled(let mode) = state, mode != .disarmed, !(byMotion && mode.allowsMotion) else { return }
        state = .entryDelay(mode, until: now.advanced(by: max(configuration.entryDelay, .zero)))
    }

    private func alarmState(_ mode: Mode, at now: MonotonicInstant) -> State {
        .alarm(mode, until: configuration.alarmDuration.map { now.advanced(by: max($0, .zero)) })
    }

    package mutating func updateValues() {
        values.set(.securitySystemTargetState, integer: state.target.rawValue)
        values.set(.securitySystemCurrentState, integer: state.current)
        values.set(.securitySystemAlarmType, integer: state.current == 4 ? 1 : 0)
    }

    /// How a security system is built.
    package struct Configuration: Sendable, Hashable {
        /// The time to leave, from a written target until it is armed.
        ///
        /// 30 s by default; 0 or less arms it at once.
        package var exitDelay = Duration.seconds(30)
        /// The time to disarm it, from what a sensor finds until the alarm.
        ///
        /// 30 s by default; 0 or less gives the alarm at once.
        package var entryDelay = Duration.seconds(30)
        /// How long the alarm lasts; `nil`, the default, means until it is disarmed.
        package var alarmDuration: Duration?
    }

    /// What it is to be, as Security System Target State tells it.
    enum Mode: Int, Sendable, Hashable {
        case stay = 0
        case away = 1
        case night = 2
        case disarmed = 3

        /// Reads a written or kept value; `nil` for anything but the four.
        init?(_ value: CharacteristicValue?) {
            guard let number = value?.integer, let mode = Mode(rawValue: number) else { return nil }
            self = mode
        }

        /// Whether somebody who moves inside belongs there.
        var allowsMotion: Bool {
            switch self {
            case .stay, .night, .disarmed: true
            case .away: false
            }
        }
    }

    /// What it is doing.
    enum State: Sendable, Hashable {
        /// It is what it is to be.
        case settled(Mode)
        /// It will be armed in a mode, and is another until then.
        case exitDelay(Mode, until: MonotonicInstant, from: Mode)
        /// A sensor has found something: there will be an alarm.
        case entryDelay(Mode, until: MonotonicInstant)
        /// There is an alarm, for a time or until it is disarmed.
        case alarm(Mode, until: MonotonicInstant?)

        /// The value of Security System Current State.
        var current: Int {
            switch self {
            case .settled(let mode), .exitDelay(_, _, let mode), .entryDelay(let mode, _): mode.rawValue
            case .alarm: 4
            }
        }

        /// The value of Security System Target State.
        var target: Mode {
            switch self {
            case .settled(let mode), .exitDelay(let mode, _, _), .entryDelay(let mode, _), .alarm(let mode, _): mode
            }
        }

        /// When it changes by itself.
        var end: MonotonicInstant? {
            switch self {
            case .settled: nil
            case .exitDelay(_, let until, _), .entryDelay(_, let until): until
            case .alarm(_, let until): until
            }
        }
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "securitySystem",
        "A security system with time to leave and to disarm it, which hears the accessory's motion and contact sensors.",
        services: [.securitySystem],
        requiredTypes: [.securitySystemCurrentState, .securitySystemTargetState],
        defaults: Configuration(),
        parameters: [
            .duration("exitDelay", \.exitDelay, "The time from a written target until it is armed."),
            .duration("entryDelay", \.entryDelay, "The time from what a sensor finds until the alarm."),
            .duration("alarm", \.alarmDuration, "How long an alarm lasts; without it, until it is disarmed."),
        ]
    ) { configuration, _ in SecuritySystem(configuration) }
}
