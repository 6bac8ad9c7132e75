import AccessoryModel
import HAPServer
import HomeRuntime
import Hosting
import Simulation
import TestSupport
import Testing

/// Requests for faults in the form that users write.
struct FaultRequestTests {
    static let endless = [
        FaultRequest("vanish", count: 3), FaultRequest("chunkedBodies", count: 1),
        FaultRequest("closeConnections", count: 2),
        FaultRequest("reboot", duration: .seconds(5)), FaultRequest("forgetPairings", duration: .seconds(5)),
    ]

    @Test(arguments: endless)
    func anUnsupportedLimitIsRefused(request: FaultRequest) {
        #expect(throws: SimulationError.self) { try SimulationNames([]).check(.fault(request)) }
    }

    @Test func aSupportedLimitIsAccepted() throws {
        for request in [
            FaultRequest("latency", count: 3, duration: .seconds(5)), FaultRequest("vanish", duration: .seconds(5)),
            FaultRequest("reboot"),
        ] {
            try SimulationNames([]).check(.fault(request))
        }
    }

    @Test func theDescriptionContainsTheDuration() async throws {
        let garage = KilgoGarage.accessory(number: 1)
        let injector = FaultInjector()
        let server = try await AccessoryServer.start(
            ServerConfiguration(name: garage.key, category: KilgoGarage.category, bindAddress: "127.0.0.1"),
            accessories: [garage],
            store: InMemoryStore(),
            discovery: nil,
            faultInjection: injector
        )
        let faults = ServerFaults(of: server, by: injector)
        let member = SimulationServer(
            ObservedServer(server, name: garage.key, events: ServerEventForwarder()),
            accessories: [garage],
            faults: faults
        )
        let simulation = await SimulationServers([member])
        #expect(
            try await simulation.perform(.fault(FaultRequest("closeConnections"))) == "Fault closeConnections, once."
        )
        #expect(try await simulation.perform(.fault(FaultRequest("vanish"))) == "Fault vanish, until cleared.")
        #expect(try await simulation.perform(.fault(FaultRequest("corruptFrame"))) == "Fault corruptFrame, once.")
        await server.stop()
    }
}
