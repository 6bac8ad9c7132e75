public import AccessoryModel
internal import AsyncPrimitives
public import CoreMetrics
public import Discovery
internal import HAPCore
public import Logging
package import NIOCore
public import NIOPosix
public import ServiceLifecycle

/// Lets a server run in a `ServiceGroup`, which calls ``run()``.
extension AccessoryServer: ServiceLifecycle.Service {}

extension AccessoryServer {
    /// Loads the store, listens, and starts to advertise.
    ///
    /// Returns when controllers can connect. Advertising continues in the background. Its state is reported to the
    /// observer; if it fails, the server keeps running. The server runs until ``stop()``, even without a reference to
    /// it.
    ///
    /// - Parameters:
    ///   - configuration: The name, port and identity of the server.
    ///   - accessories: The accessory, or the bridge and its accessories.
    ///   - store: Saves identity, pairings, ids and values.
    ///   - handlers: Functions of the embedding program for reads and writes.
    ///   - discovery: The queue that announces all servers of a program through Avahi; `nil` for no announcement.
    ///   - logger: Logs events; `nil` for no log. See <doc:ObservingAServer>.
    ///   - metrics: Creates counters and timers; `nil` for no metrics.
    ///   - observer: Receives events.
    ///   - faultInjection: Decides which faults are injected.
    ///   - group: The group that provides the event loop.
    /// - Throws: ``ServerError`` if the address is in use, the store fails, or the declaration cannot be served.
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
            on: ServerLoop.next(of: group),
            listener: nil
        )
    }

    /// Starts a server with the given ports, on an event loop that may be shared.
    ///
    /// - Parameter prepared: The database of these accessories, if it was built to check them.
    package static func start(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        prepared: PreparedDatabase? = nil,
        ports: ServerPorts,
        on loop: ServerLoop = ServerLoop()
    ) async throws(ServerError) -> AccessoryServer {
        try await start(
            configuration,
            accessories: accessories,
            prepared: prepared,
            ports: ports,
            on: loop.eventLoop,
            listener: nil
        )
    }

    /// Starts a server on one event loop.
    ///
    /// With a `listener`, the server does not listen itself: the owner of that channel passes each connection to
    /// ``accept(_:)``.
    package static func start(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        prepared: PreparedDatabase? = nil,
        ports: ServerPorts,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        listener: (any Channel)?
    ) async throws(ServerError) -> AccessoryServer {
        do {
            try configuration.check(accessories)
            let start = try await ServerStart(
                configuration,
                accessories: accessories,
                prepared: prepared,
                store: ports.store
            )
            let server = AccessoryServer(configuration: configuration, start: start, eventLoop: loop, ports: ports)
            if start.hasNewStructure {
                ports.observer?.observe(.configurationChanged(start.records.configuration.number))
            }
            do {
                try await server.startServing(listener, polling: ports.polledValues)
                // After the port is open, because this takes as long as opening the store.
                guard await runOnThreadPool({ Libcrypto.load() }) else { throw ServerError.noLibcrypto }
            } catch {
                await server.cleanUpAfterFailedStart()
                throw error
            }
            return server
        } catch {
            throw ServerError(error)
        }
    }

    /// Combines the observers for a logger and for metrics with the program's own observer.
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

    /// Runs until a graceful shutdown of its `ServiceGroup` or the cancellation of its task, then stops like
    /// ``stop()``.
    ///
    /// Also returns if the server was stopped in another way.
    public func run() async {
        await cancelWhenGracefulShutdown { [stopped = lifecycle.stopped] in _ = await stopped.waitUnlessCancelled() }
        await stop()
    }

    /// Withdraws the announcement, and accepts no more connections and requests, before ``stop()``.
    ///
    /// What is pending is still answered, and the program can still change values.
    package func stopAccepting() async {
        if let closing = lifecycle.closing { return await closing.value }
        guard case .serving(let channel) = lifecycle.state else { return }
        lifecycle.stopAccepting()
        for connection in connections.all { connection.channelHandler.stopReceiving() }
        let closing = Task {
            await ports.advertiser.stop()
            // Called on the event loop: the asynchronous overload would be called on another thread.
            let closed: EventLoopFuture<Void> = channel.close(mode: .all)
            try? await closed.get()
        }
        lifecycle.closing = closing
        await closing.value
    }

    /// Stops the server: withdraws the announcement, accepts no more connections and requests, answers the pending
    /// requests, and saves the values.
    ///
    /// Returns when this is done. It may be called again.
    public func stop() async {
        await stopAccepting()
        guard case .serving = lifecycle.state else {
            // Another call may be stopping the server.
            await lifecycle.stopped.wait()
            return
        }
        lifecycle.stop()
        behaviors.take()?.cancel()
        presence.listener.retry?.cancel()
        stopPolls()
        await waitForHandlers()
        await finishWork()
        cancelHandlers()
        // Events that still wait for the second between two messages are not sent, because a controller reads the
        // values when it connects again.
        sendDeferredEvents(eventCount: .max)
        await closeConnections()
        connections.inspection?.cancel()
        await saveValues()
        do throws(StoreError) {
            try await ports.ownedState?.close()
        } catch {
            observer?.observe(.storeFailed(error))
        }
        lifecycle.markStopped()
    }

    /// Closes every connection after its controller has received everything, or after a timeout if the controller does
    /// not read.
    private func closeConnections() async {
        let timeout = TimeAmount.nanoseconds(configuration.connectionLimits.stopTimeout.clampedNanoseconds)
        for closed in connections.all.compactMap({ $0.channelHandler.closeWhenSent(within: timeout) }) {
            try? await closed.get()
        }
    }

    private func startServing(
        _ listener: (any Channel)?,
        polling polledValues: [CharacteristicKey: PolledValue]
    ) async throws {
        resolveHandlers()
        reportBehaviorTime()
        publish(database.startBehaviors(at: behaviorTime), by: .device)
        let channel = if let listener { listener } else { try await listen() }
        lifecycle.serve(channel)
        presence.listener = NetworkPresence.Listener(
            isOwned: listener == nil,
            isOpen: true,
            port: channel.localAddress?.port.map { UInt16(clamping: $0) }
        )
        if configuration.port == 0, let port = channel.localAddress?.port,
            records.identity.port != UInt16(clamping: port)
        {
            records.identity.port = UInt16(clamping: port)
            let identity = records.identity
            try await stored(.identity) { () async throws(StoreError) in try await ports.store.save(identity) }
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

    /// The number of connections that may wait to be accepted.
    ///
    /// If many arrive at once, none has to retry a second later.
    private static let backlog: Int32 = 1_024

    /// The time after which a peer with unacknowledged data counts as lost.
    ///
    /// Keep-alive probes would wake the peer instead.
    ///
    /// HAP: §10
    private static let tcpUserTimeout = ChannelOptions.Types.SocketOption(
        level: .tcp,
        name: .init(rawValue: TCP_USER_TIMEOUT)
    )

    /// Releases the resources of a failed start.
    private func cleanUpAfterFailedStart() async {
        if case .serving(let channel) = lifecycle.state {
            try? await channel.close()
        }
        lifecycle.markStopped()
        // Controllers may have connected since the server listens.
        await closeConnections()
        await finishWork()
    }

    /// The range from which a server chooses its persistent port.
    ///
    /// Linux uses higher ports for outgoing connections, and one of them could occupy the port while the server is
    /// down.
    private static let persistentPorts = 20_000..<32_768

    func listen() async throws(ServerError) -> any Channel {
        if let name = configuration.socketName { return try await listen(onSocketNamed: name) }
        let wanted = Int(wantedPort)
        guard wanted == 0 else {
            let hasListened = presence.listener.port != nil
            let last = min(wanted + (hasListened ? 0 : Int(configuration.alternativePortCount)), Int(UInt16.max))
            return try await listen(onFirstFreeOf: wanted...last)
        }
        for _ in 0..<16 {
            let port = Int.random(in: Self.persistentPorts)
            if let channel = try? await bind(to: port) { return channel }
        }
        return try await listen(onFirstFreeOf: 0...0)
    }

    private func listen(onSocketNamed name: String) async throws(ServerError) -> any Channel {
        do {
            return try await bootstrap().bind(unixDomainSocketPath: "\0\(name)").get()
        } catch {
            throw ServerError(error)
        }
    }

    /// Listens on the first port on which no other program listens.
    private func listen(onFirstFreeOf ports: ClosedRange<Int>) async throws(ServerError) -> any Channel {
        for port in ports {
            do {
                return try await bind(to: port)
            } catch let error as IOError where error.errnoCode == EADDRINUSE && port < ports.upperBound {
                continue
            } catch {
                throw ServerError(binding: configuration.bindAddress, ports: ports.lowerBound...port, error)
            }
        }
        preconditionFailure("a closed range has a last port")
    }

    private func bind(to port: Int) async throws -> any Channel {
        let timeout = configuration.connectionLimits.tcpUserTimeout
        let userTimeout = SocketOptionValue(clamping: timeout.clampedNanoseconds / 1_000_000)
        // Accepted sockets inherit this option, as they inherit TCP_NODELAY, which NIO sets.
        let bootstrap = bootstrap().serverChannelOption(Self.tcpUserTimeout, value: userTimeout)
        if let address = configuration.bindAddress {
            return try await bootstrap.bind(host: address, port: port).get()
        }
        do {
            return try await bootstrap.bind(host: "::", port: port).get()
        } catch let error as IOError where error.errnoCode == EAFNOSUPPORT || error.errnoCode == EADDRNOTAVAIL {
            return try await bootstrap.bind(host: "0.0.0.0", port: port).get()
        }
    }

    private func bootstrap() -> ServerBootstrap {
        let server = self
        return ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Accept one connection per turn of the loop: a second `accept` that finds none creates and discards a
            // socket.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // If the process has no free file descriptor, the server pauses accepting instead of retrying in a
                    // busy loop.
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
    }
}
