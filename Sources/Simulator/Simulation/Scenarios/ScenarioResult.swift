package import Documents

/// The result of a scenario.
package struct ScenarioResult: Sendable, Hashable {
    /// The name of the scenario.
    package var name: String
    /// The results of the steps, in order.
    package var steps: [StepResult]

    /// Creates a result.
    package init(name: String, steps: [StepResult] = []) {
        self.name = name
        self.steps = steps
    }

    /// The step that failed or was interrupted; `nil` if there is none.
    package var failure: StepResult? {
        steps.first { $0.reason != nil }
    }

    /// Whether a signal ended the run.
    package var isInterrupted: Bool {
        steps.contains { $0.outcome == .interrupted }
    }

    /// Whether every step passed.
    package var isPassed: Bool {
        steps.allSatisfy { step in
            if case .passed = step.outcome { true } else { false }
        }
    }
}

/// The result of a step.
package struct StepResult: Sendable, Hashable {
    /// The way a step ended.
    package enum Outcome: Sendable, Hashable {
        /// The step passed, with a description of its effect or an empty string.
        case passed(String)
        /// The step failed, with the reason and what was observed instead.
        case failed(String)
        /// The run was ended before the step had ended.
        case interrupted
        /// The step did not run because the scenario had already ended.
        case skipped
    }

    /// The name of the step.
    package var title: String
    /// The position of the step in its file.
    package var location: SourceLocation?
    /// The time at which the step began, from the beginning of the scenario.
    package var start: Duration
    /// The time at which the step ended, from the beginning of the scenario.
    package var end: Duration
    /// The outcome of the step.
    package var outcome: Outcome

    /// The line in the file, from 1; 0 for a step without a file.
    package var line: Int { location?.position?.line ?? 0 }

    /// The seconds of simulated time from the beginning of the scenario to the end of the step.
    package var endSeconds: Double { end / .seconds(1) }

    /// The outcome in JSON.
    package var outcomeWord: String {
        switch outcome {
        case .passed: "passed"
        case .failed: "failed"
        case .interrupted: "interrupted"
        case .skipped: "skipped"
        }
    }

    /// The reason why the step failed or was interrupted; `nil` otherwise.
    package var reason: String? {
        switch outcome {
        case .failed(let reason): reason
        case .interrupted: "Ended by a signal during \"\(title)\"."
        case .passed, .skipped: nil
        }
    }
}
