package import HAPCore

extension AttributeDatabase {
    /// Starts every behavior with the current values and applies the corrections of each behavior.
    ///
    /// Call this method once.
    package mutating func startBehaviors(at now: MonotonicInstant) -> ChangeSet {
        var changes = ChangeSet()
        for service in servicesWithBehavior {
            var present: [CharacteristicType: CharacteristicValue] = [:]
            for index in services[service].characteristics {
                present[characteristics[index].type] = values[index]
            }
            let types = services[service].characteristics.map { characteristics[$0].type }
            guard var behavior = takeBehavior(of: service) else { continue }
            let corrections = behavior.start(with: present, of: types, at: now)
            returnBehavior(behavior, of: service)
            apply(corrections, of: service, into: &changes)
        }
        for service in services.indices where !services[service].observers.isEmpty {
            let present = services[service].characteristics
                .compactMap { index in
                    values[index].map { BehaviorChange(characteristics[index].type, $0) }
                }
            notifyObservers(present, of: service, at: now, into: &changes)
        }
        return changes
    }

    /// Advances every behavior that is due to `now`, in the order of their deadlines.
    package mutating func advanceBehaviors(to now: MonotonicInstant) -> ChangeSet {
        var changes = ChangeSet()
        for entry in schedule.due(by: now) {
            let service = entry.behavior
            guard var behavior = takeBehavior(of: service) else { continue }
            let moved = behavior.advance(to: now)
            returnBehavior(behavior, of: service)
            apply(moved, of: service, into: &changes)
            notifyObservers(moved, of: service, at: now, into: &changes)
        }
        return changes
    }

    /// Performs a command on a simulated device.
    ///
    /// Returns `nil` if the service does not support the command, the press or the value.
    package mutating func perform(
        _ command: BehaviorCommand,
        on service: Int,
        at now: MonotonicInstant
    ) -> ChangeSet? {
        guard allows(command, on: service), var behavior = takeBehavior(of: service) else { return nil }
        let response = behavior.perform(command, at: now)
        returnBehavior(behavior, of: service)
        guard let moved = response else { return nil }
        var changes = ChangeSet()
        apply(moved, of: service, into: &changes)
        notifyObservers(moved, of: service, at: now, into: &changes)
        return changes
    }

    /// Passes the event of a peer to the simulated devices of an accessory that have peers.
    package mutating func receive(_ event: PeerEvent, in aid: AccessoryID, at now: MonotonicInstant) -> ChangeSet {
        var changes = ChangeSet()
        for service in servicesWithBehavior where services[service].aid == aid {
            guard services[service].behavior is any ConnectedBehavior,
                var behavior = takeBehavior(of: service) as? any ConnectedBehavior
            else { continue }
            let moved = behavior.receive(event, at: now)
            returnBehavior(behavior, of: service)
            apply(moved, of: service, into: &changes)
            notifyObservers(moved, of: service, at: now, into: &changes)
        }
        return changes
    }

    /// Returns what simulated devices do to others since the last call.
    package mutating func takeDeviceEffects() -> [(accessory: AccessoryID, effect: DeviceEffect)] {
        defer { deviceEffects = [] }
        return deviceEffects
    }

    /// Changes a value of an accessory's services of a type, as a key of the device does.
    package mutating func operate(
        _ change: BehaviorChange,
        _ type: ServiceType,
        of aid: AccessoryID,
        at now: MonotonicInstant
    ) -> ChangeSet {
        var changes = ChangeSet()
        for service in services.indices where services[service].aid == aid && services[service].key.type == type {
            if let moved = perform(.applySensorInput(change), on: service, at: now) {
                changes.merge(moved)
            } else if services[service].behavior == nil {
                apply([change], of: service, into: &changes)
                notifyObservers([change], of: service, at: now, into: &changes)
            }
        }
        return changes
    }

    /// Returns the index of the accessory's service with a key, or `nil` if there is none.
    package func service(_ key: ServiceKey, of aid: AccessoryID) -> Int? {
        guard let accessory = accessories.firstIndex(of: aid) else { return nil }
        return servicesOfAccessory[accessory].first { services[$0].key == key }
    }

