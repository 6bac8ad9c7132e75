internal import DequeModule
internal import HAPCore

/// The accessories on this network as they were seen and reported; performs nothing.
///
/// Each instance of a name, on one interface and protocol, has a lookup that stays open, because only an open lookup
/// reports changes. Beyond ``maximumLookups`` the lookups take turns: one with a result makes room, and starts again
/// after ``retryDelay``.
struct AccessoryResolver {
    /// The next actions of the owner, in this order.
    enum Action: Hashable {
        /// Report an update to the readers.
        case publish(DiscoveryUpdate)
        /// Look up a service until ``endLookup(_:)``; if that fails at once, report ``AccessoryResolver/lookupFailed(_:at:)``.
        case lookUp(ServiceInstance)
        /// End the lookup.
        case endLookup(ServiceInstance)
    }

    private enum Lookup {
        case queued
        /// Asked for the first time, or again.
        case active
        /// Closed, waiting for its next turn.
        case suspended
    }

    private struct InstanceState {
        var lookup = Lookup.queued
        var found: ResolvedService?
        /// Whether it was answered, or failed, at least once.
        var isSettled = false
        /// The order in which the results came.
        var number = 0
    }

    /// The maximum number of names; further ones are ignored.
    static let maximumServices = 4_096
    /// The longest name in bytes.
    static let maximumNameLength = 255
    /// The maximum number of instances of a name.
    static let maximumInstancesPerName = 64
    /// The maximum number of instances of all names together.
    static let maximumInstances = 8_192
    /// The maximum number of open lookups: half of what Avahi's daemon allows for one client.
    static let maximumLookups = 512
    /// The time after which a failed or suspended lookup starts again.
    static let retryDelay = Duration.seconds(30)
    /// The time that a result waits for those of the other instances of its name.
    static let gracePeriod = Duration.milliseconds(500)
    /// The time to wait for accessories from before an outage, after all known ones were reported.
    ///
    /// A newly started daemon asks at once, after 1 and after 3 s, and a host that has just announced itself does not
    /// answer the first query. Observed with Avahi 0.8.
    static let returnGracePeriod = Duration.seconds(5)

    private var instanceStates: [ServiceInstance: InstanceState] = [:]
    private var instancesByName: [String: Set<ServiceInstance>] = [:]
    /// Instances that were never looked up, in their order.
    private var queued = Deque<ServiceInstance>()
    /// Open lookups with results, the one without changes for longest first; only those count whose last result has
    /// this number.
    private var resolved = Deque<(service: ServiceInstance, number: Int)>()
    /// Instances to look up again, in the order of their times.
    private var suspended = Deque<(due: MonotonicInstant, service: ServiceInstance)>()
    private var activeLookupCount = 0
    private var unsettledCount = 0
    private var lastNumber = 0
    /// Names with results that wait for more.
    private var publishDeadlines: [String: MonotonicInstant] = [:]
    /// The same in the order of their times, including entries that are no longer valid.
    private var publishQueue = Deque<(due: MonotonicInstant, name: String)>()
    /// Told before the daemon went, and not found again.
    private var unconfirmedNames: Set<String> = []
    /// The time at which accessories from before an outage are given up.
    private var unconfirmedDeadline: MonotonicInstant?
    private var published: [String: DiscoveredAccessory] = [:]
    private var state: DiscoveryUpdate?
    private var hasSeenAll = false
    private var hasPublishedAll = false
}

extension AccessoryResolver {
    /// The time at which to call ``advance(to:)``, if any.
    var nextDeadline: MonotonicInstant? {
        // Without room, only a result, a failure or a goodbye makes room, and each of them starts the lookups that are
        // due.
        let hasRoom = activeLookupCount < Self.maximumLookups || resolved.first != nil
        return [publishQueue.first?.due, hasRoom ? suspended.first?.due : nil, unconfirmedDeadline].compactMap { $0 }
            .min()
    }

    /// The number of entries in its queues, including outdated ones.
    var queueLength: Int {
        queued.count + resolved.count + suspended.count + publishQueue.count
    }

    /// The updates for a new reader.
    var snapshot: [DiscoveryUpdate] {
        let accessories = published.values.sorted { $0.name < $1.name }.map { DiscoveryUpdate.appeared($0) }
        return accessories + [state].compactMap { $0 } + (hasPublishedAll ? [.allForNow] : [])
    }

    /// Handles the start of a browse, which reports all current names.
    mutating func browseBegan() -> [Action] {
        removeInstances()
        return publish(.available)
    }

