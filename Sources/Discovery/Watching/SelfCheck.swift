package import HAPCore

/// Compares the services that should be on the network with those that are.
///
/// One browse tells which names are there. Port and text are looked up for one service at a time: soon after it was
/// confirmed or changed, at once when it returns after having been missed, and then once in a while.
package struct SelfCheck {
    /// What the owner does next, in this order.
    package enum Action: Sendable, Hashable {
        /// Tell the service's advertiser.
        case report(ServiceID, Sighting)
        /// Look up the service of this name, until ``endLookup``.
        case lookUp(name: String)
        /// Stop looking up.
        case endLookup
    }

    private struct Expectation {
        var service: PublishedService
        /// Until when it may be absent from the browse; `nil` once its absence was reported.
        var absentUntil: MonotonicInstant?
        /// When it is looked up next.
        var checkAt: MonotonicInstant
        /// Whether it was missed and not found since.
        var isMissed: Bool
    }

    private struct Lookup {
        let id: ServiceID
        let deadline: MonotonicInstant
        /// Whether an answer came that is not what was sent.
        var foundOther = false
    }

    /// How long a confirmed service may take to appear, and one that was seen may be absent.
    package static let absenceLimit = Duration.seconds(4)
    /// When a service is looked up after it was confirmed or changed: records that it replaces have expired by then.
    package static let firstLookup = Duration.seconds(2)
    /// How long a lookup may take.
    package static let lookupLimit = Duration.seconds(3)
    /// When a service is looked up again.
    package static let interval = Duration.seconds(60)
    /// How long after a lookup the next one of another service follows.
    package static let spacing = Duration.seconds(1)
    /// How many names are noted: others of a network that is full of names count as absent.
    package static let maximumNames = 10_000

    private var expectations: [ServiceID: Expectation] = [:]
    /// How often each name is there: once for each interface and protocol.
    private var sightings: [String: Int] = [:]
    private var lookup: Lookup?
    private var nextLookup = MonotonicInstant(nanoseconds: .min)
    private var isWatching = false

    /// Creates one that expects nothing.
    package init() {}
}

extension SelfCheck {
    /// When ``advance(to:)`` wants to be called, if at all.
    package var nextDeadline: MonotonicInstant? {
        guard isWatching else { return nil }
        let absences = expectations.values.filter { !isSeen($0) }.compactMap(\.absentUntil).min()
        let lookups = lookup.map(\.deadline) ?? nextExpectationToLookUp.map { timeOfLookup($0.value) }
        return [absences, lookups].compactMap { $0 }.min()
    }

    /// Expects a service from now on, in place of what was expected under the same id; `nil` expects nothing.
    ///
    /// `isDoubted` says that its advertiser waits to hear that it is found.
    package mutating func expect(
        _ service: PublishedService?,
        as id: ServiceID,
        isDoubted: Bool = false,
        at now: MonotonicInstant
    ) -> [Action] {
        guard expectations[id]?.service != service else { return [] }
        var actions: [Action] = []
        if lookup?.id == id {
            lookup = nil
            actions.append(.endLookup)
        }
        expectations[id] = service.map { service in
            Expectation(
                service: service,
                absentUntil: now.advanced(by: Self.absenceLimit),
                checkAt: now.advanced(by: Self.firstLookup),
                isMissed: isDoubted
            )
        }
        return actions + advance(to: now)
    }

    /// The browse has begun: everything that is there will be named.
    package mutating func browseBegan(at now: MonotonicInstant) {
        browseEnded()
        isWatching = true
        for id in expectations.keys {
            expectations[id]?.absentUntil = now.advanced(by: Self.absenceLimit)
            expectations[id]?.checkAt = now.advanced(by: Self.firstLookup)
        }
    }

    /// The browse has ended; what it has seen counts no more, and nothing is missed.
    package mutating func browseEnded() {
        isWatching = false
        sightings = [:]
        lookup = nil
    }

