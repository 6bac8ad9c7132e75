package import Hosting
package import Simulation
internal import Synchronization

/// The progress of a scenario.
package final class ScenarioStatus: HostedScenarioObserver {
    private let name: String
    private let plan: [PlannedStep]
    private let journal: EventJournal
    private let state = Mutex(State())

    private struct State {
        var steps: [StepResult] = []
        var result: ScenarioResult?
    }

    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - plan: Its steps.
    package init(_ name: String, _ plan: [PlannedStep], _ journal: EventJournal) {
        self.name = name
        self.plan = plan
        self.journal = journal
    }

    package func observe(_ progress: ScenarioProgress, at time: Duration) {
        guard case .step(let step) = progress else { return }
        state.withLock { $0.steps.append(step) }
        journal.append(
            .scenario(
                name: name,
                message: step.reason.map { "\(step.title): \($0)" } ?? step.title,
                isPassed: step.reason == nil
            )
        )
    }

    package func finish(_ result: ScenarioResult) {
        state.withLock { $0.result = result }
        journal.append(
            .scenario(
                name: name,
                message: result.isPassed ? "The scenario has passed." : "The scenario has failed.",
                isPassed: result.isPassed
            )
        )
    }

    /// The progress up to now.
    var resource: ScenarioResource {
        let (steps, result) = state.withLock { ($0.steps, $0.result) }
        return ScenarioResource(
            name: name,
            stepCount: plan.count,
            isFinished: result != nil,
            isPassed: result?.isPassed,
            steps: steps,
            pending: Array(plan.dropFirst(steps.count))
        )
    }
}
