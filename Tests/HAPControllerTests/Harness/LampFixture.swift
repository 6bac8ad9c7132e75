import AccessoryModel
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import NIOPosix
import TestSupport

/// Our own accessory server in this process, and a controller that knows only its port.
struct LampFixture: Sendable {
    let server: AccessoryServer
    let serverStore: InMemoryStore
    let controller: Controller
    let store: InMemoryControllerStore
    let port: UInt16

    /// Runs the server while `body` runs.
    static func run(
        store: InMemoryControllerStore = InMemoryControllerStore(),
        configuration: ControllerConfiguration = .quick,
        finder: (any EndpointResolver)? = nil,
        body: (LampFixture) async throws -> Void
    ) async throws {
        let serverStore = InMemoryStore.withIdentity()
        let server = try await start(on: serverStore)
        let controller = try await Controller.open(store: store, configuration: configuration, resolver: finder)
        let port = await server.information.port
        let lamp = LampFixture(
            server: server,
            serverStore: serverStore,
            controller: controller,
            store: store,
            port: port
        )
        do {
            try await body(lamp)
        } catch {
            await controller.close()
            await server.stop()
            throw error
        }
        await controller.close()
        await server.stop()
    }

    static func start(on store: InMemoryStore, port: UInt16 = 0) async throws -> AccessoryServer {
        try await AccessoryServer.start(
            ServerConfiguration(name: Lamp.key, category: .lighting, bindAddress: "127.0.0.1", port: port),
            accessories: [Lamp.accessory],
            ports: ServerPorts(store: store, advertiser: NoOpAdvertiser())
        )
    }

    var target: AccessoryTarget {
        .address(host: "127.0.0.1", port: port)
    }

    /// Pairs the controller with the server, under the alias `Lamp`.
    func pair() async throws -> PairedAccessory {
        try await controller.pair(target, with: .code(Fixture.setupCode), as: Lamp.key)
    }

    /// Returns the id of a characteristic of the light.
    func id(_ type: CharacteristicType) async throws -> CharacteristicID {
        let reference = CharacteristicKey(accessory: Lamp.key, service: ServiceKey(.lightbulb), type: type)
        guard let id = await server.id(of: reference) else { throw TestFailure("there is no \(type)") }
        return id
    }
}

extension ControllerConfiguration {
    /// A configuration that reconnects without a delay, and has long timeouts because a busy machine may be slow.
    static var quick: ControllerConfiguration {
        var configuration = ControllerConfiguration()
        configuration.connectionTime = .seconds(60)
        configuration.pairVerifyTime = .seconds(60)
        configuration.requestTime = .seconds(60)
        configuration.firstReconnectDelay = .milliseconds(1)
        configuration.longestReconnectDelay = .milliseconds(50)
        return configuration
    }
}
