import AccessoryModel
import HostTestSupport
import Hosting
import Simulation
import TestSupport
import Testing

/// Requests for faults in the form that users write.
struct FaultRequestTests {
    static let endless = [
        FaultRequest<WrittenReferences>("vanish", count: 3), FaultRequest("chunkedBodies", count: 1),
        FaultRequest("closeConnections", count: 2),
        FaultRequest("reboot", duration: .seconds(5)), FaultRequest("forgetPairings", duration: .seconds(5)),
    ]

    @Test(arguments: endless)
    func anUnsupportedLimitIsRefused(request: FaultRequest<WrittenReferences>) {
        #expect(throws: SimulationError.self) { try SimulationNames([]).resolve(.fault(request)) }
    }

    @Test func aSupportedLimitIsAccepted() throws {
        for request in [
            FaultRequest<WrittenReferences>("latency", count: 3, duration: .seconds(5)),
            FaultRequest("vanish", duration: .seconds(5)),
            FaultRequest("reboot"),
        ] {
            _ = try SimulationNames([]).resolve(.fault(request))
        }
    }

    @Test func theDescriptionContainsTheDuration() async throws {
        let host = try await AccessoryHost.garages(1)
        #expect(
            try await host.perform(written: .fault(FaultRequest("closeConnections"))) == "Fault closeConnections, once."
        )
        #expect(try await host.perform(written: .fault(FaultRequest("vanish"))) == "Fault vanish, until cleared.")
        #expect(try await host.perform(written: .fault(FaultRequest("corruptFrame"))) == "Fault corruptFrame, once.")
        await host.stop()
    }
}
