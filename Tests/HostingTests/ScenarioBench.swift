import AccessoryModel
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import HomeRuntime
import Hosting
import TestSupport
import Testing

@testable import Simulation

/// Kilgo garages in this process, each with a fault injector, and all paired with one controller.
struct ScenarioBench: Sendable {
    let simulation: SimulationServers
    let mailbox: ScenarioEventMailbox
    let garages: [PairedAccessory]

    /// Serves a number of garages while `body` runs; their time only moves when it is advanced.
    static func run(_ count: Int = 1, body: (ScenarioBench) async throws -> Void) async throws {
        let mailbox = ScenarioEventMailbox()
        var servers: [AccessoryServer] = []
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            resolver: nil
        )
        do {
            var members: [SimulationServer] = []
            var garages: [PairedAccessory] = []
            for number in 1...count {
                let garage = KilgoGarage.accessory(number: number)
                let injector = FaultInjector()
                let events = ServerEventForwarder(wantsItems: true)
                let server = try await start(garage, events, injector)
                servers.append(server)
                let faults = ServerFaults(of: server, by: injector)
                let served = ObservedServer(server, name: garage.key, events: events)
                members.append(SimulationServer(served, accessories: [garage], faults: faults))
                let target = AccessoryTarget.address(host: "127.0.0.1", port: await server.information.port)
                garages.append(try await controller.pair(target, with: .code(Fixture.setupCode), as: garage.key))
            }
            try await body(
                ScenarioBench(simulation: await SimulationServers(members), mailbox: mailbox, garages: garages)
            )
        } catch {
            await stop(servers, controller)
            throw error
        }
        await stop(servers, controller)
    }

    /// Runs steps to their end; effects that they have started continue afterwards.
    @discardableResult
    func perform(_ steps: ScenarioStep...) async throws -> ScenarioResult {
        let (plan, errors) = ScenarioPlan.make(of: Scenario(name: "Test", steps: steps), with: simulation.names)
        #expect(errors.isEmpty)
        let result = await ScenarioRunner(plan, on: simulation, mailbox: mailbox, isFast: true) { _, _ in }.run()
        #expect(result.isPassed, "\(result)")
        return result
    }

    /// Reads a characteristic of one of the garages with the controller, and returns the status.
    func status(_ name: SimulationTarget, of garage: Int = 0) async throws -> Int64? {
        let server = simulation.names.servers[garage].name
        let target = SimulationTarget(simulation.names.servers.count > 1 ? "\(server)/\(name)" : name.text)
        let id = try simulation.names.characteristic(target).place.id
        return try await garages[garage].read([id]).first?.code
    }

    private static func start(
        _ garage: Accessory,
        _ events: ServerEventForwarder,
        _ injector: FaultInjector
    ) async throws -> AccessoryServer {
        var configuration = ServerConfiguration(
            name: garage.key,
            category: KilgoGarage.category,
            bindAddress: "127.0.0.1"
        )
        configuration.setupCode = Fixture.setupCode
        configuration.behaviorClock.pause(at: .zero)
        return try await AccessoryServer.start(
            configuration,
            accessories: [garage],
            store: InMemoryStore(),
            discovery: nil,
            observer: events,
            faultInjection: injector
        )
    }

    private static func stop(_ servers: [AccessoryServer], _ controller: Controller) async {
        await controller.close()
        for server in servers { await server.stop() }
    }
}

extension ControllerConfiguration {
    /// A configuration with long timeouts, for busy machines.
    static var patient: ControllerConfiguration {
        var configuration = ControllerConfiguration()
        configuration.connectionTime = .seconds(60)
        configuration.pairVerifyTime = .seconds(60)
        configuration.requestTime = .seconds(60)
        return configuration
    }
}
