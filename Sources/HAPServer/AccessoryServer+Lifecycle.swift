public import AccessoryModel
public import CoreMetrics
public import Discovery
internal import HAPCore
internal import HAPTransport
public import Logging
package import NIOCore
public import NIOPosix
public import ServiceLifecycle

/// A server runs in a `ServiceGroup`: ``run()`` is what the group calls.
extension AccessoryServer: ServiceLifecycle.Service {}

extension AccessoryServer {
    /// Loads the store, listens, and begins to advertise.
    ///
    /// Returns when controllers can connect. The advertisement follows by itself, and its absence stops nothing: its state
    /// is one of the facts that the observer is told. The server serves until ``stop()``, also when nobody holds it.
    ///
    /// - Parameters:
    ///   - configuration: How the server appears.
    ///   - accessories: The accessory, or the bridge and what is behind it.
    ///   - store: Keeps identity, pairings, ids and values.
    ///   - handlers: What the embedding program does on reads and writes.
    ///   - discovery: Where the server announces itself through Avahi: one for all servers of a program; `nil` leaves it
    ///     unannounced.
    ///   - logger: Logs what happens; `nil` logs nothing. See <doc:ObservingAServer>.
    ///   - metrics: Makes the counters and timers for what happens; `nil` measures nothing.
    ///   - observer: Receives what happens.
    ///   - faultInjection: Is asked what shall go wrong.
    ///   - group: Where the event loop comes from.
    /// - Throws: ``ServerError`` when the address is taken, the store fails, or the declaration cannot be served.
    public static func start(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        store: any AccessoryServerStore,
        handlers: [CharacteristicKey: CharacteristicHandler] = [:],
        discovery: DiscoveryQueue? = DiscoveryQueue(),
        logger: Logger? = nil,
        metrics: (any MetricsFactory)? = nil,
        observer: (any ServerObserver)? = nil,
        faultInjection: (any FaultInjection)? = nil,
        on group: MultiThreadedEventLoopGroup = .singleton
    ) async throws(ServerError) -> AccessoryServer {
        try await start(
            configuration,
            accessories: accessories,
            ports: ServerPorts(
                store: store,
                advertiser: discovery.map { DNSSDAdvertiser(on: $0) } ?? NoOpAdvertiser(),
                observer: Self.makeObserver(observer, logger, metrics, server: configuration.name),
                faultInjection: faultInjection,
                handlers: handlers
            ),
            on: group
        )
    }

    /// Starts a server that is connected to the given ports.
    package static func start(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        ports: ServerPorts,
        on group: MultiThreadedEventLoopGroup = .singleton
    ) async throws(ServerError) -> AccessoryServer {
        guard let loop = group.next() as? any EventLoop & NIOSerialEventLoopExecutor else {
            preconditionFailure("an event loop of NIOPosix is a serial executor")
        }
        return try await start(configuration, accessories: accessories, ports: ports, on: loop, listener: nil)
    }

    /// Starts a server on one event loop.
    ///
    /// With a `listener` it does not listen itself: whoever owns that channel hands over each connection by
    /// ``take(_:)``.
    package static func start(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        ports: ServerPorts,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        listener: (any Channel)?
    ) async throws(ServerError) -> AccessoryServer {
        do {
            try configuration.check(accessories)
            let start = try await ServerStart(configuration, accessories: accessories, store: ports.store)
            let server = AccessoryServer(configuration: configuration, start: start, eventLoop: loop, ports: ports)
            if start.hasNewStructure {
                ports.observer?.observe(.configurationChanged(start.records.configuration.number))
            }
            do {
                try await server.startServing(listener, polling: ports.polledValues)
            } catch {
                await server.cleanUpAfterFailedStart()
                throw error
            }
            return server
        } catch {
            throw ServerError(error)
        }
    }

    /// Combines what is made for a logger and a factory of metrics with a program's own observer.
    static func makeObserver(
        _ observer: (any ServerObserver)?,
        _ logger: Logger?,
        _ metrics: (any MetricsFactory)?,
        server: String
    ) -> (any ServerObserver)? {
        ObserverFanOut.combining(
            logger.map { LoggingObserver($0, server: server) },
            metrics.map { MetricsObserver($0, server: server) },
            observer
        )
    }

    /// Serves until a graceful shutdown of its `ServiceGroup` or the cancellation of its task, then stops as ``stop()``
    /// does.
    ///
    /// Returns, too, when something else has stopped the server.
    public func run() async {
        await cancelWhenGracefulShutdown { await self.waitUntilStopped() }
        await stop()
    }

