import AccessoryModel
import HAPCore
import HomeRuntime
import Hosting
import Simulation
import WebConsole

/// One run of a scenario on servers that listen.
struct ScenarioRun: Sendable {
    /// The servers and the home that the scenario acts on.
    let simulation: SimulationServers
    /// The progress for the console.
    let status: ScenarioStatus
    private let runner: ScenarioRunner
    private let log: ScenarioLog
    /// The home that runs with the scenario.
    private let home: ServedHome?
    /// Whether the home runs concurrently, instead of step by step.
    private let runsHomeConcurrently: Bool

    /// Prepares a run.
    ///
    /// - Throws: ``CommandFailure`` when the home or the scenario does not match these servers.
    init(
        _ source: ScenarioSource,
        _ homeSource: HomeSource?,
        on fleet: ServerFleet,
        _ settings: ServeSettings,
        _ printer: LinePrinter,
        _ journal: EventJournal,
        isFast: Bool,
        showsEvents: Bool
    ) async throws(CommandFailure) {
        var stage = await fleet.simulation()
        let log = ScenarioLog(printer: printer, names: stage.names, showsEvents: showsEvents)
        self.log = log
        let plan = try await source.plan(stage.names, home: homeSource)
        var served: ServedHome?
        if let homeSource {
            let home = try await ServedHome(
                homeSource,
                over: fleet.servers,
                keptIn: settings.stateLocation,
                printer,
                journal,
                startingAt: source.scenario.start,
                heldIn: isFast ? log.heldLines : nil,
                tellsElapsedTime: true
            )
            stage = stage.with(await home.simulatedHome(isStepped: isFast))
            served = home
        }
        home = served
        let status = ScenarioStatus(source.scenario.name, plan.steps, journal)
        self.status = status
        runsHomeConcurrently = !isFast
        self.simulation = stage
        runner = ScenarioRunner(
            plan,
            on: stage,
            isFast: isFast,
            reportsEverything: showsEvents
        ) { news, time in
            log.printProgress(news, at: time)
            if case .step(let step) = news { status.record(step) }
        }
    }

    /// The home for the console, or `nil` if the scenario has none.
    var consoleHome: ConsoleHome? { home?.consoleHome }

    /// Runs the scenario to its end, or until the task is canceled.
    func run() async -> ScenarioResult {
        home?.printSummary()
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
        status.finish(ended)
        log.printResult(ended)
        return ended
    }
}

/// A log that prints the events of a scenario, each on a line with the time of the simulation.
struct ScenarioLog: Sendable {
    let printer: LinePrinter
    let names: SimulationNames
    /// Whether value changes and faults are printed.
    ///
    /// If the servers have a log, they are printed there.
    let showsEvents: Bool
    /// Lines of the home that runs with the scenario, held until the lines about their causes are printed.
    let heldLines = HeldLines()

    func printProgress(_ news: ScenarioProgress, at time: Duration) {
        switch news {
        case .event(.value(let place, let value)):
            guard showsEvents else { return }
            let text = names.characteristic(at: place)?.descriptor.text(of: value) ?? "–"
            printLine("\(names.text(of: .characteristic(place))): \(text)", at: time)
        case .event(.fault(let server, let name, let what)):
            guard showsEvents else { return }
            let title = names.servers.count > 1 ? "\(names.text(of: .server(server))): " : ""
            printLine("\(title)Fault \(name) \(what.map { "was applied to \($0)" } ?? "has ended").", at: time)
        case .event(.controller), .event(.notification): break
        case .message(let text): printLine(text, at: time)
        case .step(let step):
            switch step.outcome {
            case .passed(let words): printLine("✔ \(step.title)\(words.isEmpty ? "" : ": \(words)")", at: time)
            case .failed, .interrupted:
                printLine("✘ \(step.title), line \(step.line): \(step.reason ?? "")", at: time)
            case .skipped: break
            }
        }
    }

    /// Prints the result.
    func printResult(_ result: ScenarioResult) {
        heldLines.removeAll().forEach(printer.printLine)
        let failed = result.failure.map { " Failed: \($0.title)." } ?? ""
        let done = result.steps.count { if case .passed = $0.outcome { true } else { false } }
        printer.printLine("Scenario \(result.name): \(done) of \(result.steps.count) steps done.\(failed)".printable)
    }

    private func printLine(_ text: String, at time: Duration) {
        heldLines.removeAll(before: time).forEach(printer.printLine)
        printer.printLine("\(time.stopwatchText)  \(text)".printable)
    }
}
