package import AccessoryModel
package import HAPCore

/// A behaviour that goes from event to event: of its own when their time has come, and of what is done to it.
///
/// A conforming type says what it does at an event and when the next one is due. The rest of ``Behavior`` follows: what
/// is due happens in order and at its own instant, however late the call, so that looking often and looking once give
/// the same answers; and what changes is told once.
package protocol EventDriven: Behavior {
    /// What a controller may write, and how it must be written; what is not named here is stored as it comes.
    static var rules: [CharacteristicType: WriteRule] { get }
    /// The characteristics that a service of this kind always has.
    static var required: [CharacteristicType] { get }

    /// The values of the service's characteristics.
    var values: ServiceValues { get set }
    /// When something happens next by itself, in the future of everything that has happened; `nil` while nothing will.
    var nextEvent: MonotonicInstant? { get }

    /// Takes over the kept values and brings them in order; the device is at rest until then.
    mutating func restore(at now: MonotonicInstant)
    /// Does everything that is due at an instant.
    mutating func happen(at due: MonotonicInstant)
    /// Does what follows from accepted writes, whose values ``values`` holds already.
    mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant)
    /// Does what a person or a script asks, or returns `false` when it knows no such command.
    mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool
    /// Leaves a time out, as though it had not been: whole days of 24 hours.
    mutating func skip(_ duration: Duration)
}

extension EventDriven {
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        self.values = ServiceValues(kept: values, required: Self.required)
        restore(at: now)
        settle(through: now)
        return self.values.takeChanges()
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        settle(through: now)
        var response = BehaviorResponse()
        var accepted: [BehaviorChange] = []
        for write in writes {
            if let refusal = Self.rules[write.type]?.refusal(of: write.value) {
                response.refusals[write.type] = refusal
            } else {
                values.store(write)
                accepted.append(write)
            }
        }
        if !accepted.isEmpty {
            follow(accepted, at: now)
            settle(through: now)
        }
        response.changes = values.takeChanges()
        return response
    }

    package var nextDeadline: MonotonicInstant? {
        // The end of the clock never comes.
        nextEvent.flatMap { $0.nanoseconds == .max ? nil : $0 }
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        settle(through: now)
        return values.takeChanges()
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        settle(through: now)
        guard obey(command, at: now) else { return nil }
        settle(through: now)
        return values.takeChanges()
    }

    package mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        false
    }

    package mutating func skip(_ duration: Duration) {}

    /// The device as it will be at an instant, for looking at.
    package func settled(at now: MonotonicInstant) -> Self {
        var device = self
        device.settle(through: now)
        return device
    }

    /// Lets happen what is due by `now`.
    ///
    /// A device that never rests would need longer for a jump over years than anybody waits. So after every 10,000 events of a
    /// call the whole days that are still to go are left out, in which it would do what it has done the day before.
    package mutating func settle(through now: MonotonicInstant) {
        var last = MonotonicInstant(nanoseconds: .min)
        var turns = 0
        var events = 0
        while let due = nextDeadline, due <= now {
            guard events < EventLimit.events else {
                skip(due.wholeDays(to: now))
                events = 0
                continue
            }
            // What never ends at one instant is a fault of the device: better it stands still than its server.
            turns = due > last ? 0 : turns + 1
            guard turns < EventLimit.turns else { return }
            last = max(last, due)
            happen(at: due)
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