    /// The daemon cannot be asked, for this reason: no service can be relied on to be there.
    package mutating func cannotLook(_ error: DiscoveryError) -> [Action] {
        expectations.keys.sorted { $0.number < $1.number }
            .map { id in
                expectations[id]?.isMissed = true
                return .report(id, .missed(error))
            }
    }

    /// A name has appeared, on one interface and protocol.
    package mutating func appeared(_ name: String, at now: MonotonicInstant) -> [Action] {
        guard isWatching, sightings[name] != nil || sightings.count < Self.maximumNames else { return [] }
        sightings[name, default: 0] += 1
        for (id, expectation) in expectations where expectation.service.name == name && expectation.isMissed {
            expectations[id]?.checkAt = now
        }
        return advance(to: now)
    }

    /// A name has gone, from one interface and protocol.
    package mutating func disappeared(_ name: String, at now: MonotonicInstant) -> [Action] {
        guard let count = sightings[name] else { return [] }
        sightings[name] = count > 1 ? count - 1 : nil
        guard count == 1 else { return [] }
        for (id, expectation) in expectations where expectation.service.name == name {
            expectations[id]?.absentUntil = now.advanced(by: Self.absenceLimit)
        }
        return []
    }

    /// The lookup has found something.
    package mutating func lookedUp(_ found: PublishedService, at now: MonotonicInstant) -> [Action] {
        guard let id = lookup?.id, let expectation = expectations[id] else { return [] }
        guard expectation.service.agrees(with: found) else {
            // What it replaces may be told first; what is right follows within the lookup's time.
            if expectation.service.name == found.name {
                lookup?.foundOther = true
            }
            return []
        }
        return [.endLookup] + conclude(id, missing: nil, at: now) + advance(to: now)
    }

    /// Time has passed.
    package mutating func advance(to now: MonotonicInstant) -> [Action] {
        guard isWatching else { return [] }
        var actions: [Action] = []
        let absent = expectations.filter { !isSeen($0.value) && $0.value.absentUntil.map { $0 <= now } ?? false }
        for id in absent.keys.sorted(by: { $0.number < $1.number }) {
            expectations[id]?.absentUntil = nil
            expectations[id]?.isMissed = true
            actions.append(.report(id, .missed(.notFound)))
        }
        if let lookup, lookup.deadline <= now {
            actions.append(.endLookup)
            actions += conclude(lookup.id, missing: lookup.foundOther ? .otherRecord : .notFound, at: now)
        }
        if lookup == nil, let (id, expectation) = nextExpectationToLookUp, timeOfLookup(expectation) <= now {
            lookup = Lookup(id: id, deadline: now.advanced(by: Self.lookupLimit))
            actions.append(.lookUp(name: expectation.service.name))
        }
        return actions
    }
}

extension SelfCheck {
    private func isSeen(_ expectation: Expectation) -> Bool {
        sightings[expectation.service.name] != nil
    }

    private var nextExpectationToLookUp: (key: ServiceID, value: Expectation)? {
        expectations.filter { isSeen($0.value) }
            .min {
                (timeOfLookup($0.value), $0.value.checkAt, $0.key.number)
                    < (timeOfLookup($1.value), $1.value.checkAt, $1.key.number)
            }
    }

    /// Whoever was missed waits for nobody else.
    private func timeOfLookup(_ expectation: Expectation) -> MonotonicInstant {
        expectation.isMissed ? expectation.checkAt : max(expectation.checkAt, nextLookup)
    }

    private mutating func conclude(_ id: ServiceID, missing error: DiscoveryError?, at now: MonotonicInstant)
        -> [Action]
    {
        lookup = nil
        nextLookup = now.advanced(by: Self.spacing)
        expectations[id]?.checkAt = now.advanced(by: Self.interval)
        expectations[id]?.isMissed = error != nil
        return [.report(id, error.map { .missed($0) } ?? .found)]
    }
}
