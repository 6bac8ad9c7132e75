internal import AccessoryModel
public import Discovery
public import HAPCore
internal import NIOCore
internal import NIOPosix
internal import Storage

/// A controller: one identity, and the accessories that it is paired with.
///
/// ```swift
/// let controller = try await Controller.open(store: store)
/// let lamp = try await controller.pair(.address(host: "192.168.1.20", port: 5001), with: .code(code), as: "Lamp")
/// let results = try await lamp.write([CharacteristicWrite(on, true)])
/// ```
public actor Controller {
    /// The identity of this controller.
    public nonisolated let identity: ControllerIdentity
    /// The limits and timeouts for accessories.
    public nonisolated let configuration: ControllerConfiguration

    nonisolated let store: any ControllerStore
    nonisolated let resolver: (any EndpointResolver)?
    nonisolated let transport: any ControllerTransport
    private nonisolated let discoveryUpdates: @Sendable () -> AsyncStream<DiscoveryUpdate>
    /// The accessory objects that were requested.
    ///
    /// Each pairing has only one, so that it has only one session.
    private var accessories: [String: PairedAccessory] = [:]
    private var isClosed = false

    private init(
        identity: ControllerIdentity,
        configuration: ControllerConfiguration,
        store: any ControllerStore,
        resolver: (any EndpointResolver)?,
        transport: any ControllerTransport,
        discoveryUpdates: @escaping @Sendable () -> AsyncStream<DiscoveryUpdate>
    ) {
        self.identity = identity
        self.configuration = configuration
        self.store = store
        self.resolver = resolver
        self.transport = transport
        self.discoveryUpdates = discoveryUpdates
    }

    /// Opens the controller in a store; generates an identity the first time.
    ///
    /// - Parameters:
    ///   - resolver: Finds accessories on the network; `nil` if they are only reached by address.
    ///   - transport: Connects to accessories; `nil` for TCP.
    ///   - discoveryUpdates: Returns the stream for ``discover()``; by default, it finds nothing.
    package static func open(
        store: any ControllerStore,
        configuration: ControllerConfiguration = ControllerConfiguration(),
        resolver: (any EndpointResolver)?,
        transport: (any ControllerTransport)? = nil,
        discoveryUpdates: @escaping @Sendable () -> AsyncStream<DiscoveryUpdate> = { AsyncStream { $0.finish() } }
    ) async throws(ControllerError) -> Controller {
        let identity = try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in
            if let stored = try await store.identity() { return stored }
            return try await store.save(.random(identifier: .random()))
        }
        return Controller(
            identity: identity,
            configuration: configuration,
            store: store,
            resolver: resolver,
            transport: transport ?? TCPTransport(),
            discoveryUpdates: discoveryUpdates
        )
    }

    /// Returns the accessories that the controller is paired with, in the order of pairing.
    ///
    /// - Throws: ``ControllerError/Code/store(_:)``.
    public func pairings() async throws(ControllerError) -> [StoredPairing] {
        try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in try await store.pairings() }
    }

    /// Returns a paired accessory.
    ///
    /// As long as the pairing is stored, each call returns the same object.
    ///
    /// Does not connect.
    ///
    /// - Parameter name: The alias, or the device ID.
    /// - Throws: ``ControllerError/Code/unknownAccessory`` with the known names.
    public func accessory(_ name: String) async throws(ControllerError) -> PairedAccessory {
        let stored = try await storedPairing(name)
        return try await pairedAccessory(for: stored)
    }

    /// Removes a pairing from this controller only, for an accessory that is lost or was reset.
    ///
    /// - Throws: ``ControllerError/Code/unknownAccessory`` with the known names.
    public func forget(_ name: String) async throws(ControllerError) {
        let stored = try await storedPairing(name)
        try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in
            try await store.remove(stored.pairing)
        }
        await accessories.removeValue(forKey: stored.alias)?.close()
    }

    /// Changes the alias of an accessory, and closes its session.
    ///
    /// - Parameters:
    ///   - name: The current alias, or the device ID.
    ///   - alias: The new alias.
    /// - Throws: ``ControllerError/Code/aliasTaken`` if another accessory has the new alias;
    ///   ``ControllerError/Code/unknownAccessory`` with the known names.
    public func rename(_ name: String, to alias: String) async throws(ControllerError) {
        let stored = try await storedPairing(name)
        let outcome = try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in
            try await store.rename(stored.pairing, to: alias)
        }
        switch outcome {
        case .renamed: await accessories.removeValue(forKey: stored.alias)?.close()
        case .aliasTaken: throw .aliasTaken(alias)
        case .notFound: throw .unknownAccessory(name, known: try await pairings().map(\.alias))
        }
    }

    /// Ends every session.
    ///
    /// The accessories cannot be used afterwards.
    public func close() async {
        isClosed = true
        let open = accessories.values
        accessories = [:]
        for accessory in open {
            await accessory.close()
        }
    }

    /// Returns the object for a pairing, and creates it if there is none.
    func pairedAccessory(
        for stored: StoredPairing,
        on loop: (any EventLoop & NIOSerialEventLoopExecutor)? = nil
    ) async throws(ControllerError) -> PairedAccessory {
        guard !isClosed else { throw .closed }
        while let known = accessories[stored.alias] {
            let isAsked = loop == nil && known.pairing == stored.pairing
            let isUsable = if isAsked { await !known.link.isClosed } else { false }
            guard !isClosed else { throw .closed }
            // Another call may have replaced it in the meantime.
            guard accessories[stored.alias] === known else { continue }
            if isUsable { return known }
            accessories[stored.alias] = nil
            await known.close()
            guard !isClosed else { throw .closed }
        }
        let accessory = PairedAccessory(
            stored,
            identity: identity,
            configuration: configuration,
            store: store,
            finder: resolver,
            transport: transport,
            eventLoop: loop ?? Self.nextEventLoop()
        )
        accessories[stored.alias] = accessory
        return accessory
    }

    static func nextEventLoop() -> any EventLoop & NIOSerialEventLoopExecutor {
        guard let loop = MultiThreadedEventLoopGroup.singleton.next() as? any EventLoop & NIOSerialEventLoopExecutor
        else { preconditionFailure("an event loop of NIOPosix is a serial executor") }
        return loop
    }

    private func storedPairing(_ name: String) async throws(ControllerError) -> StoredPairing {
        let stored = try await pairings()
        if let pairing = stored.first(where: { $0.alias == name }) { return pairing }
        if let deviceID = DeviceID(name), let pairing = stored.first(where: { $0.deviceID == deviceID }) {
            return pairing
        }
        throw .unknownAccessory(name, known: stored.map(\.alias))
    }
}

extension Controller {
    /// Opens the controller in a folder; generates an identity the first time.
    ///
    /// The folder contains `controller.sqlite`, which several programs may use at once: see `ControllerStateStore`. It
    /// is closed with the controller.
    ///
    /// - Throws: ``ControllerError/Code/store(_:)``.
    public static func open(
        state folder: String,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) -> Controller {
        let store = try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in
            try await ControllerStateStore.open(folder: folder)
        }
        return try await open(store: store, configuration: configuration)
    }
}

extension Controller {
    /// Opens the controller in a store; generates an identity the first time.
    ///
    /// Accessories that have moved are found through the Avahi daemon.
    ///
    /// - Throws: ``ControllerError/Code/store(_:)``.
    public static func open(
        store: any ControllerStore,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) -> Controller {
        let browser = AccessoryBrowser()
        return try await open(
            store: store,
            configuration: configuration,
            resolver: DiscoveryEndpointResolver(browser),
            discoveryUpdates: { browser.updates() }
        )
    }

    /// Returns the accessories on this network, and then changes.
    ///
    /// Ends when the reader's task is canceled.
    public nonisolated func discover() -> AsyncStream<DiscoveryUpdate> {
        discoveryUpdates()
    }
}
