import AccessoryModel
import HAPCore
import HAPServer
import HomeRuntime
import Simulation
import SimulationRuntime
import TestSupport
import Testing

/// What a person at the prompt acts on while what is served is edited.
struct CurrentStageTests {
    /// The garage with another name of its light, and without its lock.
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
    func namesFollowWhatIsServed() async throws {
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
        let member = SimulationMember(
            ServedServer(server, name: garage.key, events: ServerEventForwarder()),
            accessories: [garage]
        )
        let stage = CurrentStage(await SimulationStage([member]))
        let before = try stage.now.names.characteristic(SimulationTarget("Garage Light/On")).place
        _ = try await stage.now.perform(.set(SimulationTarget("Garage Light/On"), to: "true"))

        let edited = try Self.edited()
        _ = try await member.replaceAccessories([garage], with: [edited])
        await stage.serve([edited], at: 0)
        #expect(try stage.now.names.characteristic(SimulationTarget("Lamp/On")).place == before)
        let lamp = try stage.now.names.resolve(SimulationTarget("Lamp"), as: [.service])
        #expect(await stage.now.lines(of: lamp).contains("Lamp/On: true"))
        for gone in ["Garage Light", "Garage Door"] {
            let error = try #require(throws: SimulationError.self) {
                try stage.now.names.resolve(SimulationTarget(gone), as: [.service])
            }
            #expect(error.code == .unknownName)
        }
        await stage.serve([], at: 7)
        #expect(stage.now.names.servers.count == 1)
        await server.stop()
    }
}
