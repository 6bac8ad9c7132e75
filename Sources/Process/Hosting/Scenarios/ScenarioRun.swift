package import Simulation

/// One run of a scenario on the servers of a host.
package struct ScenarioRun: Sendable {
    private let runner: ScenarioRunner
    private let observers: [any HostedScenarioObserver]
    /// The home that runs with the scenario.
    package let home: ServedHome?
    /// Whether the home runs concurrently, instead of step by step.
    private let runsHomeConcurrently: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - source: The scenario.
    ///   - homeSource: The file of the home that runs with it, or `nil` for none.
    ///   - host: The servers, whose home the scenario's becomes.
    ///   - folder: The folder in which the home is stored.
    ///   - isFast: Whether time jumps from event to event, instead of passing as on the servers' clocks.
    ///   - reportsEverything: Whether observers learn of events that the scenario does not observe, too.
    /// - Throws: ``HostError`` when the home or the scenario does not match these servers.
    package init(
        _ source: ScenarioSource,
        _ homeSource: HomeSource?,
        on host: AccessoryHost,
        keptIn folder: String,
        isFast: Bool,
        reportsEverything: Bool
    ) async throws(HostError) {
        let plan = try await source.plan(host.names, home: homeSource)
        let observers = host.observers.compactMap { $0.observer(of: plan) }
        var home: ServedHome?
        if let homeSource {
            let served = try await ServedHome(
                homeSource,
                on: host,
                keptIn: folder,
                startingAt: source.scenario.start
            )
            host.setHome(await served.simulatedHome(isStepped: isFast))
            home = served
        }
        self.observers = observers
        self.home = home
        runsHomeConcurrently = !isFast
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
        home?.reportSummary()
        let result = await withTaskGroup(of: ScenarioResult?.self) { group in
            if let home, runsHomeConcurrently {
                group.addTask {
                    await home.run()
                    return nil
                }
            }
            group.addTask { await runner.run() }
            var result: ScenarioResult?
            for await ended in group {
                guard let ended else { continue }
                result = ended
                group.cancelAll()
            }
            return result
        }
        await home?.close()
        let ended = result ?? ScenarioResult(name: "", steps: [])
        for observer in observers { observer.finish(ended) }
        return ended
    }
}
