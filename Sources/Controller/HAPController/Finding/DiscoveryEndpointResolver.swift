package import Discovery
package import HAPCore

/// Finds accessories by their announcements, through the Avahi daemon.
///
/// When its task is canceled, a search returns what it has found by then. The lookup of a host name ends after
/// ``hostLookupTimeout`` at the latest.
package struct DiscoveryEndpointResolver: Sendable {
    /// Returns a new stream with the current accessories and later changes, for one device ID or for all.
    private let updates: @Sendable (DeviceID?) -> AsyncStream<DiscoveryUpdate>
    private let timeout: Duration
    /// The time that a search waits for further matches after the first one.
    ///
    /// An accessory that has changed its name is announced under both names for some time.
    private let moreMatchesTimeout: Duration

    /// The timeout for looking up a host name.
    package static let hostLookupTimeout = Duration.seconds(3)
    private static let defaultMoreMatchesTimeout = Duration.milliseconds(50)

    /// Creates a resolver that uses a browser.
    package init(_ browser: AccessoryBrowser) {
        updates = { browser.updates(of: $0) }
        timeout = .seconds(2)
        moreMatchesTimeout = Self.defaultMoreMatchesTimeout
    }

    /// Creates a resolver that uses a stream of updates about all accessories.
    ///
    /// - Parameter patience: The time to wait for a late accessory after all known ones were reported.
    package init(
        patience: Duration = .seconds(2),
        updates: @escaping @Sendable () -> AsyncStream<DiscoveryUpdate>
    ) {
        self.updates = { _ in updates() }
        self.timeout = patience
        moreMatchesTimeout = min(Self.defaultMoreMatchesTimeout, patience)
    }
}

extension DiscoveryEndpointResolver: EndpointResolver {
    package func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint] {
        try await accessories { $0.deviceID == deviceID }.flatMap(\.endpoints)
    }

    package func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        try await accessories { accessory in
            guard let id = accessory.deviceID, let hash = accessory.setupHash else { return false }
            return Base64.decode(hash) == SetupHash(setupID: setupID, deviceID: id).bytes
        }
        .first?
        .deviceID
    }
}

extension DiscoveryEndpointResolver {
    package func addresses(ofHost host: String) async throws(ControllerError) -> [String] {
        do throws(DiscoveryError) {
            return try await DaemonReport.addresses(ofHost: host, within: Self.hostLookupTimeout)
        } catch {
            throw ControllerError(error)
        }
    }

    package func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?> {
        let updates = updates(deviceID)
        // The stream fetches updates on demand, so it buffers none.
        return AsyncStream { () -> DiscoveredAccessory?? in
            for await update in updates {
                switch update {
                case .appeared(let accessory), .changed(let accessory):
                    if accessory.deviceID == deviceID { return .some(accessory) }
                case .unavailable:
                    return .some(nil)
                case .disappeared, .allForNow, .available:
                    break
                }
            }
            return nil
        }
    }
}

extension DiscoveryEndpointResolver {
    /// Returns the accessories that match, sorted by name.
    ///
    /// Returns soon after the first match, and an empty list if there is none.
    private func accessories(
        where matches: @escaping @Sendable (DiscoveredAccessory) -> Bool
    ) async throws(ControllerError) -> [DiscoveredAccessory] {
        var search = AccessorySearchState(matches: matches)
        let events = DiscoveryEvents(updates(nil))
        for await update in events.updates {
            switch search.handle(update) {
            case .wait: break
            case .waitForMoreMatches: events.finish(after: moreMatchesTimeout)
            case .waitForLateAnswers: events.finish(after: timeout)
            case .fail(let error): throw ControllerError(error)
            }
        }
        guard search.hasUpdates else { throw ControllerError(DiscoveryError.busNotResponding) }
        return search.matchingAccessories
    }
}
