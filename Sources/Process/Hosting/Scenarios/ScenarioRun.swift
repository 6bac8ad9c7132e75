package import Simulation

/// One run of a scenario on the servers of a host.
package struct ScenarioRun: Sendable {
    private let runner: ScenarioRunner
    private let observers: [any HostedScenarioObserver]

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - source: The scenario.
    ///   - home: The file of the home that the host runs, or `nil` for none.
    ///   - host: The servers.
    ///   - isFast: Whether time jumps from event to event, instead of passing as on the servers' clocks.
    ///   - reportsEverything: Whether observers learn of events that the scenario does not observe, too.
    /// - Throws: ``HostError`` when the scenario does not match these servers and the home.
    package init(
        _ source: ScenarioSource,
        _ home: HomeSource?,
        on host: AccessoryHost,
        isFast: Bool,
        reportsEverything: Bool
    ) async throws(HostError) {
        let plan = try await source.plan(host.names, home: home)
        let observers = host.observers.compactMap { $0.observer(of: plan) }
        self.observers = observers
        runner = ScenarioRunner(
            plan,
            on: host,
            isFast: isFast,
            reportsEverything: reportsEverything
        ) { progress, time in
            for observer in observers { observer.observe(progress, at: time) }
        }
    }

    /// Runs the scenario to its end, or until the task is canceled.
    package func run() async -> ScenarioResult {
        let result = await runner.run()
        for observer in observers { observer.finish(result) }
        return result
    }
}
