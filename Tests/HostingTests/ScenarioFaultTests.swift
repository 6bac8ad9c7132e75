import HAPCore
import Hosting
import Synchronization
import Testing

@testable import Simulation

/// The faults of a scenario, as a controller sees them.
struct ScenarioFaultTests {
    private static let door = SimulationTarget("Garage Door/Current Door State")
    private static let light = SimulationTarget("Garage Light/On")

    /// Reads fail with -70403.
    private static func refusal(
        on target: SimulationTarget? = nil,
        count: Int? = nil,
        lasting duration: Duration? = nil
    ) -> ScenarioStep {
        let arguments = ["code": SimulationArgument.number(-70_403)]
        return ScenarioStep(
            .perform(.fault(FaultRequest("status", arguments: arguments, on: target, count: count, duration: duration)))
        )
    }

    private static func clear(_ name: String?, on target: SimulationTarget? = nil) -> ScenarioStep {
        ScenarioStep(.perform(.clear(fault: name, on: target)))
    }

    @Test
    func aFaultAppliesOnlyToItsTarget() async throws {
        try await ScenarioBench.run { bench in
            #expect(try await bench.status(Self.door) == 0)
            try await bench.perform(Self.refusal(on: SimulationTarget("Garage Door")))
            #expect(try await bench.status(Self.door) == -70_403)
            #expect(try await bench.status(Self.light) == 0)
        }
    }

    @Test
    func aFaultAppliesAsOftenAsItsCount() async throws {
        try await ScenarioBench.run { bench in
            try await bench.perform(Self.refusal(count: 2))
            #expect(try await bench.status(Self.door) == -70_403)
            #expect(try await bench.status(Self.door) == -70_403)
            #expect(try await bench.status(Self.door) == 0)
        }
    }

    @Test
    func aFaultLastsItsDuration() async throws {
        try await ScenarioBench.run { bench in
            try await bench.perform(
                Self.refusal(lasting: .seconds(10)),
                ScenarioStep(.perform(.advance(.seconds(9))))
            )
            #expect(try await bench.status(Self.door) == -70_403)
            try await bench.perform(ScenarioStep(.perform(.advance(.seconds(1)))))
            #expect(try await bench.status(Self.door) == 0)
        }
    }

    @Test(arguments: [
        ("status", nil, true), (nil, nil, true), (nil, "Garage Door", true), ("latency", nil, false),
        ("status", "Garage Light", false),
    ])
    func onlyTheNamedFaultIsCleared(name: String?, target: String?, isCleared: Bool) async throws {
        try await ScenarioBench.run { bench in
            try await bench.perform(Self.refusal(on: SimulationTarget("Garage Door")))
            let result = try await bench.perform(Self.clear(name, on: target.map { SimulationTarget($0) }))
            let words = isCleared ? "1 fault has ended." : "No such fault was active."
            #expect(result.steps.map(\.outcome) == [.passed(words)])
            #expect(try await bench.status(Self.door) == (isCleared ? 0 : -70_403))
        }
    }

    @Test(arguments: ["Garage Door", "Garage Door/Current Door State", "Kilgo Garage", "Garage Light"])
    func clearingAnObjectClearsTheFaultsWithinIt(target: String) async throws {
        try await ScenarioBench.run { bench in
            try await bench.perform(Self.refusal(on: Self.door))
            try await bench.perform(Self.clear("status", on: SimulationTarget(target)))
            #expect(try await bench.status(Self.door) == (target == "Garage Light" ? -70_403 : 0))
        }
    }

    @Test
    func aFaultAppliesToOneServerOrToAll() async throws {
        try await ScenarioBench.run(2) { bench in
            try await bench.perform(Self.refusal(on: SimulationTarget("Kilgo Garage 2")))
            #expect(try await bench.status(Self.door, of: 0) == 0)
            #expect(try await bench.status(Self.door, of: 1) == -70_403)
            try await bench.perform(Self.clear(nil, on: SimulationTarget("Kilgo Garage 2")))
            #expect(try await bench.status(Self.door, of: 1) == 0)
            try await bench.perform(Self.refusal())
            #expect(try await bench.status(Self.door, of: 0) == -70_403)
            #expect(try await bench.status(Self.door, of: 1) == -70_403)
        }
    }

    @Test
    func controllerActionsDuringAWaitAreObserved() async throws {
        try await ScenarioBench.run { bench in
            let reads = ScenarioStep(
                .expect(ScenarioExpectation(.controller(.reads, SimulationTarget("Garage Door")), within: .seconds(60)))
            )
            let log = ScenarioStep(.perform(.log("Now")))
            let reading = Mutex<Task<Void, any Error>?>(nil)
            let (plan, _) = ScenarioPlan.make(
                of: Scenario(name: "Test", steps: [log, reads, reads]),
                with: bench.host.names
            )
            let runner = ScenarioRunner(plan, on: bench.host, mailbox: bench.mailbox, isFast: true) { news, _ in
                guard case .message = news else { return }
                reading.withLock { task in
                    task = Task {
                        for _ in 1...2 { _ = try await bench.status(Self.door) }
                    }
                }
            }
            let result = await runner.run()
            try await reading.withLock { $0 }?.value
            #expect(result.isPassed)
        }
    }
}
