internal import Hosting
internal import Simulation

/// An observer that records the progress of a scenario in the journal, and appends an event for each step.
struct ConsoleScenarioObserver: HostedScenarioObserver {
    let name: String
    let journal: EventJournal

    func observe(_ progress: ScenarioProgress, at time: Duration) {
        guard case .step(let step) = progress else { return }
        journal.changeScenario { $0?.append(step) }
        journal.append(.scenario(name, message: step.reason.map { "\(step.title): \($0)" } ?? step.title))
    }

    func finish(_ result: ScenarioResult) {
        journal.changeScenario { scenario in
            scenario?.isFinished = true
            scenario?.isPassed = result.isPassed
        }
        let message = result.isPassed ? "The scenario has passed." : "The scenario has failed."
        journal.append(.scenario(name, message: message))
    }
}
