package import HAPCore

/// Compares the services that should be on the network with those that are.
///
/// One browse reports the names. Port and text are looked up for one service at a time: soon after the service was
/// confirmed or changed, at once when it returns after an absence, and then at regular intervals.
package struct RegistrationCheck {
    /// The next actions of the owner, in this order.
    package enum Action: Sendable, Hashable {
        /// Report an observation to the service's advertiser.
        case report(ServiceID, ServiceObservation)
        /// Look up the service of this name, until ``endLookup``.
        case lookUp(name: String)
        /// Stop looking up.
        case endLookup
    }

    private struct Expectation {
        var service: PublishedService
        /// The time until which the service may be absent from the browse; `nil` once its absence was reported.
        var absenceDeadline: MonotonicInstant?
        /// The time of the next lookup.
        var checkAt: MonotonicInstant
        /// Whether the service was reported as missing and has not been found since.
        var isMissing: Bool
    }

    private struct Lookup {
        let id: ServiceID
        let deadline: MonotonicInstant
        /// Whether a result differs from the registered service.
        var hasMismatch = false
    }

    /// The time within which a confirmed service must appear, and for which a visible service may be absent.
    package static let absenceLimit = Duration.seconds(4)
    /// The time between a confirmation or a change and the first lookup.
    ///
    /// Replaced records have expired by then.
    package static let firstLookupDelay = Duration.seconds(2)
    /// The timeout of a lookup.
    package static let lookupTimeout = Duration.seconds(3)
    /// The time between two lookups of a service.
    package static let lookupInterval = Duration.seconds(60)
    /// The time between two lookups of different services.
    package static let lookupSpacing = Duration.seconds(1)
    /// The maximum number of names; on a network with more names, the others count as absent.
    package static let maximumNames = 10_000

    private var expectations: [ServiceID: Expectation] = [:]
    /// The number of instances of each name: one for each interface and protocol.
    private var nameCounts: [String: Int] = [:]
    private var lookup: Lookup?
    private var nextLookup = MonotonicInstant(nanoseconds: .min)
    private var isBrowsing = false

    /// Creates a check without expected services.
    package init() {}
}

extension RegistrationCheck {
    /// The time at which to call ``advance(to:)``, if any.
    package var nextDeadline: MonotonicInstant? {
        guard isBrowsing else { return nil }
        let absences = expectations.values.filter { !isPresent($0) }.compactMap(\.absenceDeadline).min()
        let lookups = lookup.map(\.deadline) ?? nextExpectationToLookUp.map { lookupTime($0.value) }
        return [absences, lookups].compactMap { $0 }.min()
    }

