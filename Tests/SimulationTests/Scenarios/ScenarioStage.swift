import AccessoryModel
import HAPCore

@testable import Simulation

/// A Kilgo garage that was never started, with its names.
enum ScenarioStage {
    static func names(_ servers: Int = 1) throws -> SimulationNames {
        let servers = try (1...servers)
            .map { number in
                let garage = KilgoGarage.accessory(number: number)
                return try SimulatedServer(name: garage.key, unstarted: [garage])
            }
        return SimulationNames(servers)
    }

    static func place(_ text: String) throws -> SimulationPlace {
        try names().characteristic(SimulationTarget(text)).place
    }

    static func instant(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant.zero.advanced(by: .seconds(seconds))
    }

    /// A machine for steps on the garage, its door closed.
    static func machine(_ steps: [ScenarioStep]) throws -> ScenarioMachine {
        let names = try names()
        let (plan, faults) = ScenarioPlan.make(of: Scenario(name: "Test", steps: steps), with: names)
        guard faults.isEmpty else { throw faults[0] }
        return ScenarioMachine(plan, values: [try place("Current Door State"): 1], startedAt: .zero)
    }

    static let becomesOpen = ScenarioExpectation(
        .value(SimulationTarget("Current Door State"), .equals("Open")),
        within: .seconds(15)
    )
}
