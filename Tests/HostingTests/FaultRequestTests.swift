import AccessoryModel
import HostTestSupport
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
        let host = try await AccessoryHost.garages(1)
        #expect(
            try await host.perform(.fault(FaultRequest("closeConnections"))) == "Fault closeConnections, once."
        )
        #expect(try await host.perform(.fault(FaultRequest("vanish"))) == "Fault vanish, until cleared.")
        #expect(try await host.perform(.fault(FaultRequest("corruptFrame"))) == "Fault corruptFrame, once.")
        await host.stop()
    }
}