    /// Sets the expected service of an id; `nil` expects none.
    ///
    /// `isMissing` means that the service was reported as missing, so that it is looked up without waiting for others.
    package mutating func expect(
        _ service: PublishedService?,
        as id: ServiceID,
        isMissing: Bool = false,
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
                absenceDeadline: now.advanced(by: Self.absenceLimit),
                checkAt: now.advanced(by: Self.firstLookupDelay),
                isMissing: isMissing
            )
        }
        return actions + advance(to: now)
    }

    /// Handles the start of a browse, which reports all current names.
    package mutating func browseBegan(at now: MonotonicInstant) {
        browseEnded()
        isBrowsing = true
        for id in expectations.keys {
            expectations[id]?.absenceDeadline = now.advanced(by: Self.absenceLimit)
            expectations[id]?.checkAt = now.advanced(by: Self.firstLookupDelay)
        }
    }

    /// Handles the end of the browse: its results are discarded, and no service counts as absent.
    package mutating func browseEnded() {
        isBrowsing = false
        nameCounts = [:]
        lookup = nil
    }

    /// Handles that the daemon is not available: no service is known to be visible.
    package mutating func browseFailed(_ error: DiscoveryError) -> [Action] {
        expectations.keys.sorted { $0.number < $1.number }
            .map { id in
                expectations[id]?.isMissing = true
                return .report(id, .missing(error))
            }
    }

    /// Handles that a name has appeared, on one interface and protocol.
    package mutating func appeared(_ name: String, at now: MonotonicInstant) -> [Action] {
        guard isBrowsing, nameCounts[name] != nil || nameCounts.count < Self.maximumNames else { return [] }
        nameCounts[name, default: 0] += 1
        for (id, expectation) in expectations where expectation.service.name == name && expectation.isMissing {
            expectations[id]?.checkAt = now
        }
        return advance(to: now)
    }

    /// Handles that a name was removed from one interface and protocol.
    package mutating func disappeared(_ name: String, at now: MonotonicInstant) -> [Action] {
        guard let count = nameCounts[name] else { return [] }
        nameCounts[name] = count > 1 ? count - 1 : nil
        guard count == 1 else { return [] }
        for (id, expectation) in expectations where expectation.service.name == name {
            expectations[id]?.absenceDeadline = now.advanced(by: Self.absenceLimit)
        }
        return []
    }

    /// Handles a result of the lookup.
    package mutating func lookedUp(_ found: PublishedService, at now: MonotonicInstant) -> [Action] {
        guard let id = lookup?.id, let expectation = expectations[id] else { return [] }
        guard expectation.service.matches(found) else {
            // The replaced record may be reported first; the correct one follows within the timeout of the lookup.
            if expectation.service.name == found.name {
                lookup?.hasMismatch = true
            }
            return []
        }
        return [.endLookup] + finishLookup(id, missing: nil, at: now) + advance(to: now)
    }

    /// Handles that time has passed.
    package mutating func advance(to now: MonotonicInstant) -> [Action] {
        guard isBrowsing else { return [] }
        var actions: [Action] = []
        let absent = expectations.filter { !isPresent($0.value) && $0.value.absenceDeadline.map { $0 <= now } ?? false }
        for id in absent.keys.sorted(by: { $0.number < $1.number }) {
            expectations[id]?.absenceDeadline = nil
            expectations[id]?.isMissing = true
            actions.append(.report(id, .missing(.notFound)))
        }
        if let lookup, lookup.deadline <= now {
            actions.append(.endLookup)
            actions += finishLookup(lookup.id, missing: lookup.hasMismatch ? .recordMismatch : .notFound, at: now)
        }
        if lookup == nil, let (id, expectation) = nextExpectationToLookUp, lookupTime(expectation) <= now {
            lookup = Lookup(id: id, deadline: now.advanced(by: Self.lookupTimeout))
            actions.append(.lookUp(name: expectation.service.name))
        }
        return actions
    }
}

extension RegistrationCheck {
    private func isPresent(_ expectation: Expectation) -> Bool {
        nameCounts[expectation.service.name] != nil
    }

    private var nextExpectationToLookUp: (key: ServiceID, value: Expectation)? {
        expectations.filter { isPresent($0.value) }
            .min {
                (lookupTime($0.value), $0.value.checkAt, $0.key.number)
                    < (lookupTime($1.value), $1.value.checkAt, $1.key.number)
            }
    }

    /// Returns the time of the next lookup of a service.
    ///
    /// A missing service does not wait for the pause between lookups of different services.
    private func lookupTime(_ expectation: Expectation) -> MonotonicInstant {
        expectation.isMissing ? expectation.checkAt : max(expectation.checkAt, nextLookup)
    }

    private mutating func finishLookup(_ id: ServiceID, missing error: DiscoveryError?, at now: MonotonicInstant)
        -> [Action]
    {
        lookup = nil
        nextLookup = now.advanced(by: Self.lookupSpacing)
        expectations[id]?.checkAt = now.advanced(by: Self.lookupInterval)
        expectations[id]?.isMissing = error != nil
        return [.report(id, error.map { .missing($0) } ?? .found)]
    }
}
