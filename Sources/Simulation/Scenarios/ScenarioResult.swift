package import Documents

/// What became of a scenario.
package struct ScenarioResult: Sendable, Hashable {
    /// What people call the scenario.
    package var name: String
    /// Its steps, in order.
    package var steps: [StepResult]

    /// Creates a result.
    package init(name: String, steps: [StepResult] = []) {
        self.name = name
        self.steps = steps
    }

    /// The step that has failed, or during which the run was ended; `nil` when there is none.
    package var failure: StepResult? {
        steps.first { $0.reason != nil }
    }

    /// Whether every step did what it says.
    package var isPassed: Bool {
        steps.allSatisfy { step in
            if case .passed = step.outcome { true } else { false }
        }
    }
}

/// What became of a step.
package struct StepResult: Sendable, Hashable {
    /// How it ended.
    package enum Outcome: Sendable, Hashable {
        /// It did what it says, with what came of it where there is something to say.
        case passed(String)
        /// It did not: why, and what was seen instead.
        case failed(String)
        /// Somebody ended the run before it had ended.
        case interrupted
        /// It was not done, since another one had failed.
        case skipped
    }

    /// What it is called.
    package var title: String
    /// Where it stands in its file.
    package var location: SourceLocation?
    /// When it began, from the beginning of the scenario.
    package var start: Duration
    /// When it ended.
    package var end: Duration
    /// How it ended.
    package var outcome: Outcome

    /// The line in the file, from 1; 0 for a step that is in no file.
    package var line: Int { location?.position?.line ?? 0 }

    /// Why it did not do what it says; `nil` for one that did, or was not done.
    package var reason: String? {
        switch outcome {
        case .failed(let reason): reason
        case .interrupted: "Ended by a signal during \"\(title)\"."
        case .passed, .skipped: nil
        }
    }
}
