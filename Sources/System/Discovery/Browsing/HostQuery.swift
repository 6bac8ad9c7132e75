internal import AsyncPrimitives
internal import HAPCore
internal import Synchronization

/// A query for the addresses of a host that ends in time, even if the bus or the daemon hangs.
actor HostQuery {
    private let executor = DiscoveryExecutor()
    private var connection: AvahiConnection?
    private var pendingLookupCount = 0
    /// The results so far; `nil` until the daemon has accepted the query.
    ///
    /// They are read from outside the actor when the time is up.
    private nonisolated let found = Mutex<[NetworkAddress]?>(nil)

    /// The time that the first result waits for others.
    private static let gracePeriod = Duration.milliseconds(300)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Returns the addresses of a host such as `garage.local`, those most likely to work first.
    nonisolated func addresses(of host: String, within time: Duration) async throws(DiscoveryError) -> [String] {
        defer {
            executor.run {
                self.assumeIsolated { $0.connection = nil }
            }
        }
        return try await executor.runQuery(within: time) { end in
            self.assumeIsolated { $0.startLookup(for: host, until: end) }
        } onTimeout: {
            self.addressTexts.map { .success($0) } ?? .failure(.busNotResponding)
        }
    }

    private nonisolated var addressTexts: [String]? {
        found.withLock { $0?.sorted().map(\.text) }
    }

    private func startLookup(for host: String, until end: OneShot<Result<[String], DiscoveryError>>) {
        do throws(AvahiCode) {
            let connection = try AvahiConnection { [executor, weak self] event in
                executor.run { [weak self] in
                    self?.assumeIsolated { $0.handle(event, until: end) }
                }
            }
            self.connection = connection
            // This call fails immediately if the daemon is not running.
            _ = try connection.version()
            found.withLock { $0 = [] }
            pendingLookupCount = connection.lookUp(host: host)
            if pendingLookupCount == 0 {
                end.set(.success([]))
            }
        } catch {
            end.set(.failure(error.discoveryError(bus: SystemBus.probe()).forBrowsing))
        }
    }

    private func handle(_ event: AvahiConnection.Event, until end: OneShot<Result<[String], DiscoveryError>>) {
        switch event {
        case .hostResolved(let address):
            pendingLookupCount -= 1
            let isFirst = found.withLock { found in
                guard let address, found?.contains(address) == false else { return false }
                found?.append(address)
                return found?.count == 1
            }
            if pendingLookupCount == 0 {
                end.set(.success(addressTexts ?? []))
            } else if isFirst {
                executor.run(at: executor.now.advanced(by: Self.gracePeriod)) { [weak self] in
                    guard let texts = self?.addressTexts else { return }
                    end.set(.success(texts))
                }
            }
        case .connectionLost:
            end.set(.failure(DiscoveryError.noDaemon.forBrowsing))
        case .daemonAvailable, .daemonUnavailable, .appeared, .disappeared, .allForNow, .lookedUp, .lookupFailed:
            break
        }
    }
}
