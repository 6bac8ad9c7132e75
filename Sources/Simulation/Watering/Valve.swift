package import AccessoryModel
package import HAPCore

/// A valve that opens, counts its time down, and closes by itself.
///
/// * Active 1 opens it: In Use is 1 once it is open, and Set Duration begins. At the end it closes: Active is 0, and In
///   Use once it is closed. A Set Duration of 0 sets no time.
/// * Remaining Duration is told when the valve is turned on, at the end, and in between each ``Configuration/reports``:
///   controllers count for themselves, and told each second it would flood them.
/// * A Set Duration written while it is open holds from when it opened: it may end at once.
/// * An irrigation system or a faucet of the same accessory that is turned off closes it.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Valve: Behavior {
    private let configuration: Configuration
    private var state = State.closed
    /// Set Duration; `nil` when there is none.
    private var duration: Duration?
    private var fitted: Set<CharacteristicType> = [.active, .inUse]
    /// Remaining Duration as it was told last, and when it is told next.
    private var remaining = 0
    private var nextReport: MonotonicInstant?

    /// Creates a closed valve.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values: a valve that was open is, for the time that was left; one that was opening opens.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        fitted.formUnion(values.keys)
        duration = values[.setDuration].flatMap(Self.seconds)
        let isActive = values[.active]?.isSwitchedOn ?? false
        if isActive, values[.inUse]?.isSwitchedOn ?? false {
            let left = values[.remainingDuration].flatMap(Self.seconds)
            let until = left.flatMap { $0 > .zero ? now.advanced(by: $0) : nil } ?? end(from: now)
            state = .open(since: now, until: until)
        } else if isActive {
            state = .opening(until: now.advanced(by: travel))
        }
        tell(at: now)
        var ledger = ChangeLedger(known: values)
        ledger.note(self.values)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        // The time of a request holds for its own Active, in either order.
        for write in writes where write.type == .setDuration {
            guard let written = Self.seconds(write.value) else {
                refusals[write.type] = .invalidValue
                continue
            }
            set(written, at: now)
        }
        for write in writes {
            switch write.type {
            case .active:
                guard let isOn = write.value.isSwitchedOn else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                ledger.stored(BehaviorChange(.active, .integer(isOn ? 1 : 0)))
                turn(on: isOn, at: now)
            case .inUse, .remainingDuration:
                refusals[write.type] = .readOnly
            default:
                break
            }
        }
        ledger.note(values)
        settle(through: now, noting: &ledger)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        [state.end, nextReport].compactMap(\.self).min()
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of Active: somebody turns it by hand.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard case .sense(let found) = command, found.type == .active, let isOn = found.value.isSwitchedOn else {
            return nil
        }
        return turned(on: isOn, at: now)
    }

    package var heededServices: [ServiceType] {
        [.irrigationSystem, .faucet]
    }

    /// Closes when the system that it belongs to is turned off.
    package mutating func heed(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        let isOff = changes.contains { $0.type == .active && $0.value.isSwitchedOn == false }
        return isOff ? turned(on: false, at: now) : advance(to: now)
    }

    /// Answers with the seconds that are left as `remaining`, to the fraction.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("remaining", left(at: now), unit: "s")]
    }
}

extension Valve {
    private mutating func turned(on isOn: Bool, at now: MonotonicInstant) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        turn(on: isOn, at: now)
        ledger.note(values)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    private mutating func turn(on isOn: Bool, at now: MonotonicInstant) {
        guard state.isActive != isOn else { return }
        switch state {
        case .closed, .closing: state = .opening(until: now.advanced(by: travel))
        // Hardly begun, it is closed again.
        case .opening: state = .closed
        case .open: state = .closing(until: now.advanced(by: travel))
        }
        tell(at: now)
    }

    private mutating func set(_ written: Duration, at now: MonotonicInstant) {
        duration = written
        if case .open(let since, _) = state {
            state = .open(since: since, until: end(from: since))
        }
        tell(at: now)
    }

    /// Goes from deadline to deadline, so that what one of them sets off begins then and not at `now`; reports that
    /// would only be overtaken are left out.
    private mutating func settle(through now: MonotonicInstant, noting ledger: inout ChangeLedger) {
        while let end = state.end, end <= now {
            switch state {
            case .closed, .closing: state = .closed
            case .opening: state = .open(since: end, until: self.end(from: end))
            case .open: state = .closing(until: end.advanced(by: travel))
            }
            tell(at: end)
            ledger.note(values)
        }
        if let due = nextReport, due <= now {
            let every = UInt64(max(configuration.reports, .seconds(1)).clampedNanoseconds)
            tell(at: due.after(nanoseconds: due.nanoseconds(to: now) / every * every) ?? due)
            ledger.note(values)
        }
    }

    /// Has Remaining Duration told as it is at `now`, and next after a while.
    private mutating func tell(at now: MonotonicInstant) {
        remaining = Int(left(at: now).rounded(.up))
        let next = now.advanced(by: max(configuration.reports, .seconds(1)))
        nextReport = nil
        if case .open(_, let until?) = state, next < until {
            nextReport = next
        }
    }

    private func left(at now: MonotonicInstant) -> Double {
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
        max(configuration.opens, .zero)
    }

    /// How long it may be open.
    private var limit: Duration? {
        if let duration, duration > .zero { return duration }
        return configuration.lasts.map { max($0, .zero) }
    }

    private func end(from opened: MonotonicInstant) -> MonotonicInstant? {
        limit.map { opened.advanced(by: $0) }
    }

    /// A number of seconds, at most 31 years; `nil` for what is none.
    private static func seconds(_ value: CharacteristicValue) -> Duration? {
        guard let seconds = value.finiteDouble else { return nil }
        return .seconds(min(max(seconds, 0), 1e9))
    }

    private var values: [BehaviorChange] {
        [
            BehaviorChange(.active, .integer(state.isActive ? 1 : 0)),
            BehaviorChange(.inUse, .integer(state.isInUse ? 1 : 0)),
            BehaviorChange(.remainingDuration, .integer(remaining)),
        ]
        .filter { fitted.contains($0.type) }
    }
}
