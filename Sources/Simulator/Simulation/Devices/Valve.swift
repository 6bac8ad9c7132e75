package import AccessoryModel
package import HAPCore

/// A valve that opens, counts down its time, and closes by itself.
///
/// * Active 1 opens it. Once it is open, In Use is 1 and the time of Set Duration begins. When the time is over, the
///   valve closes: Active becomes 0 immediately, and In Use becomes 0 when the valve is closed. A Set Duration of 0
///   means no limit.
/// * Remaining Duration is reported when the valve is turned on, at the end, and every ``Configuration/reportInterval``
///   in between. Controllers count down by themselves, and a report every second would flood them.
/// * A Set Duration that is written while the valve is open counts from the time at which the valve opened. So the
///   valve may close at once.
/// * When an irrigation system or a faucet of the same accessory is turned off, the valve closes.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Valve: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .inUse: .readOnly, .setDuration: .number, .remainingDuration: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.active, .inUse]

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .inUse: [.active], .remainingDuration: [.setDuration],
    ]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var state = State.closed
    /// The time of the next report of Remaining Duration.
    private var nextReport: MonotonicInstant?

    /// Creates a closed valve.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Adopts the saved values: an open valve stays open for the remaining time, and an opening valve starts to open
    /// again.
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

    /// Skips reports that a later one would replace.
    package mutating func processEvents(through now: MonotonicInstant) {
        while let end = state.end, end <= now {
            handleEvent(at: end)
        }
        if let due = nextReport, due <= now {
            let every = UInt64(max(configuration.reportInterval, .seconds(1)).clampedNanoseconds)
            handleEvent(at: due.advanced(byNanoseconds: due.nanoseconds(to: now) / every * every) ?? due)
        }
    }

    /// Applies Set Duration before Active, so that their order in a request does not matter.
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

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for Active: the valve is turned by hand.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .active, let isOn = found.value.coercedBool else { return false }
        setActive(isOn, at: now)
        return true
    }

    package var observedServices: [ServiceType] { [.irrigationSystem, .faucet] }

    /// Closes when the system that the valve belongs to is turned off.
    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        if changes.contains(where: { $0.type == .active && $0.value.coercedBool == false }) {
            setActive(false, at: now)
        }
    }

    /// Returns the remaining seconds as `remaining`, with a fraction.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("remaining", remaining(at: now), unit: "s")]
    }

    private mutating func setActive(_ isOn: Bool, at now: MonotonicInstant) {
        guard state.isActive != isOn else { return }
        switch state {
        case .closed, .closing: state = .opening(until: now.advanced(by: travel))
        // The valve has not opened yet, so it is closed immediately.
        case .opening: state = .closed
        case .open: state = .closing(until: now.advanced(by: travel))
        }
        updateValues(at: now)
    }

    /// Updates the values for `now`, and schedules the next report.
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

    /// The time that the valve may stay open; `nil` for no limit.
    private var limit: Duration? {
        if let duration = values.seconds(.setDuration), duration > .zero { return duration }
        return configuration.defaultDuration.map { max($0, .zero) }
    }

    private func end(from opened: MonotonicInstant) -> MonotonicInstant? {
        limit.map { opened.advanced(by: $0) }
    }
}

extension ServiceValues {
    /// Returns a number of seconds, at most 31 years; `nil` if there is none.
    fileprivate func seconds(_ type: CharacteristicType) -> Duration? {
        number(type).map { .seconds($0.clamped(to: 0...1e9)) }
    }
}

extension Valve {
    /// The configuration of a valve.
    package struct Configuration: Sendable, Hashable {
        /// The time that the valve takes to open, and to close again.
        ///
        /// 1 s by default; 0 or less makes it immediate.
        package var travelDuration = Duration.seconds(1)
        /// The time that the valve stays open if Set Duration is missing or 0.
        ///
        /// `nil`, the default, means until it is turned off.
        package var defaultDuration: Duration?
        /// The interval in which Remaining Duration is reported while it counts down.
        ///
        /// 60 s by default, at least one second.
        package var reportInterval = Duration.seconds(60)
    }

    /// The state of a valve.
    enum State: Sendable, Hashable {
        case closed
        case opening(until: MonotonicInstant)
        /// Water runs, for a time or until the valve is turned off.
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

        /// The time at which the state ends by itself.
        var end: MonotonicInstant? {
            switch self {
            case .closed: nil
            case .opening(let until), .closing(let until): until
            case .open(_, let until): until
            }
        }
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "valve",
        "A valve that opens, counts its time down and closes.",
        services: [.valve],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travelDuration, "The time that the valve takes to open, and to close again."),
            .duration(
                "defaultDuration",
                \.defaultDuration,
                "The time that the valve stays open without a Set Duration. Default: until it is turned off."
            ),
            .duration(
                "reportInterval",
                \.reportInterval,
                within: .seconds(1) ... .seconds(86_400),
                "The interval in which Remaining Duration is reported while it counts down."
            ),
        ]
    ) { configuration, _ in Valve(configuration) }
}
