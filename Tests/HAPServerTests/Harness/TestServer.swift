import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import TestSupport

/// A server in this process on a free port of the loopback interface, with its store and a journal of its calls.
struct TestServer: Sendable {
    let server: AccessoryServer
    let store: InMemoryStore
    let journal: Journal

    /// A controller without admin permission.
    static let guest = ControllerIdentity.random(identifier: Fixture.identifier("guest"))
    static let guestPairing = Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)

    /// Serves accessories while `body` runs, to the controllers of these pairings.
    static func run(
        _ accessories: [Accessory] = [TestAccessory.accessory()],
        pairings: [Pairing] = [Fixture.pairing],
        handlers: [CharacteristicKey: CharacteristicHandler] = [:],
        faultInjection: (any FaultInjection)? = nil,
        configuration: ServerConfiguration = .testing,
        body: (TestServer) async throws -> Void
    ) async throws {
        let store = InMemoryStore.withIdentity(PairingTable(pairings: pairings))
        try await run(
            accessories,
            store: store,
            handlers: handlers,
            faultInjection: faultInjection,
            configuration: configuration,
            body: body
        )
    }

    /// Serves accessories with the state in a store while `body` runs.
    static func run(
        _ accessories: [Accessory] = [TestAccessory.accessory()],
        store: InMemoryStore,
        handlers: [CharacteristicKey: CharacteristicHandler] = [:],
        faultInjection: (any FaultInjection)? = nil,
        configuration: ServerConfiguration = .testing,
        body: (TestServer) async throws -> Void
    ) async throws {
        let journal = Journal()
        await store.observeChanges(with: { journal.append(.stored($0)) })
        let server = try await AccessoryServer.start(
            configuration,
            accessories: accessories,
            ports: ServerPorts(
                store: store,
                advertiser: RecordingAdvertiser(journal: journal),
                observer: journal,
                faultInjection: faultInjection,
                handlers: handlers
            )
        )
        do {
            try await body(TestServer(server: server, store: store, journal: journal))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Opens an unencrypted connection.
    func connect(from host: String = "127.0.0.1", bytewise isDripping: Bool = false) async throws -> TestController {
        try await TestController.connect(to: await server.information.port, from: host, bytewise: isDripping)
    }

    /// Opens a session.
    func session(
        of controller: ControllerIdentity = Fixture.controller,
        bytewise isDripping: Bool = false
    ) async throws -> TestController {
        let connection = try await connect(bytewise: isDripping)
        try await connection.verify(as: controller)
        return connection
    }

    /// Returns the id of a declared characteristic.
    func id(
        _ type: CharacteristicType,
        of service: ServiceType = TestAccessory.service,
        in accessory: String = TestAccessory.key
    ) async throws -> CharacteristicID {
        let reference = CharacteristicKey(accessory: accessory, service: ServiceKey(service), type: type)
        guard let id = await server.id(of: reference) else { throw TestFailure("there is no \(type)") }
        return id
    }

    /// Waits for the first closed connection, and returns the reason.
    func closeReason() async throws -> CloseReason? {
        try await journal.waitForEvent { if case .connectionClosed = $0 { true } else { false } }
        for case .connectionClosed(_, let reason) in journal.events {
            return reason
        }
        return nil
    }

    /// The pairings in the store.
    var storedPairings: [Pairing] {
        get async throws { try await store.pairings().pairings }
    }

    /// The id of the lamp's switch.
    var lamp: CharacteristicID {
        get async throws { try await id(.on, of: .lightbulb) }
    }
}