    /// Handles that the daemon is not available.
    ///
    /// Reported accessories stay until it is back.
    mutating func browseFailed(_ error: DiscoveryError) -> [Action] {
        removeInstances()
        return publish(.unavailable(error))
    }

    /// Handles that a name was seen, on one interface and protocol.
    mutating func appeared(_ service: ServiceInstance, at now: MonotonicInstant) -> [Action] {
        let siblings = instancesByName[service.name]
        guard instanceStates[service] == nil, instanceStates.count < Self.maximumInstances,
            service.name.utf8.count <= Self.maximumNameLength,
            siblings.map({ $0.count < Self.maximumInstancesPerName }) ?? (instancesByName.count < Self.maximumServices)
        else { return [] }
        instanceStates[service] = InstanceState()
        instancesByName[service.name, default: []].insert(service)
        unsettledCount += 1
        queued.append(service)
        compactQueue()
        return startLookups(at: now)
    }

    /// Handles that an instance of a name was removed.
    mutating func disappeared(_ service: ServiceInstance, at now: MonotonicInstant) -> [Action] {
        guard let sighting = instanceStates.removeValue(forKey: service) else { return [] }
        instancesByName[service.name]?.remove(service)
        if instancesByName[service.name]?.isEmpty == true {
            instancesByName[service.name] = nil
        }
        if !sighting.isSettled {
            unsettledCount -= 1
        }
        var actions: [Action] = []
        if case .active = sighting.lookup {
            activeLookupCount -= 1
            actions.append(.endLookup(service))
        }
        return actions + publishIfSettled(service.name, at: now) + startLookups(at: now) + publishAllForNow(at: now)
    }

    /// Handles a result of a lookup, the first one or a change.
    mutating func lookedUp(_ service: ServiceInstance, _ found: ResolvedService, at now: MonotonicInstant) -> [Action] {
        guard var sighting = instanceStates[service], case .active = sighting.lookup else { return [] }
        if !sighting.isSettled {
            unsettledCount -= 1
        }
        lastNumber += 1
        sighting.isSettled = true
        sighting.found = found
        sighting.number = lastNumber
        instanceStates[service] = sighting
        resolved.append((service, lastNumber))
        if resolved.count > 4 * Self.maximumLookups {
            resolved = resolved.filter { instanceStates[$0.service]?.number == $0.number }
        }
        return publishIfSettled(service.name, at: now) + startLookups(at: now) + publishAllForNow(at: now)
    }

    /// Handles a lookup that has ended without a result.
    mutating func lookupFailed(_ service: ServiceInstance, at now: MonotonicInstant) -> [Action] {
        guard var sighting = instanceStates[service], case .active = sighting.lookup else { return [] }
        if !sighting.isSettled {
            unsettledCount -= 1
        }
        activeLookupCount -= 1
        sighting.isSettled = true
        sighting.found = nil
        sighting.lookup = .suspended
        instanceStates[service] = sighting
        suspend(service, at: now)
        return [.endLookup(service)] + publishIfSettled(service.name, at: now) + startLookups(at: now)
            + publishAllForNow(at: now)
    }

    /// Handles that all names have been reported that the daemon knew or received in reply to its first query.
    mutating func allForNow(at now: MonotonicInstant) -> [Action] {
        hasSeenAll = true
        return publishAllForNow(at: now)
    }

    /// Time has passed.
    mutating func advance(to now: MonotonicInstant) -> [Action] {
        var actions: [Action] = []
        while let (due, name) = publishQueue.first, due <= now {
            _ = publishQueue.popFirst()
            if publishDeadlines[name] == due {
                actions += publishChange(name)
            }
        }
        if let unconfirmedDeadline, unconfirmedDeadline <= now {
            self.unconfirmedDeadline = nil
            let names = unconfirmedNames.sorted()
            unconfirmedNames = []
            actions += names.flatMap { publishChange($0) }
        }
        return actions + startLookups(at: now) + publishAllForNow(at: now)
    }
}

extension AccessoryResolver {
    private mutating func removeInstances() {
        instanceStates = [:]
        instancesByName = [:]
        queued = []
        resolved = []
        suspended = []
        activeLookupCount = 0
        unsettledCount = 0
        publishDeadlines = [:]
        publishQueue = []
        unconfirmedNames = Set(published.keys)
        unconfirmedDeadline = nil
        hasSeenAll = false
        hasPublishedAll = false
    }

    private mutating func publish(_ news: DiscoveryUpdate) -> [Action] {
        guard state != news else { return [] }
        state = news
        return [.publish(news)]
    }

