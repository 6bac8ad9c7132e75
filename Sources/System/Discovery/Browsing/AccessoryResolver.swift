internal import DequeModule
internal import HAPCore

/// The accessories on this network, as they were found and as they were reported.
///
/// It performs no action itself.
///
/// Each instance of a name, on one interface and protocol, has a lookup that stays open, because only an open lookup
/// reports changes. If there are more than ``maximumLookups``, the lookups take turns: one that has a result is closed
/// to make room, and starts again after ``retryDelay``.
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
        /// The lookup is open.
        case active
        /// The lookup is closed and waits for its next turn.
        case suspended
    }

    private struct InstanceState {
        var lookup = Lookup.queued
        var found: ResolvedService?
        /// Whether a lookup has had a result or has failed, at least once.
        var isSettled = false
        /// The number of the last result, in order of arrival.
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
    /// The time that a result waits for the results of the other instances of its name.
    static let gracePeriod = Duration.milliseconds(500)
    /// The time to wait for accessories from before an outage, after all known ones were reported.
    ///
    /// A newly started daemon sends queries at once, after 1 s and after 3 s. A host that has just announced itself
    /// does not answer the first query. Observed with Avahi 0.8.
    static let returnGracePeriod = Duration.seconds(5)

    private var instanceStates: [ServiceInstance: InstanceState] = [:]
    private var instancesByName: [String: Set<ServiceInstance>] = [:]
    /// Instances that have never been looked up, in order of appearance.
    private var queued = Deque<ServiceInstance>()
    /// Open lookups with results, starting with the one that has been unchanged for longest.
    ///
    /// An entry is outdated if the instance's last result has another number.
    private var resolved = Deque<(service: ServiceInstance, number: Int)>()
    /// Instances to look up again, ordered by time.
    private var suspended = Deque<(due: MonotonicInstant, service: ServiceInstance)>()
    private var activeLookupCount = 0
    private var unsettledCount = 0
    private var lastNumber = 0
    /// The names with results that wait for further results, with the time until which they wait.
    private var publishDeadlines: [String: MonotonicInstant] = [:]
    /// The same names, ordered by time, including outdated entries.
    private var publishQueue = Deque<(due: MonotonicInstant, name: String)>()
    /// The names that were reported before an outage and have not been found again.
    private var unconfirmedNames: Set<String> = []
    /// The time at which accessories from before an outage are reported as gone.
    private var unconfirmedDeadline: MonotonicInstant?
    private var published: [String: DiscoveredAccessory] = [:]
    private var state: DiscoveryUpdate?
    private var hasSeenAll = false
    private var hasPublishedAll = false
}

extension AccessoryResolver {
    /// The time at which to call ``advance(to:)``, if any.
    var nextDeadline: MonotonicInstant? {
        // If there is no room for another lookup, no timer is needed: a result, a failure or a goodbye makes room, and
        // starts the due lookups.
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
    /// Accessories that were reported are kept until it is back.
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
        queued = compacted(queued, .queued) { $0 }
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

    /// Handles that the daemon has reported all names that it knew or received in reply to its first query.
    mutating func allForNow(at now: MonotonicInstant) -> [Action] {
        hasSeenAll = true
        return publishAllForNow(at: now)
    }

    /// Handles that time has passed.
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

    /// Starts the due lookups for which there is room.
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
        suspended = compacted(suspended, .suspended) { $0.service }
    }

    /// Returns a queue without its outdated and repeated entries if there are many, because a name that appears and
    /// disappears leaves one each time.
    ///
    /// - Parameter lookup: The state of the lookups that the queue holds.
    private func compacted<Entry>(
        _ queue: Deque<Entry>,
        _ lookup: Lookup,
        service: (Entry) -> ServiceInstance
    ) -> Deque<Entry> {
        guard queue.count > Self.maximumInstances + instanceStates.count else { return queue }
        var seen: Set<ServiceInstance> = []
        return queue.filter { entry in
            guard instanceStates[service(entry)]?.lookup == lookup else { return false }
            return seen.insert(service(entry)).inserted
        }
    }

    /// Reports a name if the lookups of all its instances have ended once; otherwise waits for them for a limited time.
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

    /// Reports the change of a name, if there is one.
    private mutating func publishChange(_ name: String) -> [Action] {
        publishDeadlines[name] = nil
        let present = accessory(name)
        let past = published[name]
        if present != nil {
            unconfirmedNames.remove(name)
        }
        guard present != past else { return [] }
        guard let present else {
            // An accessory from before an outage is not reported as gone yet, because it may be found again.
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

    /// Reports that all known accessories have been reported, once every name has been looked up.
    private mutating func publishAllForNow(at now: MonotonicInstant) -> [Action] {
        guard hasSeenAll, !hasPublishedAll, unsettledCount == 0, publishDeadlines.isEmpty else { return [] }
        hasPublishedAll = true
        unconfirmedDeadline = unconfirmedNames.isEmpty ? nil : now.advanced(by: Self.returnGracePeriod)
        return [.publish(.allForNow)]
    }
}
