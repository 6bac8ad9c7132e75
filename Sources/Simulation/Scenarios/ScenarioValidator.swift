internal import AccessoryModel
internal import Documents

/// What holds for every scenario, whatever it is run on.
package enum ScenarioValidator {
    /// What is wrong with a scenario's times and repetitions, in its order.
    package static func errors(in scenario: Scenario) -> [ScenarioError] {
        var check = Validation()
        check.visit(scenario.steps, depth: 0, times: 1)
        return check.errors
    }

    private struct Validation {
        private(set) var errors: [ScenarioError] = []
        private var reportedErrors: Set<ScenarioError> = []
        /// The least time that has passed since the beginning.
        private var elapsed = Duration.zero
        private var isPaused = false
        private var count = 0
        private var hasTooManySteps = false
        private var isTooLong = false

        mutating func visit(_ steps: [ScenarioStep], depth: Int, times: Int) {
            for step in steps {
                let (total, overflow) = count.addingReportingOverflow(times)
                count = overflow ? .max : total
                if count > Scenario.maximumSteps, !hasTooManySteps {
                    hasTooManySteps = true
                    addError(
                        step.location,
                        "The steps up to here happen more than \(Scenario.maximumSteps) times.",
                        "Repeat less."
                    )
                }
                visit(step, depth: depth, times: times)
            }
        }

        private mutating func visit(_ step: ScenarioStep, depth: Int, times: Int) {
            visitTiming(of: step, depth: depth)
            if step.condition != nil, isPaused {
                addError(step.location, "Time stands still here, so that nothing comes.", "Write \"resume\" before.")
            }
            switch step.action {
            case .nothing: break
            case .expect(let expectation):
                if isPaused, expectation.limit > .zero {
                    addError(
                        expectation.location,
                        "Time stands still here, so that nothing comes.",
                        "Write \"resume\" before, or \"within: 0s\" for what is so already."
                    )
                }
            case .perform(.advance(let duration)): addElapsed(duration, step.location)
            case .perform(.pause): isPaused = true
            case .perform(.resume): isPaused = false
            case .perform: break
            case .repeat(let count, let steps):
                let before = elapsed
                let (repeated, overflow) = times.multipliedReportingOverflow(by: max(count, 0))
                let wasPaused = isPaused
                visit(steps, depth: depth + 1, times: overflow ? .max : repeated)
                let once = elapsed - before
                if count > 1, isPaused != wasPaused {
                    // The second round begins otherwise than the first.
                    visit(steps, depth: depth + 1, times: 0)
                }
                let limit = Scenario.maximumDuration + .seconds(1)
                // Nothing here is longer than a limit, and so no product runs over.
                elapsed = once > .zero && count > 0 ? min(before + once * min(count, 1_000_000), limit) : elapsed
                checkLength(step.location)
            }
        }

        private mutating func visitTiming(of step: ScenarioStep, depth: Int) {
            switch step.timing {
            case nil: break
            case .after(let duration):
                if isPaused, duration > .zero {
                    addError(step.location, "Time stands still here.", "Write \"resume\" before, or \"advance\".")
                }
                addElapsed(duration, step.location)
            case .at(let duration):
                if depth > 0 {
                    addError(
                        step.location,
                        "\"at\" counts from the scenario's beginning, and these steps are repeated.",
                        "Write \"after\"."
                    )
                } else if duration < elapsed {
                    addError(
                        step.location,
                        "\(ScenarioText.duration(duration)) has passed by then: the steps before take "
                            + "\(ScenarioText.duration(elapsed)) at least.",
                        "Name a later time, or put the step further up."
                    )
                } else if isPaused, duration > elapsed {
                    addError(step.location, "Time stands still here.", "Write \"resume\" before, or \"advance\".")
                } else {
                    elapsed = duration
                    checkLength(step.location)
                }
            }
        }

        private mutating func addElapsed(_ duration: Duration, _ place: SourceLocation?) {
            let limit = Scenario.maximumDuration + .seconds(1)
            elapsed = min(elapsed + min(max(duration, .zero), limit), limit)
            checkLength(place)
        }

        private mutating func checkLength(_ place: SourceLocation?) {
            guard elapsed > Scenario.maximumDuration, !isTooLong else { return }
            isTooLong = true
            addError(place, "The scenario takes more than 3650 days up to here.", "Make it shorter.")
        }

        private mutating func addError(_ place: SourceLocation?, _ reason: String, _ remedy: String) {
            let mistake = ScenarioError(location: place, error: SimulationError(.invalidTime, reason, remedy))
            if reportedErrors.insert(mistake).inserted { errors.append(mistake) }
        }
    }
}