    /// Begins the lookups that are due, as far as there is room.
    private mutating func startLookups(at now: MonotonicInstant) -> [Action] {
        var actions: [Action] = []
        while let service = nextLookup(at: now) {
            if activeLookupCount >= Self.maximumLookups {
                guard let finished = suspendOldest(at: now) else { break }
                actions.append(.endLookup(finished))
            }
            if queued.first == service {
                _ = queued.popFirst()
            } else {
                _ = suspended.popFirst()
            }
            instanceStates[service]?.lookup = .active
            activeLookupCount += 1
            actions.append(.lookUp(service))
        }
        return actions
    }

    private mutating func nextLookup(at now: MonotonicInstant) -> ServiceInstance? {
        while let service = queued.first {
            if case .queued = instanceStates[service]?.lookup { return service }
            _ = queued.popFirst()
        }
        while let (due, service) = suspended.first, due <= now {
            if case .suspended = instanceStates[service]?.lookup { return service }
            _ = suspended.popFirst()
        }
        return nil
    }

    private mutating func suspendOldest(at now: MonotonicInstant) -> ServiceInstance? {
        while let (service, number) = resolved.popFirst() {
            guard case .active = instanceStates[service]?.lookup, instanceStates[service]?.number == number else {
                continue
            }
            instanceStates[service]?.lookup = .suspended
            activeLookupCount -= 1
            suspend(service, at: now)
            return service
        }
        return nil
    }

    private mutating func suspend(_ service: ServiceInstance, at now: MonotonicInstant) {
        suspended.append((now.advanced(by: Self.retryDelay), service))
        guard suspended.count > Self.maximumInstances + instanceStates.count else { return }
        var seen: Set<ServiceInstance> = []
        suspended = suspended.filter { entry in
            guard case .suspended = instanceStates[entry.service]?.lookup else { return false }
            return seen.insert(entry.service).inserted
        }
    }

    /// Removes outdated entries if there are many: a name that appears and disappears leaves one each time.
    private mutating func compactQueue() {
        guard queued.count > Self.maximumInstances + instanceStates.count else { return }
        var seen: Set<ServiceInstance> = []
        queued = queued.filter { service in
            guard case .queued = instanceStates[service]?.lookup else { return false }
            return seen.insert(service).inserted
        }
    }

    /// Reports a name if all of its instances have results; otherwise schedules that.
    private mutating func publishIfSettled(_ name: String, at now: MonotonicInstant) -> [Action] {
        let isSettled = instancesByName[name, default: []].allSatisfy { instanceStates[$0]?.isSettled == true }
        guard isSettled else {
            if publishDeadlines[name] == nil,
                instancesByName[name, default: []].contains(where: { instanceStates[$0]?.found != nil })
            {
                let due = now.advanced(by: Self.gracePeriod)
                publishDeadlines[name] = due
                publishQueue.append((due, name))
                if publishQueue.count > Self.maximumInstances {
                    publishQueue = publishQueue.filter { publishDeadlines[$0.name] == $0.due }
                }
            }
            return []
        }
        return publishChange(name)
    }

    /// Reports the changes of a name.
    private mutating func publishChange(_ name: String) -> [Action] {
        publishDeadlines[name] = nil
        let present = accessory(name)
        let past = published[name]
        if present != nil {
            unconfirmedNames.remove(name)
        }
        guard present != past else { return [] }
        guard let present else {
            // An accessory from before an outage gets time to be found again.
            guard let past, !unconfirmedNames.contains(name) else { return [] }
            published[name] = nil
            return [.publish(.disappeared(past))]
        }
        published[name] = present
        return [.publish(past == nil ? .appeared(present) : .changed(present))]
    }

    private func accessory(_ name: String) -> DiscoveredAccessory? {
        let responses = instancesByName[name, default: []]
            .compactMap { place in
                instanceStates[place]
                    .flatMap { sighting in
                        sighting.found.map { (place: place, found: $0, number: sighting.number) }
                    }
            }
            .sorted { $0.number < $1.number }
        return DiscoveredAccessory(responses.map { ($0.place, $0.found) })
    }

    /// Reports that everything is known, once every name was looked up.
    private mutating func publishAllForNow(at now: MonotonicInstant) -> [Action] {
        guard hasSeenAll, !hasPublishedAll, unsettledCount == 0, publishDeadlines.isEmpty else { return [] }
        hasPublishedAll = true
        unconfirmedDeadline = unconfirmedNames.isEmpty ? nil : now.advanced(by: Self.returnGracePeriod)
        return [.publish(.allForNow)]
    }
}
