package import AccessoryModel
package import HAPCore

/// A sensor that detects one thing: motion, occupancy, an open door or window, water or smoke.
///
/// By default it detects nothing by itself, so that it does not disturb tests: ``BehaviorCommand/applySensorInput(_:)``
/// triggers and resets it. With a pattern it is triggered once per period. With ``SensorPattern/regular`` that is at
/// the beginning of each period from the second on, with ``SensorPattern/random`` anywhere in the period. A state set
/// by a command lasts until the pattern changes it.
///
/// Status Active, Status Fault, Status Tampered and Status Low Battery do not change.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct BinarySensor: EventDrivenBehavior {
    /// The detected characteristic depends on the kind; see ``refusal(of:)``.
    package static let rules: WriteRules = [:]
    /// The reported characteristic depends on the kind; see ``requiredTypes``.
    package static let required: [CharacteristicType] = []

    package var values: ServiceValues
    private let kind: Kind
    private let configuration: Configuration
    private let seed: UInt64
    private var schedule: TriggerSchedule?
    private var isTriggered = false
    /// The time of the last change; changes of the pattern up to this time are ignored.
    private var lastChange = MonotonicInstant.zero
    /// The time up to which the pattern's changes are applied.
    private var lastUpdate = MonotonicInstant.zero
    private var resetDeadline: MonotonicInstant?

    /// Creates a sensor that detects nothing.
    ///
    /// - Parameter seed: The seed of the times of ``SensorPattern/random``.
    init(_ kind: Kind, _ configuration: Configuration = Configuration(), seed: UInt64 = 0) {
        self.kind = kind
        self.configuration = configuration
        self.seed = seed
        values = ServiceValues([kind.type])
    }

    package var requiredTypes: [CharacteristicType] { [kind.type] }

    /// Starts the pattern again; without a pattern, adopts the saved value.
    package mutating func restore(at now: MonotonicInstant) {
        schedule = TriggerSchedule(configuration, seed: seed, from: now)
        setTriggered(schedule?.isOn(at: now) ?? values.bool(kind.type) ?? false, at: now)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        write.type == kind.type ? .readOnly : nil
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(resetDeadline, schedule?.nextEdge(after: lastUpdate))
    }

    /// Computes the pattern directly, however much time has passed.
    package mutating func processEvents(through now: MonotonicInstant) {
        if let clears = resetDeadline, clears <= now {
            // Otherwise, the pattern has changed the state before the reset is due.
            if schedule?.nextEdge(after: lastChange).map({ clears < $0 }) ?? true {
                isTriggered = false
                lastChange = clears
            }
            resetDeadline = nil
        }
        if let schedule, let edge = schedule.lastEdge(through: now), edge > lastChange {
            isTriggered = schedule.isOn(at: now)
            lastChange = edge
            resetDeadline = nil
        }
        lastUpdate = max(lastUpdate, now)
        updateValues()
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for the detected characteristic.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == kind.type, let isTriggered = found.value.coercedBool else { return false }
        setTriggered(isTriggered, at: now)
        return true
    }

    private mutating func setTriggered(_ isTriggered: Bool, at now: MonotonicInstant) {
        self.isTriggered = isTriggered
        lastChange = now
        lastUpdate = now
        resetDeadline = isTriggered ? configuration.resetDelay.map { now.advanced(by: max($0, .zero)) } : nil
    }

    package mutating func updateValues() {
        values.set(kind.type, kind.value(isTriggered: isTriggered))
    }

    /// The configuration of a sensor.
    package struct Configuration: Sendable, Hashable {
        /// The way the sensor is triggered by itself; ``SensorPattern/still`` by default.
        package var pattern = SensorPattern.still
        /// The period in which a pattern triggers the sensor once.
        ///
        /// 10 min by default, at least one second.
        package var interval = Duration.seconds(600)
        /// The time that a pattern keeps the sensor triggered.
        ///
        /// 1 min by default, at most ``interval``.
        package var activeDuration = Duration.seconds(60)
        /// The time after which a detection by command is reset; `nil`, the default, means until the next command.
        package var resetDelay: Duration?
    }
}

/// The way a sensor's value changes by itself.
package enum SensorPattern: String, Sendable, Hashable, CaseIterable {
    /// It does not change: only sensor input changes it.
    case still
    /// It changes at regular intervals.
    case regular
    /// It changes at random, from the seed.
    case random
}

extension BinarySensor {
    /// The thing that a sensor detects.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Motion.
        case motion
        /// The presence of a person.
        case occupancy
        /// An open door or window, which breaks the contact.
        case contact
        /// Water.
        case leak
        /// Smoke.
        case smoke

