internal import AsyncPrimitives
internal import Synchronization

/// What the Avahi daemon says of itself and of the accessories it sees.
///
/// Asks without registering or starting anything, and never longer than it is told to.
package struct DaemonLook: Sendable, Hashable {
    /// Such as `avahi 0.8`.
    package var version: String
    /// The machine's name on the network, such as `garage.local`.
    package var hostName: String

    /// Creates one.
    package init(version: String, hostName: String) {
        self.version = version
        self.hostName = hostName
    }

    /// Asks the daemon who it is.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.noAnswer` when one of them hangs, `.limit` when there is no room for one more
    ///   connection, or `.refused` when the bus is none or the daemon too old.
    package static func look(within time: Duration) async throws(DiscoveryError) -> DaemonLook {
        try await DaemonInquiry().identity(within: time)
    }

    /// The accessories that the daemon finds and looks up in this time, each address once.
    ///
    /// Ends before its time when the daemon has told all that it knows and asked the network once.
    ///
    /// - Throws: As ``look(within:)``.
    package static func accessories(within time: Duration) async throws(DiscoveryError) -> [FoundService] {
        try await DaemonInquiry().accessories(within: time)
    }

    /// The addresses of a host such as `garage.local`, those first that are likely to work; none when nobody says that it
    /// is called so.
    ///
    /// Waits for as long as it may when there is no such host.
    ///
    /// - Throws: As ``look(within:)``.
    package static func addresses(
        ofHost name: String,
        within time: Duration
    ) async throws(DiscoveryError) -> [String] {
        try await HostInquiry().addresses(of: name, within: time)
    }
}

/// One conversation with the Avahi daemon that ends in time, whatever the bus and the daemon do.
///
/// Avahi's library blocks for 25 seconds when one of them hangs. It does so on a thread that belongs to this conversation
/// alone, and is left to itself when the time is up.
actor DaemonInquiry {
    private let executor = DiscoveryExecutor()
    private var connection: AvahiConnection?
    private var end: OneShot<Result<[FoundService], DiscoveryError>>?
    /// What was found so far; `nil` until the daemon has agreed to tell.
    ///
    /// Read from outside when the time is up.
    private nonisolated let search = Mutex<AccessorySearch?>(nil)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Asks the daemon who it is.
    nonisolated func identity(within time: Duration) async throws(DiscoveryError) -> DaemonLook {
        try await answer(within: time) { inquiry, end in
            end.set(Result { () throws(DiscoveryError) in try inquiry.identity() })
        } late: {
            .failure(.busSilent)
        }
    }

    /// Asks for the accessories that the daemon finds in this time.
    nonisolated func accessories(within time: Duration) async throws(DiscoveryError) -> [FoundService] {
        try await answer(within: time) { inquiry, end in
            inquiry.browse(until: end)
        } late: {
            self.search.withLock { $0 }.map { .success($0.found) } ?? .failure(.busSilent)
        }
    }

    private nonisolated func answer<Answer: Sendable>(
        within time: Duration,
        ask: @escaping @Sendable (isolated DaemonInquiry, OneShot<Result<Answer, DiscoveryError>>) -> Void,
        late: @escaping @Sendable () -> Result<Answer, DiscoveryError>
    ) async throws(DiscoveryError) -> Answer {
        defer {
            executor.run {
                self.assumeIsolated { $0.connection = nil }
            }
        }
        return try await executor.answer(within: time) { end in
            self.assumeIsolated { ask($0, end) }
        } late: {
            late()
        }
    }
}

extension DaemonInquiry {
    private func identity() throws(DiscoveryError) -> DaemonLook {
        do throws(AvahiCode) {
            let connection = try AvahiConnection { _ in }
            return DaemonLook(version: try connection.version(), hostName: try connection.hostName())
        } catch {
            throw error.discoveryError(bus: SystemBus.probe())
        }
    }

    private func browse(until end: OneShot<Result<[FoundService], DiscoveryError>>) {
        self.end = end
        do throws(AvahiCode) {
            let connection = try AvahiConnection { [executor, weak self] event in
                executor.run { [weak self] in
                    self?.assumeIsolated { $0.handle(event) }
                }
            }
            self.connection = connection
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
                // Such as a name that the daemon itself would not take; the others are looked up all the same.
                handle(.lookupFailed(service))
            }
        case .finish: end?.set(.success(search.withLock { $0?.found ?? [] }))
        case .fail: fail(with: .noDaemon)
        }
    }

    private func fail(with code: AvahiCode) {
        end?.set(.failure(code.discoveryError(bus: SystemBus.probe())))
    }
}

/// A service that was found on the network and looked up.
package struct FoundService: Sendable, Hashable {
    /// The name under which it appears.
    package var name: String
    /// The machine's name, such as `garage.local`.
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
