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
        let log = ScenarioLog(printer: printer, names: stage.names, showsFacts: showsFacts)
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

/// Prints what happens while a scenario runs, each line with the time of the simulation.
struct ScenarioLog: Sendable {
    let printer: LinePrinter
    let names: SimulationNames
    /// Whether it is printed what changes and what faults do; the log of a server does that already.
    let showsFacts: Bool
    /// Lines of the home that is run beside, which stand after what caused them.
    let held = HeldLines()

    func tell(_ news: ScenarioNews, at time: Duration) {
        switch news {
        case .fact(.value(let place, let value)):
            guard showsFacts else { return }
            let text = names.characteristic(at: place)?.words.text(of: value) ?? "–"
            line("\(names.text(of: .characteristic(place))): \(text)", at: time)
        case .fact(.fault(let server, let name, let what)):
            guard showsFacts else { return }
            let title = names.servers.count > 1 ? "\(names.text(of: .server(server))): " : ""
            line("\(title)Fault \(name) \(what.map { "acts on \($0)" } ?? "is over").", at: time)
        case .fact(.controller), .fact(.event): break
        case .said(let text): line(text, at: time)
        case .step(let step):
            switch step.outcome {
            case .passed(let words): line("✔ \(step.title)\(words.isEmpty ? "" : ": \(words)")", at: time)
            case .failed, .interrupted:
                line("✘ \(step.title), line \(step.line): \(step.reason ?? "")", at: time)
            case .skipped: break
            }
        }
    }

    /// Says how it ended.
    func tellEnd(_ result: ScenarioResult) {
        held.takeAll().forEach(printer.line)
        let failed = result.failure.map { " Failed: \($0.title)." } ?? ""
        let done = result.steps.count { if case .passed = $0.outcome { true } else { false } }
        printer.line("Scenario \(result.name): \(done) of \(result.steps.count) steps done.\(failed)".printable)
    }

    private func line(_ text: String, at time: Duration) {
        held.take(before: time).forEach(printer.line)
        printer.line("\(time.stopwatchText)  \(text)".printable)
    }
}
