package import AccessoryModel
package import HAPCore

/// A valve that opens, counts its time down, and closes by itself.
///
/// * Active 1 opens it: In Use is 1 once it is open, and Set Duration begins. At the end it closes: Active is 0, and In
///   Use once it is closed. A Set Duration of 0 sets no time.
/// * Remaining Duration is told when the valve is turned on, at the end, and in between each ``Configuration/reportInterval``:
///   controllers count for themselves, and told each second it would flood them.
/// * A Set Duration written while it is open holds from when it opened: it may end at once.
/// * An irrigation system or a faucet of the same accessory that is turned off closes it.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Valve: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .inUse: .readOnly, .setDuration: .number, .remainingDuration: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.active, .inUse]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var state = State.closed
    /// When Remaining Duration is told next.
    private var nextReport: MonotonicInstant?

    /// Creates a closed valve.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values: a valve that was open is, for the time that was left; one that was opening opens.
    package mutating func restore(at now: MonotonicInstant) {
        values.setDefault(.setDuration, 0)
        let isActive = values.bool(.active) ?? false
        if isActive, values.bool(.inUse) ?? false {
            let left = values.seconds(.remainingDuration)
            let until = left.flatMap { $0 > .zero ? now.advanced(by: $0) : nil } ?? end(from: now)
            state = .open(since: now, until: until)
        } else {
            state = isActive ? .opening(until: now.advanced(by: travel)) : .closed
        }
        updateValues(at: now)
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(state.end, nextReport)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        if let end = state.end, end <= due {
            switch state {
            case .closed, .closing: state = .closed
            case .opening: state = .open(since: end, until: self.end(from: end))
            case .open: state = .closing(until: end.advanced(by: travel))
            }
        }
        updateValues(at: due)
    }

    /// Leaves out the reports that would only be overtaken.
    package mutating func processEvents(through now: MonotonicInstant) {
        while let end = state.end, end <= now {
            handleEvent(at: end)
        }
        if let due = nextReport, due <= now {
            let every = UInt64(max(configuration.reportInterval, .seconds(1)).clampedNanoseconds)
            handleEvent(at: due.advanced(byNanoseconds: due.nanoseconds(to: now) / every * every) ?? due)
        }
    }

    /// Lets the time of a request hold for its own Active, in either order.
    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        if writes.contains(where: { $0.type == .setDuration }) {
            if case .open(let since, _) = state {
                state = .open(since: since, until: end(from: since))
            }
            updateValues(at: now)
        }
        if let isOn = writes.last(where: { $0.type == .active })?.value.coercedBool {
            setActive(isOn, at: now)
        }
    }

    /// Knows ``BehaviorCommand/applySensorInput(_:)`` of Active: somebody turns it by hand.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .active, let isOn = found.value.coercedBool else { return false }
        setActive(isOn, at: now)
        return true
    }

    package var observedServices: [ServiceType] { [.irrigationSystem, .faucet] }

    /// Closes when the system that it belongs to is turned off.
    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        if changes.contains(where: { $0.type == .active && $0.value.coercedBool == false }) {
            setActive(false, at: now)
        }
    }

    /// Answers with the seconds that are left as `remaining`, to the fraction.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("remaining", remaining(at: now), unit: "s")]
    }

    private mutating func setActive(_ isOn: Bool, at now: MonotonicInstant) {
        guard state.isActive != isOn else { return }
        switch state {
        case .closed, .closing: state = .opening(until: now.advanced(by: travel))
        // Hardly begun, it is closed again.
        case .opening: state = .closed
        case .open: state = .closing(until: now.advanced(by: travel))
        }
        updateValues(at: now)
    }

    /// Tells the state and what remains of it at `now`, and when that is told next.
    private mutating func updateValues(at now: MonotonicInstant) {
        values.set(.active, integer: state.isActive ? 1 : 0)
        values.set(.inUse, integer: state.isInUse ? 1 : 0)
        values.set(.remainingDuration, integer: Int(remaining(at: now).rounded(.up)))
        let next = now.advanced(by: max(configuration.reportInterval, .seconds(1)))
        nextReport = nil
        if case .open(_, let until?) = state, next < until {
            nextReport = next
        }
    }

    private func remaining(at now: MonotonicInstant) -> Double {
        switch state {
        case .closed, .closing, .open(_, nil):
            0
        case .opening:
            Double((limit ?? .zero).clampedNanoseconds) / 1e9
        case .open(_, let until?):
            Double(now.nanoseconds(to: until)) / 1e9
        }
    }

    private var travel: Duration {
        max(configuration.travelDuration, .zero)
    }

    /// How long it may be open.
    private var limit: Duration? {
        if let duration = values.seconds(.setDuration), duration > .zero { return duration }
        return configuration.defaultDuration.map { max($0, .zero) }
    }

    private func end(from opened: MonotonicInstant) -> MonotonicInstant? {
        limit.map { opened.advanced(by: $0) }
    }
}

extension ServiceValues {
    /// A number of seconds, at most 31 years; `nil` when there is none.
    fileprivate func seconds(_ type: CharacteristicType) -> Duration? {
        number(type).map { .seconds($0.clamped(to: 0...1e9)) }
    }
}

extension Valve {
    /// How a valve is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to open, and to close again.
        ///
        /// 1 s by default; 0 or less makes it immediate.
        package var travelDuration = Duration.seconds(1)
        /// How long it stays open where the service has no Set Duration, or that is 0; `nil`, the default, means until it
        /// is turned off.
        package var defaultDuration: Duration?
        /// How often Remaining Duration is told while it counts down.
        ///
        /// 60 s by default, at least a second.
        package var reportInterval = Duration.seconds(60)
    }

    /// What a valve is doing.
    enum State: Sendable, Hashable {
        case closed
        case opening(until: MonotonicInstant)
        /// Water runs, for a time or until it is turned off.
        case open(since: MonotonicInstant, until: MonotonicInstant?)
        case closing(until: MonotonicInstant)

        /// The value of Active.
        var isActive: Bool {
            switch self {
            case .closed, .closing: false
            case .opening, .open: true
            }
        }

        /// The value of In Use: whether water runs.
        var isInUse: Bool {
            switch self {
            case .closed, .opening: false
            case .open, .closing: true
            }
        }

        /// When it changes by itself.
        var end: MonotonicInstant? {
            switch self {
            case .closed: nil
            case .opening(let until), .closing(let until): until
            case .open(_, let until): until
            }
        }
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "valve",
        "A valve that opens, counts its time down and closes.",
        services: [.valve],
        requiredTypes: [.active, .inUse],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travelDuration, "What it takes to open, and to close again."),
            .duration(
                "defaultDuration",
                \.defaultDuration,
                "How long it stays open without a Set Duration; without it, until turned off."
            ),
            .duration(
                "reportInterval",
                \.reportInterval,
                within: .seconds(1) ... .seconds(86_400),
                "How often Remaining Duration is told while it counts down."
            ),
        ]
    ) { configuration, _ in Valve(configuration) }
}
