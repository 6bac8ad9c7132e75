import AccessoryModel
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import TestSupport
import Testing

/// A house with real servers, and a home that uses one of the two backends.
struct BackendFixture: Sendable {
    let bridge: AccessoryServer
    let sensor: AccessoryServer
    let backend: CountingBackend
    let clock: ManualClock
    let recorder = Recorder()
    let runner: HomeRunner

    /// Noon on 1 January 2026 in Berlin.
    static let noon = WallInstant(seconds: 1_767_265_200)

    /// Starts the servers, runs the home and calls `body`.
    ///
    /// - Parameter edit: Adds scenes and automations to the home.
    static func run(
        _ kind: BackendKind,
        edit: (inout Home) throws -> Void = { _ in },
        body: (BackendFixture) async throws -> Void
    ) async throws {
        let taps = (ServerEventForwarder(), ServerEventForwarder())
        let bridge = try await start("Bridge", .bridge, Devices.bridge, taps.0, Devices.faults)
        let sensor = try await start("Sensor", .sensor, Devices.sensor, taps.1)
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            resolver: nil
        )
        let outcome: Result<Void, any Error>
        do {
            let backend: CountingBackend
            switch kind {
            case .inProcess:
                let host = await AccessoryHost.hosting((bridge, "bridge", taps.0), (sensor, "sensor", taps.1))
                backend = CountingBackend(await InProcessBackend(host, startingAt: noon))
            case .network:
                for (server, alias) in [(bridge, "bridge"), (sensor, "sensor")] {
                    let port = await server.information.port
                    let target = AccessoryTarget.address(host: "127.0.0.1", port: port)
                    _ = try await controller.pair(target, with: .code(Fixture.setupCode), as: alias)
                }
                backend = CountingBackend(NetworkBackend(controller))
            }
            var home = Home(id: ObjectID(1), name: try ObjectName("Test House"), timeZone: "Europe/Berlin")
            for server in await backend.servers() {
                try #require(server.failure == nil)
                try home.addAccessories(of: server)
            }
            try edit(&home)
            try await BackendFixture(bridge, sensor, backend, home).run(body)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await controller.close()
        await bridge.stop()
        await sensor.stop()
        try outcome.get()
    }

    private init(_ bridge: AccessoryServer, _ sensor: AccessoryServer, _ backend: CountingBackend, _ home: Home) {
        self.bridge = bridge
        self.sensor = sensor
        self.backend = backend
        clock = ManualClock(Self.noon)
        runner = HomeRunner(home, on: backend, clock: clock, startedAt: Self.noon, observer: recorder)
    }

    private func run(_ body: (BackendFixture) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            defer { group.cancelAll() }
            let waited = try Set([backend.selector("Window", .contactSensorState, in: await runner.home)])
            try await recorder.wait(for: "the first value of the window") { news in
                if case .value(let selector, _) = news { waited.contains(selector) } else { false }
            }
            try await body(self)
        }
    }

    private static func start(
        _ name: String,
        _ category: AccessoryCategory,
        _ accessories: [Accessory],
        _ tap: ServerEventForwarder,
        _ handlers: [CharacteristicKey: CharacteristicHandler] = [:]
    ) async throws -> AccessoryServer {
        try await AccessoryServer.start(
            ServerConfiguration(
                name: name,
                category: category,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: accessories,
            ports: ServerPorts(
                store: InMemoryStore(),
                advertiser: NoOpAdvertiser(),
                observer: tap,
                handlers: handlers
            )
        )
    }

    /// Returns the current value of a device.
    func value(_ service: String, _ type: CharacteristicType) async throws -> CharacteristicValue? {
        let (server, id) = try await place(service, type)
        return await server.value(of: id)
    }

    /// Makes a device report a value.
    func report(_ value: CharacteristicValue, _ service: String, _ type: CharacteristicType) async throws {
        let (server, id) = try await place(service, type)
        #expect(await server.set(value, for: id))
    }

    private func place(
        _ service: String,
        _ type: CharacteristicType
    ) async throws -> (AccessoryServer, CharacteristicID) {
        let home = await runner.home
        let reference = try #require(home.reference(of: backend.selector(service, type, in: home)))
        let isBridge = await bridge.information.deviceID == reference.accessory.server
        return (isBridge ? bridge : sensor, reference.id)
    }
}

extension HomeBackend {
    func selector(_ service: String, _ type: CharacteristicType, in home: Home) throws -> CharacteristicSelector {
        try home.selector(service, type)
    }
}

extension Home {
    func selector(_ service: String, _ type: CharacteristicType) throws -> CharacteristicSelector {
        CharacteristicSelector(service: try self.service(named: service).id, type: type)
    }

    func action(_ service: String, _ type: CharacteristicType, _ value: CharacteristicValue) throws -> HomeAction {
        HomeAction(characteristic: try selector(service, type), value: value)
    }

    /// Returns the network location of a characteristic, or `nil` if it was not found.
    func reference(of selector: CharacteristicSelector) -> CharacteristicReference? {
        references(of: [selector])[selector]
    }

    /// Adds an automation with its own actions.
    mutating func automate(
        _ name: String,
        when trigger: Trigger<HomeIDs>,
        if condition: Condition<HomeIDs>? = nil,
        _ actions: [HomeAction],
        end: EndEvent<HomeIDs>? = nil
    ) throws {
        let name = try ObjectName(name)
        _ = try addAutomation { id throws(HomeError) in
            Automation(
                id: id,
                name: name,
                rule: AutomationRule(
                    triggers: [trigger],
                    condition: condition,
                    targets: AutomationTargets<HomeIDs>(ownActions: actions),
                    end: end
                )
            )
        }
    }
}

extension ControllerConfiguration {
    /// A configuration with short reconnect delays and long timeouts, because a busy machine may be slow.
    static var patient: ControllerConfiguration {
        var configuration = ControllerConfiguration()
        configuration.connectionTime = .seconds(60)
        configuration.pairVerifyTime = .seconds(60)
        configuration.requestTime = .seconds(60)
        configuration.firstReconnectDelay = .milliseconds(1)
        configuration.longestReconnectDelay = .milliseconds(50)
        return configuration
    }
}
