import AccessoryModel
import HAPCore
import Simulation
import SimulationRuntime

/// Prints what happens while a scenario runs, each line with the time of the simulation.
struct ScenarioLog: Sendable {
    private let printer: LinePrinter
    private let names: SimulationNames
    /// Whether it is printed what changes and what faults do; the log of a server does that already.
    private let showsFacts: Bool
    /// Lines of the home that is run beside, which stand after what caused them.
    let held = HeldLines()

    init(_ printer: LinePrinter, names: SimulationNames, showsFacts: Bool) {
        self.printer = printer
        self.names = names
        self.showsFacts = showsFacts
    }

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
                line("✘ \(step.title), line \(step.place.line): \(step.reason ?? "")", at: time)
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
