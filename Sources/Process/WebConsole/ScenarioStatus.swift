internal import Hosting
internal import Simulation
internal import Synchronization

/// The progress of a scenario, which the journal keeps.
final class ScenarioStatus: Sendable {
    private let name: String
    private let plan: [PlannedStep]
    private let state = Mutex(State())

    private struct State {
        var steps: [StepResult] = []
        var result: ScenarioResult?
    }

    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - plan: Its steps.
    init(_ name: String, _ plan: [PlannedStep]) {
        self.name = name
        self.plan = plan
    }

    /// Records a step, and returns its event.
    func append(_ step: StepResult) -> ConsoleEvent.Content {
        state.withLock { $0.steps.append(step) }
        return .scenario(
            name: name,
            message: step.reason.map { "\(step.title): \($0)" } ?? step.title,
            isPassed: step.reason == nil
        )
    }

    /// Records the result, and returns its event.
    func finish(_ result: ScenarioResult) -> ConsoleEvent.Content {
        state.withLock { $0.result = result }
        return .scenario(
            name: name,
            message: result.isPassed ? "The scenario has passed." : "The scenario has failed.",
            isPassed: result.isPassed
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

/// An observer that appends the steps of a scenario to the journal.
struct ConsoleScenarioObserver: HostedScenarioObserver {
    let status: ScenarioStatus
    let journal: EventJournal

    func observe(_ progress: ScenarioProgress, at time: Duration) {
        if case .step(let step) = progress { journal.append(status.append(step)) }
    }

    func finish(_ result: ScenarioResult) {
        journal.append(status.finish(result))
    }
}
