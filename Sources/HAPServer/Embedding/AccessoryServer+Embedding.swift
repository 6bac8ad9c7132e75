internal import AccessoryModel
public import CoreMetrics
public import Discovery
internal import HAPCore
public import Logging
internal import Storage
internal import UnixSignals

extension AccessoryServer {
    /// Serves an accessory whose state is in a folder of its own.
    ///
    /// ```swift
    /// let server = try await AccessoryServer.start(lamp, state: "lamp-state")
    /// print("Setup code \(await server.information.setupCode.text)")
    /// await server.runUntilTerminated()
    /// ```
    ///
    /// Returns when controllers can connect. The advertisement follows by itself, and its absence stops nothing: the
    /// observer is told of it. The server has the folder open until it stops.
    ///
    /// - Parameters:
    ///   - accessory: What to serve.
    ///   - folder: Where identity, pairings, ids and values are kept; made when there is none, for its owner alone.
    ///   - setupCode: `XXX-XX-XXX`; `nil` takes the kept one, else draws one. A changed code leaves the pairings.
    ///   - port: The port to listen on; 0 picks a free one at the first start and keeps it.
    ///   - bindAddress: The address to listen on; `nil` means every interface, IPv4 and IPv6.
    ///   - discovery: Where the server announces itself through Avahi; `nil` leaves it unannounced.
    ///   - logger: Logs what happens; `nil` logs nothing. See <doc:ObservingAServer>.
    ///   - metrics: Makes the counters and timers for what happens; `nil` measures nothing.
    ///   - observer: Receives what happens.
    /// - Throws: ``ServerError`` with code `declaration` for everything that is wrong with the declaration or the setup code,
    ///   each with its path and what to do; `store` when the folder cannot be used or another process uses it; `address`
    ///   when the address is taken.
    public static func start(
        _ accessory: HAPAccessory,
        state folder: String,
        setupCode: String? = nil,
        port: UInt16 = 0,
        bindAddress: String? = nil,
        discovery: DiscoveryQueue? = DiscoveryQueue(),
        logger: Logger? = nil,
        metrics: (any MetricsFactory)? = nil,
        observer: (any ServerObserver)? = nil
    ) async throws(ServerError) -> AccessoryServer {
        let declaration = try accessory.declaration()
        let configuration = try ServerConfiguration(accessory, setupCode, port: port, bindAddress: bindAddress)
        let state: StateStore
        do throws(StoreError) {
            state = try await StateStore.open(folder: folder)
        } catch {
            throw ServerError(error)
        }
        do throws(ServerError) {
            var ports = ServerPorts(
                store: state.server(key: accessory.key),
                advertiser: discovery.map { DNSSDAdvertiser(on: $0) } ?? NoOpAdvertiser(),
                observer: Self.makeObserver(observer, logger, metrics, server: accessory.name)
            )
            ports.ownedState = state
            return try await start(configuration, declaration, ports: ports)
        } catch {
            // What went wrong first is what matters.
            try? await state.close()
            throw error
        }
    }

    /// Serves an accessory whose state is in a store that the program has opened, and closes itself.
    ///
    /// For several servers over one `StateStore`, each with `state.server(key:)` and all with one `DiscoveryQueue`, and for
    /// stores of your own. Otherwise as ``start(_:state:setupCode:port:bindAddress:discovery:logger:metrics:observer:)``.
    ///
    /// - Throws: ``ServerError`` when the declaration cannot be served, the store fails or the address is taken.
    public static func start(
        _ accessory: HAPAccessory,
        store: any AccessoryServerStore,
        setupCode: String? = nil,
        port: UInt16 = 0,
        bindAddress: String? = nil,
        discovery: DiscoveryQueue? = DiscoveryQueue(),
        logger: Logger? = nil,
        metrics: (any MetricsFactory)? = nil,
        observer: (any ServerObserver)? = nil
    ) async throws(ServerError) -> AccessoryServer {
        try await start(
            ServerConfiguration(accessory, setupCode, port: port, bindAddress: bindAddress),
            accessory.declaration(),
            ports: ServerPorts(
                store: store,
                advertiser: discovery.map { DNSSDAdvertiser(on: $0) } ?? NoOpAdvertiser(),
                observer: Self.makeObserver(observer, logger, metrics, server: accessory.name)
            )
        )
    }