        /// The characteristic that reports the detection.
        package var type: CharacteristicType { traits.type }

        fileprivate var traits: (service: ServiceType, type: CharacteristicType, summary: String) {
            switch self {
            case .motion: (.motionSensor, .motionDetected, "Detects motion on command or by a pattern.")
            case .occupancy:
                (.occupancySensor, .occupancyDetected, "Detects a person on command or by a pattern.")
            case .contact:
                (.contactSensor, .contactSensorState, "Detects an open door or window on command or by a pattern.")
            case .leak: (.leakSensor, .leakDetected, "Detects water on command or by a pattern.")
            case .smoke: (.smokeSensor, .smokeDetected, "Detects smoke on command or by a pattern.")
            }
        }

        /// Returns the value of the characteristic.
        func value(isTriggered: Bool) -> CharacteristicValue {
            switch self {
            case .motion: .bool(isTriggered)
            case .occupancy, .contact, .leak, .smoke: .integer(isTriggered ? 1 : 0)
            }
        }
    }

    /// The times at which a pattern triggers a sensor: once per period, at its beginning or at random.
    ///
    /// The times can be computed directly. So the number of queries does not affect them, and a query after a year
    /// takes no longer.
    struct TriggerSchedule: Sendable, Hashable {
        private let origin: MonotonicInstant
        private let isRandom: Bool
        private let seed: UInt64
        private let period: UInt64
        private let activeDuration: UInt64

        /// Creates a schedule; `nil` without a pattern.
        init?(_ configuration: Configuration, seed: UInt64, from origin: MonotonicInstant) {
            guard configuration.pattern != .still else { return nil }
            self.origin = origin
            self.seed = seed
            isRandom = configuration.pattern == .random
            period = UInt64(max(configuration.interval, .seconds(1)).clampedNanoseconds)
            activeDuration = min(UInt64(max(configuration.activeDuration, .zero).clampedNanoseconds), period)
        }

        /// Returns whether the sensor is triggered at `now`.
        func isOn(at now: MonotonicInstant) -> Bool {
            let elapsed = origin.nanoseconds(to: now)
            guard let occasion = activePeriod(in: elapsed / period) else { return false }
            return occasion.begin <= elapsed && elapsed < occasion.end
        }

        /// Returns the first time after `now` at which a detection begins or ends; `nil` beyond the clock's range.
        func nextEdge(after now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / period
            return [number, number &+ 1].compactMap(activePeriod).flatMap { [$0.begin, $0.end] }
                .first { $0 > elapsed }
                .flatMap(origin.advanced(byNanoseconds:))
        }

        /// Returns the last time up to `now` at which a detection began or ended; `nil` before the first.
        func lastEdge(through now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / period
            return [number == 0 ? nil : number - 1, number].compactMap(\.self).compactMap(activePeriod)
                .flatMap { [$0.begin, $0.end] }
                .last { $0 <= elapsed }
                .flatMap(origin.advanced(byNanoseconds:))
        }

        /// Returns the detection in a period, in nanoseconds from the origin; `nil` if there is none or it is out of
        /// range.
        private func activePeriod(in number: UInt64) -> (begin: UInt64, end: UInt64)? {
            guard isRandom || number > 0 else { return nil }
            let (start, overflow) = number.multipliedReportingOverflow(by: period)
            let room = Double(period - activeDuration) * SeededRandom.unit(at: number, seed: seed)
            let delay = isRandom ? min(UInt64(room), period - activeDuration) : 0
            let (begin, beginOverflow) = start.addingReportingOverflow(delay)
            let (end, endOverflow) = begin.addingReportingOverflow(activeDuration)
            return overflow || beginOverflow || endOverflow ? nil : (begin, end)
        }
    }

    /// The catalog entries of the binary sensors.
    static let definitions = Kind.allCases.map { kind in
        SimulationModelDefinition(
            "\(kind.rawValue)Sensor",
            kind.traits.summary,
            services: [kind.traits.service],
            defaults: Configuration(),
            parameters: [
                .choice(
                    "pattern",
                    \.pattern,
                    "How the sensor is triggered by itself: not at all, regularly, or at random."
                ),
                .duration(
                    "every",
                    \.interval,
                    within: .seconds(1) ... .seconds(86_400),
                    "The period in which a pattern triggers the sensor once."
                ),
                .duration("duration", \.activeDuration, "How long a pattern keeps the sensor triggered."),
                .duration(
                    "resetAfter",
                    \.resetDelay,
                    "The duration of a detection by command. Default: until the next command."
                ),
            ]
        ) { configuration, seed in BinarySensor(kind, configuration, seed: seed) }
    }
}
