internal import AccessoryModel
package import HAPCore

/// One session for looking at an accessory: at the place that is named and nowhere else, and nothing of it is kept.
package struct LookingSession: Sendable {
    /// The accessory, with its session open.
    package let accessory: PairedAccessory
    /// How long it took until the connection was there.
    package let connecting: Duration
    /// How long pair-verify took.
    package let verifying: Duration

    /// Connects, and proves to each other who both are.
    ///
    /// - Throws: ``ControllerError/Code/unreachable``, ``ControllerError/Code/wrongAccessory`` when somebody else
    ///   answers there, ``ControllerError/Code/refused(_:)`` when the accessory does not know this controller.
    package static func open(
        to host: String,
        port: UInt16,
        as kept: StoredPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration
    ) async throws(ControllerError) -> LookingSession {
        var kept = kept
        (kept.host, kept.port) = (host, port)
        let loop = Controller.nextLoop()
        let began = ContinuousClock.now
        let connection = try await Connector.connect(
            to: [AccessoryPlace(host: host, port: port)],
            within: configuration.connectionTime,
            configuration: configuration,
            on: loop
        )
        let connected = ContinuousClock.now
        let accessory = PairedAccessory(
            kept,
            identity: identity,
            configuration: configuration,
            store: LookingStore(),
            finder: nil,
            eventLoop: loop
        )
        try await accessory.adopt(connection)
        return LookingSession(
            accessory: accessory,
            connecting: began.duration(to: connected),
            verifying: connected.duration(to: .now)
        )
    }
}

/// The store of somebody who only looks: nothing is in it, and nothing comes into it.
struct LookingStore: ControllerStore {
    func identity() async throws(StoreError) -> ControllerIdentity? {
        nil
    }

    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity {
        identity
    }

    func pairings() async throws(StoreError) -> [StoredPairing] {
        []
    }

    func keep(_ pairing: StoredPairing) async throws(StoreError) -> KeepingOutcome {
        .kept
    }

    func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamingOutcome {
        .gone
    }

    func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError) {}

    func remove(_ pairing: AccessoryPairing) async throws(StoreError) {}

    func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase? {
        nil
    }

    func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError) {}

    func countWrongCode(at target: String) async throws(StoreError) -> Int {
        1
    }

    func forgetWrongCodes(at target: String) async throws(StoreError) {}
}
