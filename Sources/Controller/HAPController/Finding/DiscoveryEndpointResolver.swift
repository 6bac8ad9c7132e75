package import Discovery
package import HAPCore
internal import Synchronization

/// Finds accessories by their announcements, through the Avahi daemon.
///
/// When its task is canceled, a search returns what it has found by then. The lookup of a host name ends after
/// ``hostLookupTimeout`` at the latest.
package struct DiscoveryEndpointResolver: Sendable {
    /// Returns a new stream with the current accessories and later changes, for one device ID or for all.
    private let updates: @Sendable (DeviceID?) -> AsyncStream<DiscoveryUpdate>
    private let timeout: Duration

    /// The timeout for looking up a host name.
    package static let hostLookupTimeout = Duration.seconds(3)
    /// The time that a search waits for further matches after the first one.
    ///
    /// An accessory that has changed its name is announced under both names for some time.
    private static let moreMatchesTimeout = Duration.milliseconds(50)

    /// Creates a resolver that uses a browser.
    package init(_ browser: AccessoryBrowser) {
        updates = { browser.updates(of: $0) }
        timeout = .seconds(2)
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
        let search = SearchStateBox(AccessorySearchState(matches: matches))
        let failure = await withTaskGroup(of: Void.self) { group -> DiscoveryError? in
            defer { group.cancelAll() }
            // A small buffer is enough, because the search requests each wait only once.
            let (waits, sink) = AsyncStream.makeStream(of: SearchEvent.self, bufferingPolicy: .bufferingOldest(8))
            let updates = updates(nil)
            group.addTask {
                for await update in updates {
                    switch search.state.withLock({ $0.handle(update) }) {
                    case .wait: break
                    case .waitForMoreMatches: sink.yield(.timeoutChanged(Self.moreMatchesTimeout))
                    case .waitForLateAnswers: sink.yield(.timeoutChanged(timeout))
                    case .fail(let error): sink.yield(.failed(error))
                    }
                }
                sink.finish()
            }
            for await wait in waits {
                switch wait {
                case .timeoutChanged(let time):
                    group.addTask {
                        try? await Task.sleep(for: time)
                        sink.yield(.timedOut)
                    }
                case .timedOut: return nil
                case .failed(let error): return error
                }
            }
            return search.state.withLock { $0.hasUpdates } ? nil : .busNotResponding
        }
        if let failure { throw ControllerError(failure) }
        return search.state.withLock { $0.matchingAccessories }
    }

    private final class SearchStateBox: Sendable {
        let state: Mutex<AccessorySearchState>

        init(_ state: sending AccessorySearchState) {
            self.state = Mutex(state)
        }
    }

    private enum SearchEvent: Sendable {
        case timeoutChanged(Duration)
        case timedOut
        case failed(DiscoveryError)
    }
}
