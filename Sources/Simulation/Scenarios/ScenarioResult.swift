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
