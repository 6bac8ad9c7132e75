internal import AccessoryModel
internal import Documents

/// What holds for every scenario, whatever it is run on.
package enum ScenarioRules {
    /// What is wrong with a scenario's times and repetitions, in its order.
    package static func mistakes(in scenario: Scenario) -> [ScenarioMistake] {
        var check = Check()
        check.take(scenario.steps, depth: 0, times: 1)
        return check.mistakes
    }

    private struct Check {
        private(set) var mistakes: [ScenarioMistake] = []
        private var known: Set<ScenarioMistake> = []
        /// The least time that has passed since the beginning.
        private var elapsed = Duration.zero
        private var isPaused = false
        private var count = 0
        private var isTooMuch = false
        private var isTooLong = false

        mutating func take(_ steps: [ScenarioStep], depth: Int, times: Int) {
            for step in steps {
                let (total, overflow) = count.addingReportingOverflow(times)
                count = overflow ? .max : total
                if count > Scenario.maximumSteps, !isTooMuch {
                    isTooMuch = true
                    refuse(
                        step.place,
                        "The steps up to here happen more than \(Scenario.maximumSteps) times.",
                        "Repeat less."
                    )
                }
                take(step, depth: depth, times: times)
            }
        }

        private mutating func take(_ step: ScenarioStep, depth: Int, times: Int) {
            takeMoment(of: step, depth: depth)
            if step.condition != nil, isPaused {
                refuse(step.place, "Time stands still here, so that nothing comes.", "Write \"resume\" before.")
            }
            switch step.deed {
            case .nothing: break
            case .expect(let expectation):
                if isPaused, expectation.limit > .zero {
                    refuse(
                        expectation.place,
                        "Time stands still here, so that nothing comes.",
                        "Write \"resume\" before, or \"within: 0s\" for what is so already."
                    )
                }
            case .act(.advance(let duration)): pass(duration, step.place)
            case .act(.pause): isPaused = true
            case .act(.resume): isPaused = false
            case .act: break
            case .repeat(let count, let steps):
                let before = elapsed
                let (repeated, overflow) = times.multipliedReportingOverflow(by: max(count, 0))
                let wasPaused = isPaused
                take(steps, depth: depth + 1, times: overflow ? .max : repeated)
                let once = elapsed - before
                if count > 1, isPaused != wasPaused {
                    // The second round begins otherwise than the first.
                    take(steps, depth: depth + 1, times: 0)
                }
                let limit = Scenario.longest + .seconds(1)
                // Nothing here is longer than a limit, and so no product runs over.
                elapsed = once > .zero && count > 0 ? min(before + once * min(count, 1_000_000), limit) : elapsed
                checkLength(step.place)
            }
        }

        private mutating func takeMoment(of step: ScenarioStep, depth: Int) {
            switch step.moment {
            case nil: break
            case .after(let duration):
                if isPaused, duration > .zero {
                    refuse(step.place, "Time stands still here.", "Write \"resume\" before, or \"advance\".")
                }
                pass(duration, step.place)
            case .at(let duration):
                if depth > 0 {
                    refuse(
                        step.place,
                        "\"at\" counts from the scenario's beginning, and these steps are repeated.",
                        "Write \"after\"."
                    )
                } else if duration < elapsed {
                    refuse(
                        step.place,
                        "\(ScenarioText.duration(duration)) has passed by then: the steps before take "
                            + "\(ScenarioText.duration(elapsed)) at least.",
                        "Name a later time, or put the step further up."
                    )
                } else if isPaused, duration > elapsed {
                    refuse(step.place, "Time stands still here.", "Write \"resume\" before, or \"advance\".")
                } else {
                    elapsed = duration
                    checkLength(step.place)
                }
            }
        }

        private mutating func pass(_ duration: Duration, _ place: SourceLocation?) {
            let limit = Scenario.longest + .seconds(1)
            elapsed = min(elapsed + min(max(duration, .zero), limit), limit)
            checkLength(place)
        }

        private mutating func checkLength(_ place: SourceLocation?) {
            guard elapsed > Scenario.longest, !isTooLong else { return }
            isTooLong = true
            refuse(place, "The scenario takes more than 3650 days up to here.", "Make it shorter.")
        }

        private mutating func refuse(_ place: SourceLocation?, _ reason: String, _ remedy: String) {
            let mistake = ScenarioMistake(place: place, error: SimulationError(.impossibleTime, reason, remedy))
            if known.insert(mistake).inserted { mistakes.append(mistake) }
        }
    }
}
