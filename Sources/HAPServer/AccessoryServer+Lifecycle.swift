public import AccessoryModel
internal import Discovery
internal import HAPCore
internal import HAPTransport
internal import NIOCore
public import NIOPosix

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
        do {
            let faults = AccessoryValidation.faults(in: accessories)
            guard faults.isEmpty else { throw ServerError(faults) }
            guard let loop = group.next() as? any EventLoop & NIOSerialEventLoopExecutor else {
                preconditionFailure("an event loop of NIOPosix is a serial executor")
            }
            let start = try await ServerStart(configuration, accessories: accessories, store: ports.store)
            let server = AccessoryServer(configuration: configuration, start: start, eventLoop: loop, ports: ports)
            if start.hasNewStructure {
                ports.observer?.observe(.configurationChanged(start.configuration.number))
            }
            do {
                try await server.begin()
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
        for call in handlerCalls.values {
            call.task?.cancel()
            call.warning.cancel()
            call.timeout.cancel()
        }
        handlerCalls = [:]
        await closeConnections()
        await saveValues()
        lifecycle = .stopped
    }

    /// Closes every connection when its controller has taken what it was sent; one that takes nothing is not waited for.
    private func closeConnections() async {
        let patience = TimeAmount.nanoseconds(configuration.connectionLimits.stopPatience.clampedNanoseconds)
        for closed in connections.values.compactMap({ $0.channel.closeWhenSent(within: patience) }) {
            try? await closed.get()
        }
    }

    private func begin() async throws {
        startWorker()
        resolveHandlers()
        publish(database.startBehaviors(at: now), writer: nil)
        let channel = try await listen()
        lifecycle = .serving(channel)
        if configuration.port == 0, let port = channel.localAddress?.port, identity.port != UInt16(clamping: port) {
            identity.port = UInt16(clamping: port)
            try await store.save(identity)
        }
        wantServerKey()
        rescheduleBehaviors()
        scheduleSave()
        let observer = self.observer
        advertiser.start(announcement.record) { state in
            observer?.observe(.advertiserChanged(state))
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
        let limits = configuration.connectionLimits
        let userTimeout = SocketOptionValue(clamping: limits.userTimeout.clampedNanoseconds / 1_000_000)
        let budgets = NIOLoopBound(
            (ReceiveBudget(limit: limits.unfinishedBytes), ReceiveBudget(limit: limits.sessionUnfinishedBytes)),
            eventLoop: eventLoop
        )
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Out of file descriptors, accepting waits instead of spinning.
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptBackoffHandler { error in
                            guard error.errnoCode != ECONNABORTED else { return nil }
                            return server.assumeIsolated { $0.makeRoomForDescriptors() }
                        }
                    )
                }
            }
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(Self.userTimeout, value: userTimeout)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let id = server.assumeIsolated { $0.nextConnectionID() }
                    let delegate = ServerChannelDelegate(server: server, id: id)
                    try channel.pipeline.syncOperations.addHandler(
                        AccessoryChannelHandler(delegate: delegate, budgets: budgets.value)
                    )
                }
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

    private func nextConnectionID() -> ConnectionID {
        lastConnection += 1
        return ConnectionID(lastConnection)
    }
}
