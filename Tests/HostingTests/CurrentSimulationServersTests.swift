import AccessoryModel
import HAPCore
import HAPServer
import HomeRuntime
import Hosting
import Simulation
import TestSupport
import Testing

/// The servers that the prompt acts on while the served files are edited.
struct CurrentSimulationServersTests {
    /// Returns the garage with another name for its light, and without its door.
    private static func edited() throws -> Accessory {
        var garage = KilgoGarage.accessory(number: 1)
        for (place, service) in garage.services.enumerated() where service.key.type == .lightbulb {
            let name = try #require(service.characteristics.firstIndex { $0.type == .name })
            garage.services[place].characteristics[name].value = "Lamp"
        }
        garage.services.removeAll { $0.key.type == .garageDoorOpener }
        return garage
    }

    /// Starts a server for a garage, with the clock of other servers.
    private static func start(_ number: Int = 1, clock: BehaviorClock? = nil) async throws -> SimulationServer {
        let garage = KilgoGarage.accessory(number: number)
        var configuration = ServerConfiguration(
            name: garage.key,
            category: KilgoGarage.category,
            bindAddress: "127.0.0.1"
        )
        configuration.setupCode = Fixture.setupCode
        if let clock { configuration.behaviorClock = clock }
        let server = try await AccessoryServer.start(
            configuration,
            accessories: [garage],
            store: InMemoryStore(),
            discovery: nil
        )
        return SimulationServer(
            ObservedServer(server, name: garage.key, events: ServerEventForwarder()),
            accessories: [garage]
        )
    }

    @Test
    func namesFollowReplacedAccessories() async throws {
        let garage = KilgoGarage.accessory(number: 1)
        let member = try await Self.start()
        let simulation = CurrentSimulationServers(await SimulationServers([member]))
        let before = try simulation.current.names.characteristic(SimulationTarget("Garage Light/On")).place
        _ = try await simulation.current.perform(.set(SimulationTarget("Garage Light/On"), to: "true"))

        let edited = try Self.edited()
        _ = try await member.replaceAccessories([garage], with: [edited])
        await simulation.replaceAccessories(with: [edited], of: member.server)
        #expect(try simulation.current.names.characteristic(SimulationTarget("Lamp/On")).place == before)
        let lamp = try simulation.current.names.resolve(SimulationTarget("Lamp"), as: [.service])
        #expect(await simulation.current.statusLines(of: lamp).contains("Lamp/On: true"))
        for gone in ["Garage Light", "Garage Door"] {
            let error = try #require(throws: SimulationError.self) {
                try simulation.current.names.resolve(SimulationTarget(gone), as: [.service])
            }
            #expect(error.code == .unknownName)
        }
        await member.server.stop()
    }

    @Test
    func addedServerHasTheTimeAndTheNamesOfTheOthers() async throws {
        let first = try await Self.start()
        let simulation = CurrentSimulationServers(await SimulationServers([first]))
        _ = try await simulation.perform(.pause)
        _ = try await simulation.perform(.advance(.seconds(86_400)))
        try await simulation.add { clock in try await Self.start(2, clock: clock) }
        let servers = simulation.current
        try #require(servers.servers.count == 2)
        let second = servers.servers[1].server
        #expect(await second.behaviorTime == first.server.behaviorTime)
        #expect(await second.behaviorClockSnapshot.clock.isPaused)
        #expect(servers.position(of: second) == 1)
        let door = SimulationTarget("Kilgo Garage 2/Garage Door/Target Door State")
        #expect(try servers.names.characteristic(door).place.server == 1)
        await first.server.stop()
        await second.stop()
    }

    @Test
    func removedServerHasNoNamesAndTheLastOneLeavesItsClock() async throws {
        let first = try await Self.start()
        let simulation = CurrentSimulationServers(await SimulationServers([first]))
        try await simulation.add { clock in try await Self.start(2, clock: clock) }
        let second = simulation.current.servers[1].server
        await simulation.remove(first.server)
        #expect(simulation.current.position(of: first.server) == nil)
        #expect(simulation.current.position(of: second, near: 1) == 0)
        #expect(simulation.current.names.servers.map(\.name) == ["Kilgo Garage 2"])
        _ = try await simulation.perform(.pause)
        await simulation.remove(second)
        #expect(simulation.current.servers.isEmpty)
        try await simulation.add { clock in try await Self.start(3, clock: clock) }
        #expect(await simulation.current.servers[0].server.behaviorClockSnapshot.clock.isPaused)
        for server in [first.server, second, simulation.current.servers[0].server] { await server.stop() }
    }
}
