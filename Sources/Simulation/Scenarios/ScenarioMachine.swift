package import AccessoryModel
package import HAPCore

/// Goes through a scenario: takes facts and moments of the simulation's clock, and answers with what to do next.
///
/// ```swift
/// var machine = ScenarioMachine(plan, values: [:], startedAt: clock)
/// switch machine.next(at: clock) { … }
/// ```
///
/// A step that expects something counts what has happened since the last step that changed something: what that brought
/// about may have come before the expectation. What a controller did or was told counts for one expectation alone. The
/// first step that fails ends the scenario.
///
/// No call traps, whatever the order of the instants.
package struct ScenarioMachine: Sendable {
    private enum State {
        /// The step at this place waits for its moment.
        case waiting(Int)
        /// It waits for its condition, or for what it expects.
        case awaiting(Int, Wait, isCondition: Bool)
        /// What it does is being done.
        case acting(Int)
        /// There is nothing more to do.
        case finished
    }

    private struct Wait {
        var wait: ScenarioWait
        var deadline: MonotonicInstant
        var isMet: Bool
    }

    private let plan: ScenarioPlan
    private let start: MonotonicInstant
    private var state = State.waiting(0)
    private var values: [SimulationPlace: CharacteristicValue]
    private var recent: RecentFacts
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
        self.values = [:]
        recent = RecentFacts(for: plan.waits)
        start = now
        stepStart = now
        lastEnd = now
        found(values)
    }

    /// How many steps have ended.
    package var endedSteps: [StepResult] { results }

    /// Takes what has happened.
    package mutating func observed(_ fact: ScenarioFact) {
        if case .value(let place, let value) = fact {
            guard plan.places.contains(place) else { return }
            keep(value, at: place)
        }
        recent.note(fact)
        seen.note(fact)
        if case .awaiting(let index, var wait, let isCondition) = state {
            take(fact, &wait)
            state = .awaiting(index, wait, isCondition: isCondition)
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

    /// Takes the present values of what the plan looks at, of which facts may have told nothing.
    package mutating func found(_ present: [SimulationPlace: CharacteristicValue]) {
        for place in plan.places {
            keep(present[place], at: place)
        }
    }

    /// What is to be done at this moment of the simulation's clock.
    ///
    /// - Parameter lateness: How much later than it was asked for a clock that runs may be looked at.
    package mutating func next(at now: MonotonicInstant, lateness: Duration = .zero) -> ScenarioInstruction {
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
                guard due.advanced(by: lateness) >= lastEnd else {
                    end(index, .failed(missed(step)), at: now)
                    continue
                }
                guard let condition = step.condition else {
                    begin(index, at: now)
                    continue
                }
                state = .awaiting(index, wait(condition, at: now), isCondition: true)
            case .awaiting(let index, let wait, let isCondition):
                if wait.isMet, isCondition {
                    begin(index, at: now)
                } else if wait.isMet {
                    end(index, .passed(""), at: now)
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
                if action.changesSomething {
                    recent.forget()
                    seen = SeenFacts()
                }
                return .perform(action)
            case .finished:
                return .finish(result)
            }
        }
    }

    /// Ends the scenario early: what was being done has failed, and what comes after is not done.
    package mutating func stop(because reason: String, at now: MonotonicInstant) {
        endStep(.failed(reason), at: now)
    }

    /// Ends the scenario since somebody ends the run: what was being done is interrupted, and what comes after is not done.
    package mutating func interrupt(at now: MonotonicInstant) {
        endStep(.interrupted, at: now)
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
        case .expect(let expected): state = .awaiting(index, wait(expected, at: now), isCondition: false)
        }
    }

    private mutating func wait(_ wait: ScenarioWait, at now: MonotonicInstant) -> Wait {
        var isMet = recent.take(wait)
        if case .value(let place, let test) = wait.event {
            isMet = isMet || test.holds(values[place])
        }
        return Wait(wait: wait, deadline: now.advanced(by: wait.limit), isMet: isMet)
    }

    private mutating func take(_ fact: ScenarioFact, _ wait: inout Wait) {
        guard !wait.isMet, wait.wait.isMet(by: fact) else { return }
        wait.isMet = true
        _ = recent.take(wait.wait)
    }

    /// A press is over when it has been told: whoever reads the button finds nothing.
    private mutating func keep(_ value: CharacteristicValue?, at place: SimulationPlace) {
        values[place] = plan.buttons.contains(place) ? nil : value
    }

    private mutating func endStep(_ outcome: StepResult.Outcome, at now: MonotonicInstant) {
        switch state {
        case .waiting(let index), .awaiting(let index, _, _), .acting(let index):
            if plan.steps.indices.contains(index) {
                end(index, outcome, at: now)
            }
        case .finished: break
        }
    }

    private func missed(_ step: PlannedStep) -> String {
        guard case .at(let duration) = step.moment else { return "" }
        return "\"at: \(ScenarioText.duration(duration))\" had passed: it is "
            + "\(ScenarioText.duration(start.duration(to: lastEnd))). Name a later time, or write \"after\"."
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
        switch outcome {
        case .failed, .interrupted: state = .finished
        case .passed, .skipped: state = .waiting(index + 1)
        }
    }

    private func failure(of wait: Wait) -> String {
        wait.wait.failure(values: values, seen: seen, plan.names)
    }
}

/// What whoever runs a scenario has to do next.
package enum ScenarioInstruction: Sendable, Hashable {
    /// Do this, and tell what came of it by ``ScenarioMachine/performed(_:at:)``.
    case perform(SimulationAction)
    /// Wait for a fact, or for this moment of the simulation's clock.
    ///
    /// `forOthers`: somebody outside is waited for, in whose world time passes no faster.
    case wait(until: MonotonicInstant, forOthers: Bool)
    /// It is over.
    case finish(ScenarioResult)
}
