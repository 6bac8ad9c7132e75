package import AccessoryModel
package import HAPCore

/// A sensor that tells whether something is there: motion, somebody, an open window, water, smoke.
///
/// By default it finds nothing by itself, so that a test is disturbed by nothing: ``BehaviorCommand/applySensorInput(_:)`` sets it
/// off and back. With a pattern it is set off once in each span of time, at its beginning from the second span on
/// (``SensorPattern/regular``) or anywhere in it (``SensorPattern/random``); what it is told by command then holds until
/// the pattern changes it next.
///
/// Status Active, Status Fault, Status Tampered and Status Low Battery stay as they are.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct BinarySensor: EventDrivenBehavior {
    /// What it finds depends on its kind.
    package static let rules: WriteRules = [:]
    /// What it tells depends on its kind.
    package static let required: [CharacteristicType] = []

    package var values: ServiceValues
    private let kind: Kind
    private let configuration: Configuration
    private let seed: UInt64
    private var schedule: TriggerSchedule?
    private var isTriggered = false
    /// When it was told or changed last: what a pattern did before does not count.
    private var lastChange = MonotonicInstant.zero
    /// Up to when the pattern's changes are in.
    private var lastUpdate = MonotonicInstant.zero
    private var resetDeadline: MonotonicInstant?

    /// Creates a sensor that finds nothing.
    ///
    /// - Parameter seed: What the times of ``SensorPattern/random`` are drawn from.
    init(_ kind: Kind, _ configuration: Configuration = Configuration(), seed: UInt64 = 0) {
        self.kind = kind
        self.configuration = configuration
        self.seed = seed
        values = ServiceValues([kind.type])
    }

    package var requiredTypes: [CharacteristicType] { [kind.type] }

    /// Takes over the kept value; a pattern begins anew, with nothing to find.
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

    /// Takes one look at its pattern, however much of it has passed.
    package mutating func processEvents(through now: MonotonicInstant) {
        if let clears = resetDeadline, clears <= now {
            // Else the pattern has taken over before.
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

    /// Knows ``BehaviorCommand/applySensorInput(_:)`` of what it is there for.
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

    /// How a sensor is built, and what it is made to find.
    package struct Configuration: Sendable, Hashable {
        /// How it is set off by itself; ``SensorPattern/still`` by default.
        package var pattern = SensorPattern.still
        /// The time in which a pattern sets it off once.
        ///
        /// 10 min by default, at least a second.
        package var interval = Duration.seconds(600)
        /// How long a pattern sets it off for.
        ///
        /// 1 min by default, at most ``interval``.
        package var activeDuration = Duration.seconds(60)
        /// How long what it was told lasts; `nil`, the default, means until it is told otherwise.
        package var resetDelay: Duration?
    }
}

/// How what a sensor finds changes by itself.
package enum SensorPattern: String, Sendable, Hashable, CaseIterable {
    /// Not at all: it finds what it is told.
    case still
    /// The same again and again.
    case regular
    /// By chance, from the seed.
    case random
}

extension BinarySensor {
    /// What a sensor is there for.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Somebody moves.
        case motion
        /// Somebody is there.
        case occupancy
        /// A door or a window is open: it has lost its contact.
        case contact
        /// There is water.
        case leak
        /// There is smoke.
        case smoke

        /// The characteristic that tells it.
        package var type: CharacteristicType { traits.type }

        fileprivate var traits: (service: ServiceType, type: CharacteristicType, summary: String) {
            switch self {
            case .motion: (.motionSensor, .motionDetected, "Sees motion when it is told, or by a pattern.")
            case .occupancy:
                (.occupancySensor, .occupancyDetected, "Finds somebody when it is told, or by a pattern.")
            case .contact:
                (.contactSensor, .contactSensorState, "A door or window is opened when it is told, or by a pattern.")
            case .leak: (.leakSensor, .leakDetected, "Finds water when it is told, or by a pattern.")
            case .smoke: (.smokeSensor, .smokeDetected, "Finds smoke when it is told, or by a pattern.")
            }
        }

        /// What the characteristic says.
        func value(isTriggered: Bool) -> CharacteristicValue {
            switch self {
            case .motion: .bool(isTriggered)
            case .occupancy, .contact, .leak, .smoke: .integer(isTriggered ? 1 : 0)
            }
        }
    }

    /// When a pattern sets a sensor off: once in each span of time, at its beginning or by chance.
    ///
    /// All of it follows from the instant alone, so that looking often and looking once give the same answer, and looking
    /// after a year takes no longer.
    struct TriggerSchedule: Sendable, Hashable {
        private let origin: MonotonicInstant
        private let isRandom: Bool
        private let seed: UInt64
        private let period: UInt64
        private let activeDuration: UInt64

        /// `nil` when nothing is to happen.
        init?(_ configuration: Configuration, seed: UInt64, from origin: MonotonicInstant) {
            guard configuration.pattern != .still else { return nil }
            self.origin = origin
            self.seed = seed
            isRandom = configuration.pattern == .random
            period = UInt64(max(configuration.interval, .seconds(1)).clampedNanoseconds)
            activeDuration = min(UInt64(max(configuration.activeDuration, .zero).clampedNanoseconds), period)
        }

        /// Whether it is set off at `now`.
        func isOn(at now: MonotonicInstant) -> Bool {
            let elapsed = origin.nanoseconds(to: now)
            guard let occasion = activePeriod(in: elapsed / period) else { return false }
            return occasion.begin <= elapsed && elapsed < occasion.end
        }

        /// The next instant after `now` at which an occasion begins or ends; `nil` when the clock does not go so far.
        func nextEdge(after now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / period
            return [number, number &+ 1].compactMap(activePeriod).flatMap { [$0.begin, $0.end] }
                .first { $0 > elapsed }
                .flatMap(origin.advanced(byNanoseconds:))
        }

        /// The last instant up to `now` at which an occasion began or ended; `nil` before the first.
        func lastEdge(through now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / period
            return [number == 0 ? nil : number - 1, number].compactMap(\.self).compactMap(activePeriod)
                .flatMap { [$0.begin, $0.end] }
                .last { $0 <= elapsed }
                .flatMap(origin.advanced(byNanoseconds:))
        }

        /// The occasion in a span, in nanoseconds from the origin; `nil` when it has none or lies too far ahead.
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

    /// What files and people are told of these sensors.
    static let definitions = Kind.allCases.map { kind in
        SimulationModelDefinition(
            "\(kind.rawValue)Sensor",
            kind.traits.summary,
            services: [kind.traits.service],
            requiredTypes: [kind.type],
            defaults: Configuration(),
            parameters: [
                .choice("pattern", \.pattern, "How it is set off by itself: not at all, regularly, or by chance."),
                .duration(
                    "every",
                    \.interval,
                    within: .seconds(1) ... .seconds(86_400),
                    "The time in which a pattern sets it off once."
                ),
                .duration("duration", \.activeDuration, "How long a pattern sets it off for."),
                .duration(
                    "resetAfter",
                    \.resetDelay,
                    "How long it stays set off by a command; without it, until it is told otherwise."
                ),
            ]
        ) { configuration, seed in BinarySensor(kind, configuration, seed: seed) }
    }
}
