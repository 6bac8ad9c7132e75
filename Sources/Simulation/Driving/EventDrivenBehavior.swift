package import AccessoryModel
package import HAPCore

/// A behavior that goes from event to event: of its own when their time has come, and of what is done to it.
///
/// A conforming type says what it does at an event and when the next one is due. The rest of ``Behavior`` follows: what
/// is due happens in order and at its own instant, however late the call, so that looking often and looking once give
/// the same answers; and what changes is told once.
package protocol EventDrivenBehavior: Behavior {
    /// What a controller may write, and how it must be written; what is not named here is stored as it comes.
    static var rules: WriteRules { get }
    /// The characteristics that a service of this kind always has.
    static var required: [CharacteristicType] { get }

    /// The values of the service's characteristics.
    var values: ServiceValues { get set }
    /// When something happens next by itself, in the future of everything that has happened; `nil` while nothing will.
    var nextEvent: MonotonicInstant? { get }
    /// The characteristics that this service has in any case; ``required`` unless a kind has further ones.
    var requiredTypes: [CharacteristicType] { get }

    /// Takes over the kept values and brings them in order; the device is at rest until then.
    mutating func restore(at now: MonotonicInstant)
    /// Does everything that is due at an instant.
    mutating func handleEvent(at due: MonotonicInstant)
    /// Lets happen what is due by `now`: from event to event, unless the device knows where it will be.
    mutating func processEvents(through now: MonotonicInstant)
    /// Why a write is refused; `nil` accepts it, as ``rules`` do unless the device has a further reason.
    func refusal(of write: BehaviorChange) -> HAPStatus?
    /// Stores an accepted write in ``values``, with what must be done before the request's next one is looked at.
    mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant)
    /// Does what follows from a request's accepted writes, whose values ``values`` holds already.
    mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant)
    /// Does what a person or a script asks, or returns `false` when it knows no such command.
    mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool
    /// Takes what a person or a script lets it find, or returns `false` when it cannot find that.
    mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool
    /// Does what follows from the changes of a service of ``Behavior/observedServices``.
    mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant)
    /// Sets the characteristics that follow from the device's state; called after everything but ``handleChanges(_:of:at:)`` that may change it.
    mutating func updateValues()
    /// Leaves out whole days of 24 hours, in which it would do again and again what it has done before.
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
        // The end of the clock never comes.
        nextEvent.flatMap { $0.nanoseconds == .max ? nil : $0 }
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        processEvents(through: now)
        return values.takeChanges()
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        // What a refused command finds due is told when its time comes to be looked at, as without the command.
        var device = advanced(to: now)
        guard device.handle(command, at: now) else { return nil }
        device.updateValues()
        device.processEvents(through: now)
        self = device
        return values.takeChanges()
    }

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

    /// The device as it will be at an instant, for looking at.
    package func advanced(to now: MonotonicInstant) -> Self {
        var device = self
        device.processEvents(through: now)
        return device
    }

    /// Goes from event to event, so that what one of them sets off begins then and not at `now`.
    ///
    /// A device that never rests would need longer for a jump over years than anybody waits. So after every 10,000 events of a
    /// call the whole days that are still to go are left out, in which it would do what it has done before.
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
            // What never ends at one instant is a fault of the device: better it stands still than its server.
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
    /// The days of 24 hours that fit in until `other`.
    fileprivate func wholeDays(to other: MonotonicInstant) -> Duration {
        let day = 86_400 * 1_000_000_000 as UInt64
        return .nanoseconds(Int64(clamping: nanoseconds(to: other) / day * day))
    }
}

/// How far a device is gone along with.
enum EventLimit {
    /// How many events are gone through before whole days are left out.
    static let maximumEvents = 10_000
    /// How many rounds of consequences may happen at one instant.
    static let maximumEventsPerInstant = 64
}

extension MonotonicInstant {
    /// The nanoseconds from this instant to `other`, 0 when that lies before: as unsigned they always fit.
    func nanoseconds(to other: MonotonicInstant) -> UInt64 {
        other > self ? UInt64(bitPattern: other.nanoseconds &- nanoseconds) : 0
    }

    /// The instant that lies this far ahead; `nil` when the clock does not go so far.
    func advanced(byNanoseconds ahead: UInt64) -> MonotonicInstant? {
        let left = UInt64(bitPattern: Int64.max &- nanoseconds)
        guard ahead <= left else { return nil }
        return MonotonicInstant(nanoseconds: Int64(bitPattern: UInt64(bitPattern: nanoseconds) &+ ahead))
    }

    /// The earliest of the instants that there are; `nil` when there is none.
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
