package import AccessoryModel
package import HAPCore

/// A behavior that advances from event to event: its own scheduled events, and commands and writes from outside.
///
/// A conforming type handles an event and names the time of the next one. The rest of ``Behavior`` is derived from
/// that. Due events are handled in order and at their own times, however late the call. So the number of calls does not
/// affect the result. Each change is reported once.
package protocol EventDrivenBehavior: Behavior {
    /// The values that a controller may write; a characteristic without a rule accepts any value.
    static var rules: WriteRules { get }
    /// The characteristics that a service of this kind always has.
    static var required: [CharacteristicType] { get }
    /// For characteristics that cannot be set by hand, those that a person or a controller sets instead.
    static var controls: [CharacteristicType: [CharacteristicType]] { get }

    /// The values of the service's characteristics.
    var values: ServiceValues { get set }
    /// The time of the next scheduled event, later than all handled events; `nil` if there is none.
    var nextEvent: MonotonicInstant? { get }
    /// The characteristics that this service always has; ``required`` unless a kind has more.
    var requiredTypes: [CharacteristicType] { get }

    /// Adopts the saved values and resolves contradictions; before the call, the device is at rest.
    mutating func restore(at now: MonotonicInstant)
    /// Handles everything that is due at a time.
    mutating func handleEvent(at due: MonotonicInstant)
    /// Handles the events that are due by `now`, one by one, unless the device can compute its state directly.
    mutating func processEvents(through now: MonotonicInstant)
    /// Returns the reason to reject a write; `nil` accepts it.
    ///
    /// The default follows ``rules``.
    func refusal(of write: BehaviorChange) -> HAPStatus?
    /// Stores an accepted write in ``values``, before the next write of the request is checked.
    mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant)
    /// Responds to the accepted writes of a request, which are already stored in ``values``.
    mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant)
    /// Performs a user's or a script's command; returns `false` for an unsupported command.
    mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool
    /// Applies what a user or a script did at the device, or what a sensor detects; returns `false` if that cannot be.
    ///
    /// If it returns `false`, a value that controllers may write is set as by a controller, but at the device.
    mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool
    /// Responds to changes of a service of ``Behavior/observedServices``.
    mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant)
    /// Sets the characteristics that depend on the device's state.
    ///
    /// It is called after every call that may change the state, except ``handleChanges(_:of:at:)``.
    mutating func updateValues()
    /// Skips whole days of 24 hours, in which the device would only repeat its previous events.
    mutating func skip(_ duration: Duration)
}

