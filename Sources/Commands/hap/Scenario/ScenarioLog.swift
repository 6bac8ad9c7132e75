import AccessoryModel
import HAPCore
import Hosting
import Simulation

/// A log that prints the events of a scenario, each on a line with the time of the simulation.
struct ScenarioLog: HostedScenarioObserver {
    let printer: LinePrinter
    let names: SimulationNames
    /// Whether value changes and faults are printed.
    ///
    /// If the servers have a log, they are printed there.
    let showsEvents: Bool
    /// Lines of the home that runs with the scenario, held until the lines about their causes are printed.
    let heldLines: HeldLines

    func observe(_ news: ScenarioProgress, at time: Duration) {
        switch news {
        case .event(.value(let place, let value)):
            guard showsEvents else { return }
            let text = names.characteristic(at: place)?.base.text(of: value) ?? "–"
            printLine("\(names.text(of: .characteristic(place))): \(text)", at: time)
        case .event(.fault(let server, let name, let what)):
            guard showsEvents else { return }
            let title = names.serverNames.count > 1 ? "\(names.text(of: .server(server))): " : ""
            printLine("\(title)Fault \(name) \(what.map { "was applied to \($0)" } ?? "has ended").", at: time)
        case .event(.driver(let object, let name, let details)):
            guard showsEvents else { return }
            printLine("\(names.text(of: object)) reports \(DriverEventText.text(name, details))", at: time)
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
    func finish(_ result: ScenarioResult) {
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
