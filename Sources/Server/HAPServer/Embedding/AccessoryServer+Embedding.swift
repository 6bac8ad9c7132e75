internal import AccessoryModel
public import CoreMetrics
public import Discovery
internal import HAPCore
public import Logging
internal import Storage
internal import UnixSignals

extension AccessoryServer {
    /// Serves an accessory with its state in a folder.
    ///
    /// ```swift
    /// let server = try await AccessoryServer.start(lamp, state: "lamp-state")
    /// print("Setup code \(await server.information.setupCode.text)")
    /// await server.runUntilTerminated()
    /// ```
    ///
    /// Returns when controllers can connect. Advertising continues in the background; its failure is reported to the
    /// observer and does not stop the server. The server uses the folder until it stops.
    ///
    /// - Parameters:
    ///   - accessory: The accessory to serve.
    ///   - folder: The folder for identity, pairings, ids and values. It is created if necessary, readable by its owner
    ///     only.
    ///   - setupCode: `XXX-XX-XXX` or eight digits; `nil` uses the saved code, or generates one. Changing the code does
    ///     not affect pairings.
    ///   - port: The port to listen on; 0 chooses a free one at the first start and saves it.
    ///   - bindAddress: The address to listen on; `nil` means every interface, IPv4 and IPv6.
    ///   - discovery: The queue that announces the server through Avahi; `nil` for no announcement.
    ///   - logger: Logs events; `nil` for no log. See <doc:ObservingAServer>.
    ///   - metrics: Creates counters and timers; `nil` for no metrics.
    ///   - observer: Receives events.
    /// - Throws: ``ServerError`` with code `declaration` for all errors of the declaration or the setup code, each with
    ///   its path and a remedy; `store` if the folder cannot be used or another process uses it; `address` if the
    ///   address is in use.
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
            // The first error is the one to report.
            try? await state.close()
            throw error
        }
    }

    /// Serves an accessory with its state in a store that the program opens and closes.
    ///
    /// Use it with a store of your own, or to run several servers on one `StateStore`: give each its
    /// `state.server(key:)`, and all of them the same `DiscoveryQueue`. Otherwise it works like
    /// ``start(_:state:setupCode:port:bindAddress:discovery:logger:metrics:observer:)``.
    ///
    /// - Throws: ``ServerError`` if the declaration cannot be served, the store fails or the address is in use.
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

    /// Sets a value that the device itself reports, and notifies subscribers if it is new.
    ///
    /// ```swift
    /// try await server.set(on, to: true)
    /// ```
    ///
    /// This does not call `onWrite`. It may be called from any task, as often as the hardware reports a value:
    /// controllers get at most one event message per second, with the last value of each characteristic; button presses
    /// are sent at once.
    ///
    /// - Throws: ``ServerError`` with code `value` if the value is not valid for the characteristic, and with code
    ///   `declaration` if this server does not have the characteristic. Nothing has changed then.
    public func set<Value>(_ characteristic: HAPCharacteristic<Value>, to value: Value) throws(ServerError) {
        let reference = try reference(to: characteristic.declared)
        guard let converted = value.characteristicValue, let id = id(of: reference), set(converted, for: id) else {
            throw ServerError(
                .value,
                reason: "\(reference): \(value) is not a value of this characteristic.",
                remedy: "Use a value of its format and in its range."
            )
        }
    }

    /// Returns the current value, `nil` if there is none.
    ///
    /// It is the value that was last set, written, polled, or read by `onRead`. This function does not call `onRead`.
    ///
    /// - Throws: ``ServerError`` with code `declaration` if this server does not have the characteristic.
    public func value<Value>(of characteristic: HAPCharacteristic<Value>) throws(ServerError) -> Value? {
        let reference = try reference(to: characteristic.declared)
        return id(of: reference).flatMap { value(of: $0) }.flatMap(Value.init(characteristicValue:))
    }

    /// Replaces the served declaration, for example to add an accessory to a bridge or to remove one.
    ///
    /// Objects with the same keys keep their ids, values, subscriptions and sessions. Controllers are notified if the
    /// structure has changed. The name and the category of the server stay the same.
    ///
    /// - Throws: ``ServerError`` if the declaration cannot be served or the store fails; nothing has changed then.
    public func replace(with accessory: HAPAccessory) async throws(ServerError) {
        let declaration = try accessory.declaration()
        try await replaceAccessories(with: declaration.accessories, of: declaration)
    }

    /// Runs until the process gets SIGINT or SIGTERM, or the task is canceled, then stops like ``run()``.
    ///
    /// Use it in programs that do nothing else. From then on, these two signals no longer end the process by
    /// themselves. A program with other services runs the server in a `ServiceGroup` of swift-service-lifecycle.
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
    static func start(
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
            reason: "\(characteristic.characteristic.type): this characteristic does not belong to this server.",
            remedy: "Declare it inside a service of this server, and pass the same object here."
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
                reason: "\(accessory.key): the setup code is invalid.",
                remedy: "Write eight digits as XXX-XX-XXX, but not a trivial code such as 123-45-678; or omit it."
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
