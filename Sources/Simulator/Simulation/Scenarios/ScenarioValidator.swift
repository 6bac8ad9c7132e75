internal import AccessoryModel
internal import Documents

/// The checks that apply to every scenario, whatever accessories it runs on.
package enum ScenarioValidator {
    /// Returns the errors in a scenario's times and repetitions, in the order of the steps.
    package static func errors(in scenario: Scenario) -> [ScenarioError] {
        var check = Validation()
        check.visit(scenario.steps, depth: 0, times: 1)
        return check.errors
    }

    private struct Validation {
        private(set) var errors: [ScenarioError] = []
        private var reportedErrors: Set<ScenarioError> = []
        /// The minimum time that has passed since the beginning of the scenario.
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
                        "There are more than \(Scenario.maximumSteps) steps up to here, counting repetitions.",
                        "Use fewer repetitions."
                    )
                }
                visit(step, depth: depth, times: times)
            }
        }

        private mutating func visit(_ step: ScenarioStep, depth: Int, times: Int) {
            visitTiming(of: step, depth: depth)
            if step.condition != nil, isPaused {
                addError(step.location, "Time is paused here, so nothing can occur.", "Write \"resume\" before.")
            }
            switch step.action {
            case .nothing: break
            case .expect(let expectation):
                if isPaused, expectation.limit > .zero {
                    addError(
                        expectation.location,
                        "Time is paused here, so nothing can occur.",
                        "Write \"resume\" before, or a time of 0s to test the current value."
                    )
                }
                if expectation.isForbidden { addElapsed(expectation.limit, expectation.location) }
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
                    // The steps pause or resume time, so their second round begins in a different state than the first.
                    visit(steps, depth: depth + 1, times: 0)
                }
                let limit = Scenario.maximumDuration + .seconds(1)
                // Every factor is limited, so no product overflows.
                elapsed = once > .zero && count > 0 ? min(before + once * min(count, 1_000_000), limit) : elapsed
                checkLength(step.location)
            }
        }

        private mutating func visitTiming(of step: ScenarioStep, depth: Int) {
            switch step.timing {
            case nil: break
            case .after(let duration):
                if isPaused, duration > .zero {
                    addError(step.location, "Time is paused here.", "Write \"resume\" before, or \"advance\".")
                }
                addElapsed(duration, step.location)
            case .at(let duration):
                if depth > 0 {
                    addError(
                        step.location,
                        "\"at\" counts from the scenario's beginning, but these steps are repeated.",
                        "Write \"after\"."
                    )
                } else if duration < elapsed {
                    addError(
                        step.location,
                        "\(ScenarioText.duration(duration)) is too early: the previous steps take at least "
                            + "\(ScenarioText.duration(elapsed)).",
                        "Name a later time, or move the step up."
                    )
                } else if isPaused, duration > elapsed {
                    addError(step.location, "Time is paused here.", "Write \"resume\" before, or \"advance\".")
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
