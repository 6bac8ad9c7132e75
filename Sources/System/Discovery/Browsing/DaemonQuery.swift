internal import AsyncPrimitives
internal import HAPCore
internal import Synchronization

/// The Avahi daemon's description of itself, and the accessories that it sees.
///
/// A query has a time limit; it registers nothing, and does not start the daemon.
package struct DaemonReport: Sendable, Hashable {
    /// Such as `avahi 0.8`.
    package var version: String
    /// The host name of the machine on the network, such as `garage.local`.
    package var hostName: String

    /// Creates one.
    package init(version: String, hostName: String) {
        self.version = version
        self.hostName = hostName
    }

    /// Asks the daemon for its name and version.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.noResponse` if one of them hangs, `.limit` if there is no room for another
    ///   connection, or `.refused` if it is not a bus or the daemon is too old.
    package static func query(within time: Duration) async throws(DiscoveryError) -> DaemonReport {
        try await DaemonQuery().identity(within: time)
    }

    /// Returns the accessories that the daemon finds and looks up within a time, each address once.
    ///
    /// Returns earlier if the daemon has reported all names and every lookup has ended.
    ///
    /// - Throws: As ``query(within:)``.
    package static func accessories(within time: Duration) async throws(DiscoveryError) -> [ResolvedService] {
        try await DaemonQuery().accessories(within: time)
    }

    /// Returns the addresses of a host such as `garage.local`, with those most likely to work first; empty if no host
    /// has this name.
    ///
    /// Waits for the whole time if there is no such host.
    ///
    /// - Throws: As ``query(within:)``.
    package static func addresses(
        ofHost name: String,
        within time: Duration
    ) async throws(DiscoveryError) -> [String] {
        try await DaemonQuery().addresses(of: name, within: time)
    }
}

/// A query of the Avahi daemon that ends in time, even if the bus or the daemon hangs.
///
/// Avahi's library blocks for 25 seconds if one of them hangs. Each query has a thread of its own, which is abandoned
/// when the time is up.
actor DaemonQuery {
    private let executor = DiscoveryExecutor()
    private var connection: AvahiConnection?
    private var completion: OneShot<Result<[ResolvedService], DiscoveryError>>?
    private var pendingLookupCount = 0
    // The results so far; `nil` until the daemon has accepted the query. They are read from outside the actor when the
    // time is up.
    private nonisolated let search = Mutex<AccessorySearch?>(nil)
    private nonisolated let foundAddresses = Mutex<[NetworkAddress]?>(nil)

    /// The time that the first address of a host waits for others.
    private static let gracePeriod = Duration.milliseconds(300)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Asks the daemon for its version and host name.
    nonisolated func identity(within time: Duration) async throws(DiscoveryError) -> DaemonReport {
        try await runQuery(within: time) { inquiry, end in
            end.set(Result { () throws(DiscoveryError) in try inquiry.identity() })
        } onTimeout: {
            .failure(.busNotResponding)
        }
    }

    /// Returns the accessories that the daemon finds within this time.
    nonisolated func accessories(within time: Duration) async throws(DiscoveryError) -> [ResolvedService] {
        try await runQuery(within: time) { inquiry, end in
            inquiry.browse(until: end)
        } onTimeout: {
            self.search.withLock { $0 }.map { .success($0.found) } ?? .failure(.busNotResponding)
        }
    }

    /// Returns the addresses of a host such as `garage.local`, those most likely to work first.
    nonisolated func addresses(of host: String, within time: Duration) async throws(DiscoveryError) -> [String] {
        try await runQuery(within: time) { inquiry, end in
            inquiry.lookUp(host, until: end)
        } onTimeout: {
            self.addressTexts.map { .success($0) } ?? .failure(.busNotResponding)
        }
    }

    private nonisolated func runQuery<Answer: Sendable>(
        within time: Duration,
        start: @escaping @Sendable (isolated DaemonQuery, OneShot<Result<Answer, DiscoveryError>>) -> Void,
        onTimeout: @escaping @Sendable () -> Result<Answer, DiscoveryError>
    ) async throws(DiscoveryError) -> Answer {
        defer {
            executor.run {
                self.assumeIsolated { $0.connection = nil }
            }
        }
        return try await executor.runQuery(within: time) { end in
            self.assumeIsolated { start($0, end) }
        } onTimeout: {
            onTimeout()
        }
    }
}

extension DaemonQuery {
    private func identity() throws(DiscoveryError) -> DaemonReport {
        do throws(AvahiCode) {
            let connection = try AvahiConnection { _ in }
            return DaemonReport(version: try connection.version(), hostName: try connection.hostName())
        } catch {
            throw error.discoveryError(bus: SystemBus.probe())
        }
    }

    /// Opens the connection of the query, whose events are handled on the executor.
    private func connect(
        _ handle: @escaping @Sendable (isolated DaemonQuery, AvahiConnection.Event) -> Void
    ) throws(AvahiCode) -> AvahiConnection {
        let connection = try AvahiConnection { [executor, weak self] event in
            executor.run { [weak self] in
                self?.assumeIsolated { handle($0, event) }
            }
        }
        self.connection = connection
        return connection
    }

    private func browse(until end: OneShot<Result<[ResolvedService], DiscoveryError>>) {
        self.completion = end
        do throws(AvahiCode) {
            let connection = try connect { inquiry, event in inquiry.handle(event) }
            try connection.browse()
            search.withLock { $0 = AccessorySearch() }
        } catch {
            fail(with: error)
        }
    }

    private func handle(_ event: AvahiConnection.Event) {
        switch search.withLock({ $0?.handle(event) }) {
        case nil, .wait: break
        case .lookUp(let service):
            do throws(AvahiCode) {
                try connection?.lookUp(service)
            } catch {
                // For example, the daemon does not accept the name. The other names are still looked up.
                handle(.lookupFailed(service))
            }
        case .finish: completion?.set(.success(search.withLock { $0?.found ?? [] }))
        case .fail: fail(with: .noDaemon)
        }
    }

    private func fail(with code: AvahiCode) {
        completion?.set(.failure(code.discoveryError(bus: SystemBus.probe())))
    }
}

// MARK: Hosts

extension DaemonQuery {
    private nonisolated var addressTexts: [String]? {
        foundAddresses.withLock { $0?.sorted().map(\.text) }
    }

    private func lookUp(_ host: String, until end: OneShot<Result<[String], DiscoveryError>>) {
        do throws(AvahiCode) {
            let connection = try connect { inquiry, event in inquiry.handle(event, until: end) }
            // This call fails immediately if the daemon is not running.
            _ = try connection.version()
            foundAddresses.withLock { $0 = [] }
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
            let isFirst = foundAddresses.withLock { found in
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

/// A service that was found on the network and resolved.
package struct ResolvedService: Sendable, Hashable {
    /// The name under which it appears.
    package var name: String
    /// The host name, such as `garage.local`.
    package var host: String
    /// Its address as text, IPv4 or IPv6 without a zone.
    package var address: String
    /// The port.
    package var port: UInt16
    /// Its text.
    package var text: TXTRecord

    /// Creates one.
    package init(name: String, host: String, address: String, port: UInt16, text: TXTRecord) {
        self.name = name
        self.host = host
        self.address = address
        self.port = port
        self.text = text
    }
}