    /// Tells the server a value that came from the device itself; subscribers are told when it is another one.
    ///
    /// ```swift
    /// try await server.set(on, to: true)
    /// ```
    ///
    /// `onWrite` is not called. May be called from any task, as often as the hardware speaks: controllers get at most one
    /// event message a second, with the last value of each characteristic, and button presses at once.
    ///
    /// - Throws: ``ServerError`` with code `value` when the value is not one of the characteristic's, and with code
    ///   `declaration` when this server does not have it; nothing has changed then.
    public func set<Value>(_ characteristic: HAPCharacteristic<Value>, to value: Value) throws(ServerError) {
        let reference = try reference(to: characteristic.declared)
        guard let converted = value.characteristicValue, let id = id(of: reference), set(converted, for: id) else {
            throw ServerError(
                .value,
                reason: "\(reference): \(value) is not a value of this characteristic.",
                remedy: "Set one of its format and in its range."
            )
        }
    }

    /// The present value, `nil` when there is none.
    ///
    /// It is the last one that was set, written, polled, or fetched by `onRead`, which is not called for this.
    ///
    /// - Throws: ``ServerError`` with code `declaration` when this server does not have the characteristic.
    public func value<Value>(of characteristic: HAPCharacteristic<Value>) throws(ServerError) -> Value? {
        let reference = try reference(to: characteristic.declared)
        return id(of: reference).flatMap { value(of: $0) }.flatMap(Value.init(characteristicValue:))
    }

    /// Serves another declaration in place of the present one, as when an accessory comes to a bridge or goes.
    ///
    /// What keeps its keys keeps its ids, values, subscriptions and sessions; controllers are told to look again when the
    /// structure is another one. Name and category of the server stay as they were at the start.
    ///
    /// - Throws: ``ServerError`` when the declaration cannot be served or the store fails; everything stays as it was.
    public func replace(with accessory: HAPAccessory) async throws(ServerError) {
        let declaration = try accessory.declaration()
        try await replaceAccessories(with: declaration.accessories, of: declaration)
    }

    /// Serves until the process gets SIGINT or SIGTERM or the surrounding task is cancelled, then stops as ``run()`` does.
    ///
    /// For programs that do nothing else. From the call on the two signals do not end the process by themselves. A program
    /// with other services runs the server in a `ServiceGroup` of swift-service-lifecycle.
    public func runUntilTerminated() async {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        await withTaskGroup { group in
            group.addTask { await self.run() }
            group.addTask {
                for await _ in signals { break }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Starts a server that is connected to the given ports.
    package static func start(
        _ accessory: HAPAccessory,
        setupCode: String? = nil,
        ports: ServerPorts
    ) async throws(ServerError) -> AccessoryServer {
        try await start(
            ServerConfiguration(accessory, setupCode, port: 0, bindAddress: "127.0.0.1"),
            accessory.declaration(),
            ports: ports
        )
    }

    private static func start(
        _ configuration: ServerConfiguration,
        _ declaration: Declaration,
        ports: ServerPorts
    ) async throws(ServerError) -> AccessoryServer {
        var ports = ports
        ports.handlers = declaration.handlers
        ports.references = declaration.references
        ports.polledValues = declaration.polledValues
        return try await start(configuration, accessories: declaration.accessories, ports: ports)
    }

    private func reference(to characteristic: AnyHAPCharacteristic) throws(ServerError) -> CharacteristicKey {
        if let reference = handlerRegistry.handlers.key(of: characteristic.identity) {
            return reference
        }
        throw ServerError(
            .declaration,
            reason: "\(characteristic.characteristic.type): this server does not serve this declaration.",
            remedy: "Put it into the braces of a service, and use the same one here."
        )
    }
}

extension ServerConfiguration {
    fileprivate init(
        _ accessory: HAPAccessory,
        _ setupCode: String?,
        port: UInt16,
        bindAddress: String?
    ) throws(ServerError) {
        let code = setupCode.flatMap { SetupCode($0) }
        if setupCode != nil, code == nil {
            throw ServerError(
                .declaration,
                reason: "\(accessory.key): the setup code is not one.",
                remedy: "Write it as XXX-XX-XXX, and none that is as simple as 123-45-678, or leave it away."
            )
        }
        self.init(
            name: accessory.name,
            category: accessory.category,
            bindAddress: bindAddress,
            port: port,
            setupCode: code
        )
    }
}
