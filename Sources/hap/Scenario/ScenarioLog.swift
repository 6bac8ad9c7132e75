import AccessoryModel
import HAPCore
import Simulation
import SimulationRunning

/// Prints what happens while a scenario runs, each line with the time of the simulation.
struct ScenarioLog: Sendable {
    private let printer: LinePrinter
    private let names: SimulationNames
    /// Whether the changes of values are printed; the log of a server does that already.
    private let showsValues: Bool
    /// Lines of the home that is run beside, which stand after what caused them.
    let held = HeldLines()

    init(_ printer: LinePrinter, names: SimulationNames, showsValues: Bool) {
        self.printer = printer
        self.names = names
        self.showsValues = showsValues
    }

    func tell(_ news: ScenarioNews, at time: Duration) {
        switch news {
        case .fact(.value(let place, let value)):
            guard showsValues else { return }
            let text = names.characteristic(at: place)?.words.text(of: value) ?? "–"
            line("\(names.text(of: .characteristic(place))): \(text)", at: time)
        case .fact: break
        case .said(let text): line(text, at: time)
        case .step(let step):
            switch step.outcome {
            case .passed: line("✔ \(step.title)", at: time)
            case .failed(let reason):
                line("✘ \(step.title), line \(step.place.line): \(reason)", at: time)
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