    /// Returns the index of the service's characteristic of a type, or `nil` if there is none.
    package func characteristic(_ type: CharacteristicType, of service: Int) -> Int? {
        services[service].characteristics.first { characteristics[$0].type == type }
    }

    mutating func behaviorResponse(
        of service: Int,
        to group: [AcceptedWrite],
        at now: MonotonicInstant
    ) -> BehaviorResponse {
        guard var behavior = takeBehavior(of: service) else { return BehaviorResponse() }
        defer { returnBehavior(behavior, of: service) }
        return behavior.write(group.map { BehaviorChange(characteristics[$0.index].type, $0.value) }, at: now)
    }

    /// Notifies observing behaviors of changes, and then the behaviors that observe these.
    ///
    /// Behaviors that keep triggering each other are stopped after as many rounds as an accessory may have services.
    mutating func notifyObservers(
        _ moved: [BehaviorChange],
        of service: Int,
        at now: MonotonicInstant,
        into changes: inout ChangeSet
    ) {
        guard hasObservers, !moved.isEmpty else { return }
        var news = [(service: service, moved: moved)]
        var rounds = 0
        while !news.isEmpty, rounds < Self.maximumServices {
            rounds += 1
            var responses: [(service: Int, moved: [BehaviorChange])] = []
            for (service, moved) in news {
                for listener in services[service].observers {
                    guard var behavior = takeBehavior(of: listener) else { continue }
                    let response = behavior.observe(moved, of: services[service].key, at: now)
                    returnBehavior(behavior, of: listener)
                    guard !response.isEmpty else { continue }
                    apply(response, of: listener, into: &changes)
                    responses.append((listener, response))
                }
            }
            news = responses
        }
    }

    /// Applies the changes of a behavior as far as the characteristics permit.
    ///
    /// A behavior does not know the limits of a definition. A number out of range is replaced by the nearest number in
    /// range, and an invalid value is skipped.
    mutating func apply(_ moved: [BehaviorChange], of service: Int, into changes: inout ChangeSet) {
        for change in moved {
            guard let index = characteristic(change.type, of: service) else { continue }
            _ = setValue(characteristics[index].metadata.clamped(change.value), at: index, into: &changes)
        }
    }

    /// Removes a behavior from the database, so that mutating the behavior does not copy it.
    private mutating func takeBehavior(of service: Int) -> (any Behavior)? {
        services[service].behavior.take()
    }

    /// Puts a behavior back into the database and records its deadline.
    private mutating func returnBehavior(_ behavior: any Behavior, of service: Int) {
        schedule.setDeadline(behavior.nextDeadline, of: service)
        services[service].behavior = behavior
        if hasConnectedBehaviors { collectEffects(of: service) }
    }

    private mutating func collectEffects(of service: Int) {
        guard var connected = services[service].behavior as? any ConnectedBehavior else { return }
        let aid = services[service].aid
        deviceEffects += connected.takeEffects().map { (aid, $0) }
        services[service].behavior = connected
    }

    private func allows(_ command: BehaviorCommand, on service: Int) -> Bool {
        let found: BehaviorChange
        switch command {
        case .stop, .obstruct, .clearObstruction, .plug, .unplug: return true
        case .press(let press): found = BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .applySensorInput(let change): found = change
        }
        guard let index = characteristic(found.type, of: service) else { return true }
        return characteristics[index].metadata.value(from: found.value, isStrict: false) != nil
    }
}

extension AttributeDatabase {
    /// Records the services of an accessory that observe each other.
    mutating func registerObservers(in range: Range<Int>) {
        for listener in range {
            let heeded = services[listener].behavior?.observedServices ?? []
            guard !heeded.isEmpty else { continue }
            for service in range where service != listener && heeded.contains(services[service].key.type) {
                services[service].observers.append(listener)
                hasObservers = true
            }
        }
    }
}

extension CharacteristicMetadata {
    /// Returns a number clamped to the range, or any other value unchanged.
    fileprivate func clamped(_ value: CharacteristicValue) -> CharacteristicValue {
        guard case .number(let number) = value, validValues.isEmpty else { return value }
        return .number(min(max(number, minimum ?? number), maximum ?? number))
    }
}
