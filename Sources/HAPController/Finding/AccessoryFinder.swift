package import Discovery
package import HAPCore

/// Finds accessories by what they announce, through the Avahi daemon.
///
/// Every search ends when its task is cancelled, with what was found by then.
package struct AccessoryFinder: Sendable {
    /// What is there, and then what happens; a stream for each search.
    private let updates: @Sendable () -> AsyncStream<DiscoveryUpdate>
    private let patience: Duration

    /// How long a host's name is looked up.
    private static let hostTime = Duration.seconds(3)
    /// How long a search waits for others that match once one does.
    ///
    /// An accessory that has another name now is still announced under the old one, too, for a while.
    private static let momentForOthers = Duration.milliseconds(50)

    /// Searches in what a browser sees.
    package init(_ browser: AccessoryBrowser) {
        self.init { browser.updates() }
    }

    /// Searches in what is told.
    ///
    /// - Parameter patience: How long after everything was told an accessory may still appear.
    package init(
        patience: Duration = .seconds(2),
        updates: @escaping @Sendable () -> AsyncStream<DiscoveryUpdate>
    ) {
        self.updates = updates
        self.patience = patience
    }
}

extension AccessoryFinder: AddressFinding {
    package func places(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryPlace] {
        try await accessories { $0.deviceID == deviceID }
            .flatMap { accessory in
                accessory.addresses.map { address in
                    AccessoryPlace(
                        host: address,
                        port: accessory.port,
                        configurationNumber: accessory.configurationNumber.map { UInt64($0) },
                        name: accessory.name
                    )
                }
            }
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

extension AccessoryFinder {
    private enum Event: Sendable {
        case update(DiscoveryUpdate)
        case timeIsUp
    }

    /// The accessories that match, by name: soon after the first one has come, or none.
    private func accessories(
        where matches: @escaping @Sendable (DiscoveredAccessory) -> Bool
    ) async throws(ControllerError) -> [DiscoveredAccessory] {
        let result = await withTaskGroup(of: Void.self) { group -> Result<[DiscoveredAccessory], DiscoveryError> in
            defer { group.cancelAll() }
            let (events, sink) = AsyncStream.makeStream(of: Event.self)
            let updates = updates()
            group.addTask {
                for await update in updates {
                    sink.yield(.update(update))
                }
                sink.finish()
            }
            var search = AccessorySearchState(matches: matches)
            for await event in events {
                switch event {
                case .timeIsUp:
                    return .success(search.found)
                case .update(let update):
                    switch search.handle(update) {
                    case .wait: break
                    case .waitForOthers: Self.wait(for: Self.momentForOthers, in: &group, sink)
                    case .waitForLate: Self.wait(for: patience, in: &group, sink)
                    case .fail(let error): return .failure(error)
                    }
                }
            }
            return search.isAnswered ? .success(search.found) : .failure(.busSilent)
        }
        do throws(DiscoveryError) {
            return try result.get()
        } catch {
            throw ControllerError(error)
        }
    }

    private static func wait(
        for time: Duration,
        in group: inout TaskGroup<Void>,
        _ sink: AsyncStream<Event>.Continuation
    ) {
        group.addTask {
            try? await Task.sleep(for: time)
            sink.yield(.timeIsUp)
        }
    }
}
