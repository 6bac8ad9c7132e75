import AccessoryModel
import HAPCore
import HAPServer
import HomeRuntime
import Simulation
import SimulationRuntime
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

    @Test
    func namesFollowReplacedAccessories() async throws {
        let garage = KilgoGarage.accessory(number: 1)
        var configuration = ServerConfiguration(
            name: garage.key,
            category: KilgoGarage.category,
            bindAddress: "127.0.0.1"
        )
        configuration.setupCode = Fixture.setupCode
        let server = try await AccessoryServer.start(
            configuration,
            accessories: [garage],
            store: InMemoryStore(),
            discovery: nil
        )
        let member = SimulationServer(
            ObservedServer(server, name: garage.key, events: ServerEventForwarder()),
            accessories: [garage]
        )
        let simulation = CurrentSimulationServers(await SimulationServers([member]))
        let before = try simulation.current.names.characteristic(SimulationTarget("Garage Light/On")).place
        _ = try await simulation.current.perform(.set(SimulationTarget("Garage Light/On"), to: "true"))

        let edited = try Self.edited()
        _ = try await member.replaceAccessories([garage], with: [edited])
        await simulation.replaceAccessories(with: [edited], at: 0)
        #expect(try simulation.current.names.characteristic(SimulationTarget("Lamp/On")).place == before)
        let lamp = try simulation.current.names.resolve(SimulationTarget("Lamp"), as: [.service])
        #expect(await simulation.current.statusLines(of: lamp).contains("Lamp/On: true"))
        for gone in ["Garage Light", "Garage Door"] {
            let error = try #require(throws: SimulationError.self) {
                try simulation.current.names.resolve(SimulationTarget(gone), as: [.service])
            }
            #expect(error.code == .unknownName)
        }
        await simulation.replaceAccessories(with: [], at: 7)
        #expect(simulation.current.names.servers.count == 1)
        await server.stop()
    }
}
