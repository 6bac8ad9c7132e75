import AccessoryModel
import HAPServer
import HomeRuntime
import Simulation
import SimulationRuntime
import TestSupport
import Testing

/// Faults as people ask for them.
struct FaultWishTests {
    static let endless = [
        FaultWish("vanish", count: 3), FaultWish("chunkedBodies", count: 1), FaultWish("closeConnections", count: 2),
        FaultWish("reboot", duration: .seconds(5)), FaultWish("forgetPairings", duration: .seconds(5)),
    ]

    @Test(arguments: endless)
    func aLimitThatAFaultDoesNotTakeIsRefused(wish: FaultWish) {
        #expect(throws: SimulationError.self) { try SimulationNames([]).check(.fault(wish)) }
    }

    @Test func aLimitThatAFaultTakesIsNot() throws {
        for wish in [
            FaultWish("latency", count: 3, duration: .seconds(5)), FaultWish("vanish", duration: .seconds(5)),
            FaultWish("reboot"),
        ] {
            try SimulationNames([]).check(.fault(wish))
        }
    }

    @Test func whatIsToldSaysForHowLongItGoesWrong() async throws {
        let garage = KilgoGarage.accessory(number: 1)
        let injector = FaultInjector()
        let server = try await AccessoryServer.start(
            ServerConfiguration(name: garage.key, category: KilgoGarage.category, bindAddress: "127.0.0.1"),
            accessories: [garage],
            store: InMemoryStore(),
            discovery: nil,
            interference: injector
        )
        let faults = ServerFaults(of: server, by: injector)
        let member = SimulationMember(
            ServedServer(server, name: garage.key, events: ServerEventForwarder()),
            accessories: [garage],
            faults: faults
        )
        let stage = await SimulationStage([member])
        #expect(try await stage.perform(.fault(FaultWish("closeConnections"))) == "Fault closeConnections, once.")
        #expect(try await stage.perform(.fault(FaultWish("vanish"))) == "Fault vanish, until cleared.")
        #expect(try await stage.perform(.fault(FaultWish("corruptFrame"))) == "Fault corruptFrame, once.")
        await server.stop()
    }
}
