import AccessoryModel
import HAPCore
import HomeRuntime
import Simulation
import SimulationRuntime

/// One run of a scenario on servers that listen.
struct ScenarioRun: Sendable {
    /// What it acts on.
    let stage: SimulationStage
    private let runner: ScenarioRunner
    private let log: ScenarioLog
    /// The home that is run with it.
    private let home: ServedHome?
    /// Whether the home runs by itself beside, and not step by step.
    private let isHomeLive: Bool

    /// - Throws: ``CommandFailure`` when the home or the scenario is wrong on these servers.
    init(
        _ source: ScenarioSource,
        on fleet: ServerFleet,
        _ settings: ServeSettings,
        _ printer: LinePrinter,
        isFast: Bool,
        showsFacts: Bool
    ) async throws(CommandFailure) {
        var stage = await fleet.stage()
        let log = ScenarioLog(printer, names: stage.names, showsFacts: showsFacts)
        self.log = log
        let plan = try await source.plan(stage.names, home: settings.homeFile)
        var served: ServedHome?
        if let path = settings.homeFile {
            let home = try await ServedHome(
                path,
                over: fleet.servers,
                keptIn: settings.stateLocation,
                printer,
                startingAt: source.scenario.start,
                heldIn: isFast ? log.held : nil,
                tellsElapsedTime: true
            )
            stage = stage.with(await home.simulated(isStepped: isFast))
            served = home
        }
        home = served
        isHomeLive = !isFast
        self.stage = stage
        runner = ScenarioRunner(
            plan,
            on: stage,
            isFast: isFast,
            tellsEverything: showsFacts
        ) { news, time in
            log.tell(news, at: time)
        }
    }

    /// Runs it to its end, or until the task is cancelled.
    func run() async -> ScenarioResult {
        home?.announce()
        let result = await withTaskGroup(of: ScenarioResult?.self) { group in
            if let home, isHomeLive {
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
        log.tellEnd(ended)
        return ended
    }
}
