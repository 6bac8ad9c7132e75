package import AccessoryModel
package import HAPCore

/// A sensor that tells whether something is there: motion, somebody, an open window, water, smoke.
///
/// By default it finds nothing by itself, so that a test is disturbed by nothing: ``BehaviorCommand/sense(_:)`` sets it
/// off and back. With a pattern it is set off once in each span of time, at its beginning from the second span on
/// (``SensorPattern/regular``) or anywhere in it (``SensorPattern/random``); what it is told by command then holds until
/// the pattern changes it next.
///
/// Status Active, Status Fault, Status Tampered and Status Low Battery stay as they are.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct BinarySensor: EventDriven {
    /// What it finds depends on its kind.
    package static let rules: WriteRules = [:]
    /// What it tells depends on its kind.
    package static let required: [CharacteristicType] = []

    package var values: ServiceValues
    private let kind: Kind
    private let configuration: Configuration
    private let seed: UInt64
    private var occasions: Occasions?
    private var isTriggered = false
    /// When it was told or changed last: what a pattern did before does not count.
    private var lastChange = MonotonicInstant.zero
    /// Up to when the pattern's changes are in.
    private var lastLook = MonotonicInstant.zero
    private var clearing: MonotonicInstant?

    /// Creates a sensor that finds nothing.
    ///
    /// - Parameter seed: What the times of ``SensorPattern/random`` are drawn from.
    init(_ kind: Kind, _ configuration: Configuration = Configuration(), seed: UInt64 = 0) {
        self.kind = kind
        self.configuration = configuration
        self.seed = seed
        values = ServiceValues([kind.type])
    }

    package var fitted: [CharacteristicType] { [kind.type] }

    /// Takes over the kept value; a pattern begins anew, with nothing to find.
    package mutating func restore(at now: MonotonicInstant) {
        occasions = Occasions(configuration, seed: seed, from: now)
        turn(on: occasions?.isOn(at: now) ?? values.state(kind.type) ?? false, at: now)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        write.type == kind.type ? .readOnly : nil
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(clearing, occasions?.edge(after: lastLook))
    }

    /// Takes one look at its pattern, however much of it has passed.
    package mutating func settle(through now: MonotonicInstant) {
        if let clears = clearing, clears <= now {
            // Else the pattern has taken over before.
            if occasions?.edge(after: lastChange).map({ clears < $0 }) ?? true {
                isTriggered = false
                lastChange = clears
            }
            clearing = nil
        }
        if let occasions, let edge = occasions.edge(through: now), edge > lastChange {
            isTriggered = occasions.isOn(at: now)
            lastChange = edge
            clearing = nil
        }
        lastLook = max(lastLook, now)
        tell()
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of what it is there for.
    package mutating func sense(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == kind.type, let isTriggered = found.value.isSwitchedOn else { return false }
        turn(on: isTriggered, at: now)
        return true
    }

    private mutating func turn(on isTriggered: Bool, at now: MonotonicInstant) {
        self.isTriggered = isTriggered
        lastChange = now
        lastLook = now
        clearing = isTriggered ? configuration.clears.map { now.advanced(by: max($0, .zero)) } : nil
    }

    package mutating func tell() {
        values.set(kind.type, kind.value(isTriggered: isTriggered))
    }

    /// How a sensor is built, and what it is made to find.
    package struct Configuration: Sendable, Hashable {
        /// How it is set off by itself; ``SensorPattern/still`` by default.
        package var pattern = SensorPattern.still
        /// The time in which a pattern sets it off once.
        ///
        /// 10 min by default, at least a second.
        package var every = Duration.seconds(600)
        /// How long a pattern sets it off for.
        ///
        /// 1 min by default, at most ``every``.
        package var lasts = Duration.seconds(60)
        /// How long what it was told lasts; `nil`, the default, means until it is told otherwise.
        package var clears: Duration?
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
    struct Occasions: Sendable, Hashable {
        private let origin: MonotonicInstant
        private let isRandom: Bool
        private let seed: UInt64
        private let span: UInt64
        private let length: UInt64

        /// `nil` when nothing is to happen.
        init?(_ configuration: Configuration, seed: UInt64, from origin: MonotonicInstant) {
            guard configuration.pattern != .still else { return nil }
            self.origin = origin
            self.seed = seed
            isRandom = configuration.pattern == .random
            span = UInt64(max(configuration.every, .seconds(1)).clampedNanoseconds)
            length = min(UInt64(max(configuration.lasts, .zero).clampedNanoseconds), span)
        }

        /// Whether it is set off at `now`.
        func isOn(at now: MonotonicInstant) -> Bool {
            let elapsed = origin.nanoseconds(to: now)
            guard let occasion = occasion(in: elapsed / span) else { return false }
            return occasion.begin <= elapsed && elapsed < occasion.end
        }

        /// The next instant after `now` at which an occasion begins or ends; `nil` when the clock does not go so far.
        func edge(after now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / span
            return [number, number &+ 1].compactMap(occasion).flatMap { [$0.begin, $0.end] }
                .first { $0 > elapsed }
                .flatMap(origin.after(nanoseconds:))
        }

        /// The last instant up to `now` at which an occasion began or ended; `nil` before the first.
        func edge(through now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / span
            return [number == 0 ? nil : number - 1, number].compactMap(\.self).compactMap(occasion)
                .flatMap { [$0.begin, $0.end] }
                .last { $0 <= elapsed }
                .flatMap(origin.after(nanoseconds:))
        }

        /// The occasion in a span, in nanoseconds from the origin; `nil` when it has none or lies too far ahead.
        private func occasion(in number: UInt64) -> (begin: UInt64, end: UInt64)? {
            guard isRandom || number > 0 else { return nil }
            let (start, overflow) = number.multipliedReportingOverflow(by: span)
            let room = Double(span - length) * SeededRandom.unit(at: number, of: seed)
            let delay = isRandom ? min(UInt64(room), span - length) : 0
            let (begin, beginOverflow) = start.addingReportingOverflow(delay)
            let (end, endOverflow) = begin.addingReportingOverflow(length)
            return overflow || beginOverflow || endOverflow ? nil : (begin, end)
        }
    }

    /// What files and people are told of these sensors.
    static let definitions = Kind.allCases.map { kind in
        SimulationModelDefinition(
            "\(kind.rawValue)Sensor",
            kind.traits.summary,
            services: [kind.traits.service],
            needs: [kind.type],
            standard: Configuration(),
            parameters: [
                .choice("pattern", \.pattern, "How it is set off by itself: not at all, regularly, or by chance."),
                .duration(
                    "every",
                    \.every,
                    within: .seconds(1) ... .seconds(86_400),
                    "The time in which a pattern sets it off once."
                ),
                .duration("lasts", \.lasts, "How long a pattern sets it off for."),
                .duration(
                    "clears",
                    \.clears,
                    "How long it stays set off by a command; without it, until it is told otherwise."
                ),
            ]
        ) { configuration, seed in BinarySensor(kind, configuration, seed: seed) }
    }
}
