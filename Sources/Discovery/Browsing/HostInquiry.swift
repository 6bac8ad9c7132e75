internal import AsyncPrimitives
internal import HAPCore
internal import Synchronization

/// One question to the Avahi daemon for a host's addresses, which ends in time whatever the bus and the daemon do.
actor HostInquiry {
    private let executor = DiscoveryExecutor()
    private var connection: AvahiConnection?
    private var unanswered = 0
    /// What was found so far; `nil` until the daemon has agreed to tell.
    ///
    /// Read from outside when the time is up.
    private nonisolated let found = Mutex<[NetworkAddress]?>(nil)

    /// How long the first answer waits for others.
    private static let patience = Duration.milliseconds(300)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Asks for the addresses of a host such as `garage.local`, those first that are likely to work.
    nonisolated func addresses(of host: String, within time: Duration) async throws(DiscoveryError) -> [String] {
        defer {
            executor.run {
                self.assumeIsolated { $0.connection = nil }
            }
        }
        return try await executor.answer(within: time) { end in
            self.assumeIsolated { $0.ask(for: host, until: end) }
        } late: {
            self.texts.map { .success($0) } ?? .failure(.busSilent)
        }
    }

    private nonisolated var texts: [String]? {
        found.withLock { $0?.sorted().map(\.text) }
    }

    private func ask(for host: String, until end: OneShot<Result<[String], DiscoveryError>>) {
        do throws(AvahiCode) {
            let connection = try AvahiConnection { [executor, weak self] event in
                executor.run { [weak self] in
                    self?.assumeIsolated { $0.handle(event, until: end) }
                }
            }
            self.connection = connection
            // Asks the daemon at once whether it is there.
            _ = try connection.version()
            found.withLock { $0 = [] }
            unanswered = connection.lookUp(host: host)
            if unanswered == 0 {
                end.set(.success([]))
            }
        } catch {
            end.set(.failure(error.discoveryError(bus: SystemBus.probe()).whenLooking))
        }
    }

    private func handle(_ event: AvahiConnection.Event, until end: OneShot<Result<[String], DiscoveryError>>) {
        switch event {
        case .hostAnswered(let address):
            unanswered -= 1
            let isFirst = found.withLock { found in
                guard let address, found?.contains(address) == false else { return false }
                found?.append(address)
                return found?.count == 1
            }
            if unanswered == 0 {
                end.set(.success(texts ?? []))
            } else if isFirst {
                executor.run(at: executor.now.advanced(by: Self.patience)) { [weak self] in
                    guard let texts = self?.texts else { return }
                    end.set(.success(texts))
                }
            }
        case .lost:
            end.set(.failure(DiscoveryError.noDaemon.whenLooking))
        case .daemonAnswers, .waitsForDaemon, .appeared, .disappeared, .sawAll, .lookedUp, .lookupFailed:
            break
        }
    }
}