extension EventDrivenBehavior {
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        self.values = ServiceValues(stored: values, of: types + requiredTypes)
        restore(at: now)
        updateValues()
        processEvents(through: now)
        return self.values.takeChanges()
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        processEvents(through: now)
        var response = BehaviorResponse()
        for write in writes {
            if let refusal = refusal(of: write) {
                response.refusals[write.type] = refusal
            } else {
                apply(write, at: now)
            }
        }
        let refusals = response.refusals
        let accepted = refusals.isEmpty ? writes : writes.filter { refusals[$0.type] == nil }
        if !accepted.isEmpty {
            didApply(accepted, at: now)
            updateValues()
            processEvents(through: now)
        }
        response.changes = values.takeChanges()
        return response
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        Self.rules[write.type]?.refusal(of: write.value)
    }

    package mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant) {
        values.store(write)
    }

    package var nextDeadline: MonotonicInstant? {
        // The end of the clock is never reached.
        nextEvent.flatMap { $0.nanoseconds == .max ? nil : $0 }
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        processEvents(through: now)
        return values.takeChanges()
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        // Work on a copy: a refused command must not change the device, so that due events are still reported later.
        var device = advanced(to: now)
        guard device.handle(command, at: now) || device.operate(command, at: now) else { return nil }
        device.updateValues()
        device.processEvents(through: now)
        self = device
        return values.takeChanges()
    }

    /// Sets a characteristic that controllers may write, as with a control at the device.
    private mutating func operate(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        guard case .applySensorInput(let change) = command, let rule = Self.rules[change.type], rule != .readOnly,
            refusal(of: change) == nil
        else { return false }
        let known = values[known: change.type]
        apply(change, at: now)
        // Unlike a write of a controller, the owner has not stored it.
        values[known: change.type] = known
        didApply([change], at: now)
        return true
    }

    package func controls(of type: CharacteristicType) -> [CharacteristicType]? {
        Self.rules[type] == .readOnly ? Self.controls[type] ?? [] : nil
    }

    package static var controls: [CharacteristicType: [CharacteristicType]] { [:] }

    package mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        processEvents(through: now)
        handleChanges(changes, of: service, at: now)
        processEvents(through: now)
        return values.takeChanges()
    }

    package var requiredTypes: [CharacteristicType] { Self.required }

    package var nextEvent: MonotonicInstant? { nil }

    package mutating func handleEvent(at due: MonotonicInstant) {}

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {}

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        guard case .applySensorInput(let found) = command else { return false }
        return applySensorInput(found, at: now)
    }

    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        false
    }

    package mutating func updateValues() {}

    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
    }

    package mutating func skip(_ duration: Duration) {}

    /// Returns a copy of the device as it will be at a time, for inspection.
    package func advanced(to now: MonotonicInstant) -> Self {
        var device = self
        device.processEvents(through: now)
        return device
    }

    /// Handles the due events one by one, so that the effects of an event begin at its time and not at `now`.
    ///
    /// For a device that never rests, a jump over years would take too long. So after every 10,000 events of a call,
    /// the remaining whole days are skipped. In these days the device would only repeat its previous events.
    package mutating func processEvents(through now: MonotonicInstant) {
        var last = MonotonicInstant(nanoseconds: .min)
        var turns = 0
        var events = 0
        while let due = nextDeadline, due <= now {
            guard events < EventLimit.maximumEvents else {
                skip(due.wholeDays(to: now))
                events = 0
                continue
            }
            // An endless loop at one instant is a bug of the device. This call then ends, and the server continues.
            turns = due > last ? 0 : turns + 1
            guard turns < EventLimit.maximumEventsPerInstant else { return }
            last = max(last, due)
            handleEvent(at: due)
            updateValues()
            events += 1
        }
    }
}

extension MonotonicInstant {
    /// Returns the whole days of 24 hours until `other`.
    fileprivate func wholeDays(to other: MonotonicInstant) -> Duration {
        let day = 86_400 * 1_000_000_000 as UInt64
        return .nanoseconds(Int64(clamping: nanoseconds(to: other) / day * day))
    }
}

/// The limits of event handling.
enum EventLimit {
    /// The number of events that are handled before whole days are skipped.
    static let maximumEvents = 10_000
    /// The number of consecutive events that may occur at one instant.
    static let maximumEventsPerInstant = 64
}

extension MonotonicInstant {
    /// Returns the nanoseconds from this instant to `other`, or 0 if `other` is earlier.
    ///
    /// The result is unsigned, so that it holds every distance.
    func nanoseconds(to other: MonotonicInstant) -> UInt64 {
        other > self ? UInt64(bitPattern: other.nanoseconds &- nanoseconds) : 0
    }

    /// Returns the instant this far in the future; `nil` beyond the clock's range.
    func advanced(byNanoseconds ahead: UInt64) -> MonotonicInstant? {
        let left = UInt64(bitPattern: Int64.max &- nanoseconds)
        guard ahead <= left else { return nil }
        return MonotonicInstant(nanoseconds: Int64(bitPattern: UInt64(bitPattern: nanoseconds) &+ ahead))
    }

    /// Returns the earliest of the given instants; `nil` if there is none.
    static func earliest(
        _ first: MonotonicInstant?,
        _ second: MonotonicInstant?,
        _ third: MonotonicInstant? = nil
    ) -> MonotonicInstant? {
        earlier(earlier(first, second), third)
    }

    private static func earlier(_ first: MonotonicInstant?, _ second: MonotonicInstant?) -> MonotonicInstant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
