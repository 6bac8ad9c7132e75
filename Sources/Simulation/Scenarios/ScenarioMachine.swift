package import AccessoryModel
package import HAPCore

/// Goes through a scenario: takes facts and moments of the simulation's clock, and answers with what to do next.
///
/// ```swift
/// var machine = ScenarioMachine(plan, values: [:], startedAt: clock)
/// switch machine.next(at: clock) { … }
/// ```
///
/// A step that expects something counts what has happened since the last step that did something: what that brought about
/// may have come before the expectation. The first step that fails ends the scenario.
///
/// No call traps, whatever the order of the instants.
package struct ScenarioMachine: Sendable {
    private enum State {
        /// The step at this place waits for its moment.
        case waiting(Int)
        /// It waits for its condition.
        case conditional(Int, Wait)
        /// What it does is being done.
        case acting(Int)
        /// It waits for what it expects.
        case expecting(Int, Wait)
        /// There is nothing more to do.
        case finished
    }

    private struct Wait {
        var wait: ScenarioWait
        var start: MonotonicInstant
        var deadline: MonotonicInstant
        var isMet: Bool
    }

    /// How many different facts are remembered from the last step that did something.
    private static let remembered = 10_000

    private let plan: ScenarioPlan
    private let watched: Set<SimulationPlace>
    private let start: MonotonicInstant
    private var state = State.waiting(0)
    private var values: [SimulationPlace: CharacteristicValue]
    private var recent: Set<ScenarioFact> = []
    private var seen = SeenFacts()
    private var stepStart: MonotonicInstant
    private var lastEnd: MonotonicInstant
    private var results: [StepResult] = []

    /// Creates a machine before its first step.
    ///
    /// - Parameters:
    ///   - values: The present values of what the plan looks at.
    ///   - now: What the simulation's clock shows.
    package init(
        _ plan: ScenarioPlan,
        values: [SimulationPlace: CharacteristicValue],
        startedAt now: MonotonicInstant
    ) {
        self.plan = plan
        self.values = values
        watched = plan.places
        start = now
        stepStart = now
        lastEnd = now
    }

    /// How many steps have ended.
    package var endedSteps: [StepResult] { results }

    /// Takes what has happened.
    package mutating func observed(_ fact: ScenarioFact) {
        if case .value(let place, let value) = fact {
            guard watched.contains(place) else { return }
            values[place] = value
        }
        if recent.count < Self.remembered { recent.insert(fact) }
        seen.note(fact)
        switch state {
        case .conditional(let index, var wait):
            wait.isMet = wait.isMet || wait.wait.isMet(by: fact)
            state = .conditional(index, wait)
        case .expecting(let index, var wait):
            wait.isMet = wait.isMet || wait.wait.isMet(by: fact)
            state = .expecting(index, wait)
        case .waiting, .acting, .finished: break
        }
    }

    /// Takes what came of the action that was to be performed.
    ///
    /// - Parameter result: What was done in words, or why it was not.
    package mutating func performed(_ result: Result<String, SimulationError>, at now: MonotonicInstant) {
        guard case .acting(let index) = state else { return }
        switch result {
        case .success(let words): end(index, .passed(words), at: now)
        case .failure(let error): end(index, .failed(error.description), at: now)
        }
    }

    /// What is to be done at this moment of the simulation's clock.
    package mutating func next(at now: MonotonicInstant) -> ScenarioInstruction {
        while true {
            switch state {
            case .waiting(let index):
                guard plan.steps.indices.contains(index) else {
                    state = .finished
                    continue
                }
                let step = plan.steps[index]
                let due = due(step)
                guard due <= now else { return .wait(until: due, forOthers: false) }
                stepStart = max(due, lastEnd)
                guard let condition = step.condition else {
                    begin(index, at: now)
                    continue
                }
                state = .conditional(index, wait(condition, at: now))
            case .conditional(let index, let wait):
                if wait.isMet {
                    begin(index, at: now)
                } else if wait.deadline <= now {
                    end(index, .failed(failure(of: wait)), at: now)
                } else {
                    return .wait(until: wait.deadline, forOthers: wait.wait.isForOthers)
                }
            case .acting(let index):
                guard case .act(let action) = plan.steps[index].deed else {
                    end(index, .passed(""), at: now)
                    continue
                }
                recent = []
                seen = SeenFacts()
                return .perform(action)
            case .expecting(let index, let wait):
                if wait.isMet {
                    end(index, .passed(""), at: now)
                } else if wait.deadline <= now {
                    end(index, .failed(failure(of: wait)), at: now)
                } else {
                    return .wait(until: wait.deadline, forOthers: wait.wait.isForOthers)
                }
            case .finished:
                return .finish(result)
            }
        }
    }

    /// Ends the scenario early: what was being done has failed, and what comes after is not done.
    package mutating func stop(because reason: String, at now: MonotonicInstant) {
        switch state {
        case .waiting(let index), .conditional(let index, _), .acting(let index), .expecting(let index, _):
            if plan.steps.indices.contains(index) {
                end(index, .failed(reason), at: now)
            }
        case .finished: break
        }
    }

    /// What became of it so far; steps that were not done are skipped.
    package var result: ScenarioResult {
        let rest = plan.steps.dropFirst(results.count)
            .map { step in
                let time = start.duration(to: lastEnd)
                return StepResult(title: step.title, place: step.place, start: time, end: time, outcome: .skipped)
            }
        return ScenarioResult(name: plan.name, steps: results + rest)
    }

    // MARK: -

    private func due(_ step: PlannedStep) -> MonotonicInstant {
        switch step.moment {
        case nil: lastEnd
        case .at(let duration): start.advanced(by: duration)
        case .after(let duration): lastEnd.advanced(by: duration)
        }
    }

    /// Does what a step does, its moment and its condition having come.
    private mutating func begin(_ index: Int, at now: MonotonicInstant) {
        switch plan.steps[index].deed {
        case .nothing: end(index, .passed(""), at: now)
        case .act: state = .acting(index)
        case .expect(let expected): state = .expecting(index, wait(expected, at: now))
        }
    }

    private func wait(_ wait: ScenarioWait, at now: MonotonicInstant) -> Wait {
        var isMet = recent.contains { wait.isMet(by: $0) }
        if case .value(let place, let test) = wait.event {
            isMet = isMet || test.holds(values[place])
        }
        return Wait(wait: wait, start: now, deadline: now.advanced(by: wait.limit), isMet: isMet)
    }

    private mutating func end(_ index: Int, _ outcome: StepResult.Outcome, at now: MonotonicInstant) {
        lastEnd = max(lastEnd, now)
        let step = plan.steps[index]
        results.append(
            StepResult(
                title: step.title,
                place: step.place,
                start: start.duration(to: min(stepStart, lastEnd)),
                end: start.duration(to: lastEnd),
                outcome: outcome
            )
        )
        if case .failed = outcome {
            state = .finished
        } else {
            state = .waiting(index + 1)
        }
    }

    /// What was expected, and what was seen instead.
    private func failure(of wait: Wait) -> String {
        let limit = ScenarioText.duration(wait.wait.limit)
        let names = plan.names
        switch wait.wait.event {
        case .value(let place, _):
            let words = names.characteristic(at: place)?.words
            let name = names.text(of: .characteristic(place))
            let present = words?.text(of: values[place]) ?? "–"
            let history = seen.values(of: place).map { words?.text(of: $0) ?? "–" }
            let course = history.count > 1 ? "; it was \(history.joined(separator: ", then "))" : ""
            return "\(wait.wait.text), was expected within \(limit). Seen instead: \(name) is \(present)\(course)."
        case .controller, .event:
            return "\(wait.wait.text), was expected within \(limit). Seen instead: \(seen.text(names))."
        }
    }
}
