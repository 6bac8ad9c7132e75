public import AccessoryModel
internal import Discovery
internal import HAPCore
internal import HAPTransport
package import NIOCore
public import NIOPosix

extension AccessoryServer {
    /// Loads the store, listens, and begins to advertise.
    ///
    /// Returns when controllers can connect. The advertisement follows by itself, and its absence stops nothing: its state
    /// is one of the facts that the observer is told.
    ///
    /// - Parameters:
    ///   - configuration: How the server appears.
    ///   - accessories: The accessory, or the bridge and what is behind it.
    ///   - store: Keeps identity, pairings, ids and values.
    ///   - handlers: What the embedding program does on reads and writes.
    ///   - advertises: Whether the server announces itself through Avahi.
    ///   - observer: Is told what happens.
    ///   - interference: Is asked what shall go wrong.
    ///   - group: Where the event loop comes from.
    /// - Throws: ``ServerError`` when the address is taken, the store fails, or the declaration cannot be served.
    public static func start(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        store: any AccessoryServerStore,
        handlers: [CharacteristicReference: CharacteristicHandler] = [:],
        advertises: Bool = true,
        observer: (any ServerObserver)? = nil,
        interference: (any Interference)? = nil,
        on group: MultiThreadedEventLoopGroup = .singleton
    ) async throws(ServerError) -> AccessoryServer {
        try await start(
            configuration,
            accessories: accessories,
            ports: ServerPorts(
                store: store,
                advertiser: advertises ? DNSSDAdvertiser(on: DiscoveryQueue()) : SilentAdvertiser(),
                observer: observer,
                interference: interference,
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
            let faults = AccessoryValidation.faults(in: accessories)
            guard faults.isEmpty else { throw ServerError(faults) }
            let start = try await ServerStart(configuration, accessories: accessories, store: ports.store)
            let server = AccessoryServer(configuration: configuration, start: start, eventLoop: loop, ports: ports)
            if start.hasNewStructure {
                ports.observer?.observe(.configurationChanged(start.configuration.number))
            }
            do {
                try await server.begin(listener)
            } catch {
                await server.abandon()
                throw error
            }
            return server
        } catch {
            throw ServerError(error)
        }
    }

    /// Serves until the surrounding task is cancelled, then stops: answers what is pending, says goodbye, keeps the
    /// values.
    public func run() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
        await stop()
    }

    /// Stops: no new connections, pending requests answered, goodbye on the network, values kept.
    ///
    /// Safe to call again.
    public func stop() async {
        guard case .serving(let channel) = lifecycle else { return }
        lifecycle = .stopping
        await advertiser.stop()
        try? await channel.close()
        behaviorTimer?.task.cancel()
        await waitForHandlers()
        await finishWork()
        for connection in connections.values {
            connection.channel.close(.ended)
        }
        await saveValues()
        lifecycle = .stopped
    }

    private func begin(_ listener: (any Channel)?) async throws {
        startWorker()
        resolveHandlers()
        publish(database.startBehaviors(at: now), writer: nil)
        let channel = if let listener { listener } else { try await listen() }
        lifecycle = .serving(channel)
        if configuration.port == 0, let port = channel.localAddress?.port, identity.port != UInt16(clamping: port) {
            identity.port = UInt16(clamping: port)
            try await store.save(identity)
        }
        if !pairings.isPaired {
            enqueue(.prepareServerKey)
        }
        rescheduleBehaviors()
        scheduleSave()
        let observer = self.observer
        advertiser.start(announcement.record) { state in
            observer?.observe(.advertiserChanged(state))
        }
    }

    /// How long data may stay unacknowledged before the peer counts as gone.
    ///
    /// Keep-alive probes would wake it instead.
    ///
    /// HAP: §10
    private static let userTimeoutMilliseconds: SocketOptionValue = 30_000
    private static let userTimeout = ChannelOptions.Types.SocketOption(
        level: .tcp,
        name: .init(rawValue: TCP_USER_TIMEOUT)
    )

    /// Lets go of what a start that failed had taken.
    private func abandon() async {
        if case .serving(let channel) = lifecycle {
            try? await channel.close()
        }
        lifecycle = .stopped
        await finishWork()
    }

    private func listen() async throws(ServerError) -> any Channel {
        let port = Int(configuration.port == 0 ? identity.port ?? 0 : configuration.port)
        let server = self
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Out of file descriptors, accepting waits instead of spinning.
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(Self.userTimeout, value: Self.userTimeoutMilliseconds)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try server.take(channel) }
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

    /// Serves a connection from now on; called on the event loop, before the channel is active.
    package nonisolated func take(_ channel: any Channel) throws {
        let (id, batch) = assumeIsolated { server in
            (server.nextConnectionID(), NIOLoopBound(server.batch, eventLoop: server.eventLoop))
        }
        let delegate = ServerChannelDelegate(server: self, id: id)
        let handler = AccessoryChannelHandler(delegate: delegate, batch: batch.value)
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    private func nextConnectionID() -> ConnectionID {
        lastConnection += 1
        return ConnectionID(lastConnection)
    }
}