    /// Stops: withdraws the announcement, accepts no more connections, answers the pending requests, and stores the
    /// values.
    ///
    /// Returns when that is done, and may be called again.
    public func stop() async {
        guard case .serving(let channel) = lifecycle.state else {
            // Another call may be stopping the server. The wait is in a task of its own: in a canceled one it would end.
            await Task { await waitUntilStopped() }.value
            return
        }
        lifecycle.stop()
        await ports.advertiser.stop()
        try? await channel.close()
        behaviors.take()?.cancel()
        presence.listener.retry?.cancel()
        stopPolls()
        await waitForHandlers()
        await finishWork()
        cancelHandlers()
        // Events that wait for their second are not sent: a controller reads the values when it connects again.
        sendDeferredEvents(eventCount: .max)
        await closeConnections()
        connections.inspection?.cancel()
        await saveValues()
        do throws(StoreError) {
            try await ports.ownedState?.close()
        } catch {
            observer?.observe(.storeFailed(error))
        }
        for waiting in lifecycle.markStopped() { waiting.finish() }
    }

    /// Closes every connection when its controller has taken what it was sent; one that takes nothing is not waited for.
    private func closeConnections() async {
        let timeout = TimeAmount.nanoseconds(configuration.connectionLimits.stopTimeout.clampedNanoseconds)
        for closed in connections.all.compactMap({ $0.channelHandler.closeWhenSent(within: timeout) }) {
            try? await closed.get()
        }
    }

    /// Waits until the server has stopped, or the surrounding task is cancelled.
    private func waitUntilStopped() async {
        guard let end = lifecycle.makeStopStream() else { return }
        for await _ in end {}
    }

    private func startServing(
        _ listener: (any Channel)?,
        polling polledValues: [CharacteristicKey: PolledValue]
    ) async throws {
        startWorker()
        resolveHandlers()
        publish(database.startBehaviors(at: behaviorTime), by: .device)
        let channel = if let listener { listener } else { try await listen() }
        lifecycle.serve(channel)
        presence.listener = NetworkPresence.Listener(isOwned: listener == nil, isOpen: true)
        if configuration.port == 0, let port = channel.localAddress?.port,
            records.identity.port != UInt16(clamping: port)
        {
            records.identity.port = UInt16(clamping: port)
            let identity = records.identity
            try await store(.identity) { store throws(StoreError) in try await store.save(identity) }
        }
        prepareForPairSetup()
        rescheduleBehaviors()
        scheduleSave()
        startPolls(polledValues)
        announce()
        if ports.faultInjection != nil {
            enqueue(.applyConditions(nil))
        }
    }

    /// How many connections may wait to be accepted: when a crowd comes at once, a controller among it does not have to
    /// knock a second time, a second later.
    private static let backlog: Int32 = 1_024

    /// When data has stayed unacknowledged for so long, the peer counts as gone.
    ///
    /// Keep-alive probes would wake it instead.
    ///
    /// HAP: §10
    private static let tcpUserTimeout = ChannelOptions.Types.SocketOption(
        level: .tcp,
        name: .init(rawValue: TCP_USER_TIMEOUT)
    )

    /// Lets go of what a start that failed had taken.
    private func cleanUpAfterFailedStart() async {
        if case .serving(let channel) = lifecycle.state {
            try? await channel.close()
        }
        for waiting in lifecycle.markStopped() { waiting.finish() }
        // Controllers may have connected since the server listens.
        await closeConnections()
        await finishWork()
    }

    /// The range from which a server picks the port that it keeps.
    ///
    /// Linux uses higher ports for outgoing connections, and one of them could take the port while the server is down.
    private static let persistentPorts = 20_000..<32_768

    func listen() async throws(ServerError) -> any Channel {
        let wanted = configuration.port == 0 ? records.identity.port ?? 0 : configuration.port
        guard wanted == 0 else { return try await listen(on: Int(wanted)) }
        for _ in 0..<16 {
            let port = Int.random(in: Self.persistentPorts)
            if let channel = try? await listen(on: port) { return channel }
        }
        return try await listen(on: 0)
    }

    private func listen(on port: Int) async throws(ServerError) -> any Channel {
        let server = self
        let timeout = configuration.connectionLimits.tcpUserTimeout
        let userTimeout = SocketOptionValue(clamping: timeout.clampedNanoseconds / 1_000_000)
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // One in each turn of the loop: asking whether there is another costs a socket that is made and thrown away.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            // Accepted sockets inherit this option, as they inherit TCP_NODELAY, which NIO sets.
            .serverChannelOption(Self.tcpUserTimeout, value: userTimeout)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Out of file descriptors, accepting waits instead of spinning.
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptBackoffHandler { error in
                            guard error.errnoCode != ECONNABORTED else { return nil }
                            return server.assumeIsolated { $0.freeDescriptors() }
                        }
                    )
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try server.accept(channel) }
            }
        do {
            if let address = configuration.bindAddress {
                return try await bootstrap.bind(host: address, port: port).get()
            }
            do {
                return try await bootstrap.bind(host: "::", port: port).get()
            } catch let error as IOError where error.errnoCode == EAFNOSUPPORT || error.errnoCode == EADDRNOTAVAIL {
                return try await bootstrap.bind(host: "0.0.0.0", port: port).get()
            }
        } catch {
            throw ServerError(binding: configuration.bindAddress, port: port, error)
        }
    }
}
