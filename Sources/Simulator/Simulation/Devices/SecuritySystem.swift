package import AccessoryModel
package import HAPCore

/// A security system with an exit delay and an entry delay.
///
/// * A written target arms the system after the exit delay. Until then Current State does not change, unless the system
///   had an alarm: then it is Disarmed. Disarming takes effect immediately, and ends an alarm.
/// * While it is armed, it observes the motion and contact sensors of the same accessory: a detection starts the entry
///   delay, and the alarm follows. Motion counts only in mode Away, since residents are at home in Stay and Night.
///   Detections before it was armed do not count.
/// * ``BehaviorCommand/applySensorInput(_:)`` for Current State 4 starts the alarm at once, even when the system is
///   disarmed. With 0 to 3, the system is armed or disarmed at the device, and the target follows.
/// * When the alarm duration has passed, the alarm ends and the system is still armed.
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
    /// The last known state of each observed sensor.
    private var sensorStates: [ServiceKey: Bool] = [:]

    /// Creates a disarmed system.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Adopts the saved values: an alarm continues with its full duration, and arming that was in progress is complete.
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

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for Current State and Target State.
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

    /// Observes the sensors of the same accessory; a sensor's first report does not count as a detection.
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

    /// Returns the rest of the exit delay as `exit` and of the entry delay as `entry`, in seconds.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        var (exit, entry) = (0.0, 0.0)
        switch state {
        case .settled, .alarm: break
        case .exitDelay(_, let until, _): exit = Double(now.nanoseconds(to: until)) / 1e9
        case .entryDelay(_, let until): entry = Double(now.nanoseconds(to: until)) / 1e9
        }
        return [DeviceReading("exit", exit, unit: "s"), DeviceReading("entry", entry, unit: "s")]
    }

    private mutating func arm(_ mode: Mode, at now: MonotonicInstant) {
        let present: Mode
        switch state {
        case .settled(let settled): present = settled
        case .exitDelay(let goal, _, let from):
            guard goal != mode else { return }
            present = from
        // The same mode written during the entry delay changes nothing.
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

    /// The configuration of a security system.
    package struct Configuration: Sendable, Hashable {
        /// The time from a written target until the system is armed.
        ///
        /// 30 s by default; 0 or less arms it at once.
        package var exitDelay = Duration.seconds(30)
        /// The time from a detection until the alarm, in which the system can be disarmed.
        ///
        /// 30 s by default; 0 or less starts the alarm at once.
        package var entryDelay = Duration.seconds(30)
        /// The duration of the alarm; `nil`, the default, means until it is disarmed.
        package var alarmDuration: Duration?
    }

    /// The values of Security System Target State.
    enum Mode: Int, Sendable, Hashable {
        case stay = 0
        case away = 1
        case night = 2
        case disarmed = 3

        /// Creates a mode from a written or saved value; `nil` for any other value.
        init?(_ value: CharacteristicValue?) {
            guard let number = value?.integer, let mode = Mode(rawValue: number) else { return nil }
            self = mode
        }

        /// Whether motion inside is expected.
        var allowsMotion: Bool {
            switch self {
            case .stay, .night, .disarmed: true
            case .away: false
            }
        }
    }

    /// The state of a security system.
    enum State: Sendable, Hashable {
        /// The current mode is the target.
        case settled(Mode)
        /// The system enters the first mode when the delay ends; until then it is in the mode `from`.
        case exitDelay(Mode, until: MonotonicInstant, from: Mode)
        /// A sensor has detected something; the alarm follows.
        case entryDelay(Mode, until: MonotonicInstant)
        /// The alarm sounds, for a time or until the system is disarmed.
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

        /// The time at which the state ends by itself.
        var end: MonotonicInstant? {
            switch self {
            case .settled: nil
            case .exitDelay(_, let until, _), .entryDelay(_, let until): until
            case .alarm(_, let until): until
            }
        }
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "securitySystem",
        "A security system with exit and entry delays that observes its accessory's motion and contact sensors.",
        services: [.securitySystem],
        defaults: Configuration(),
        parameters: [
            .duration("exitDelay", \.exitDelay, "The time from a written target until the system is armed."),
            .duration("entryDelay", \.entryDelay, "The time from a detection until the alarm."),
            .duration("alarm", \.alarmDuration, "The duration of an alarm. Default: until the system is disarmed."),
        ]
    ) { configuration, _ in SecuritySystem(configuration) }
}
