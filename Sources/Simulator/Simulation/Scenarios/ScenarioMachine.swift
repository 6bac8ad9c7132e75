package import AccessoryModel
package import HAPCore

/// A state machine that runs a scenario.
///
/// It takes events and instants of the simulation's clock, and returns what to do next.
///
/// ```swift
/// var machine = ScenarioMachine(plan, values: [:], startedAt: clock)
/// switch machine.nextInstruction(at: clock) { … }
/// ```
///
/// An expectation also counts events since the last step that changed something, because the effects of that step may
/// precede the expectation. A controller's action and an event notification count for one expectation only. An event
/// that must not occur counts from the beginning of its step. The first step that fails ends the scenario.
///
/// No call traps, whatever the order of the instants.
package struct ScenarioMachine: Sendable {
    private enum State {
        /// The step at this index waits for its time.
        case scheduled(Int)
        /// The step waits for its condition, or for its expectation.
        case waitingForEvent(Int, Wait, isCondition: Bool)
        /// The action of the step is being performed.
        case acting(Int)
        /// The scenario has ended.
        case finished
    }

    private struct Wait {
        var wait: ScenarioWait
        var deadline: MonotonicInstant
        var isMet: Bool
    }

    private let plan: ScenarioPlan
    private let start: MonotonicInstant
    private var state = State.scheduled(0)
    private var values: [ServerCharacteristicID: CharacteristicValue]
    private var recentEvents: RecentEvents
    private var history = EventHistory()
    private var stepStart: MonotonicInstant
    private var lastEnd: MonotonicInstant
    private var results: [StepResult] = []

    /// Creates a machine that has run no step yet.
    ///
    /// - Parameters:
    ///   - values: The current values of the characteristics that the plan observes.
    ///   - now: The current time of the simulation's clock.
    package init(
        _ plan: ScenarioPlan,
        values: [ServerCharacteristicID: CharacteristicValue],
        startedAt now: MonotonicInstant
    ) {
        self.plan = plan
        self.values = [:]
        recentEvents = RecentEvents(for: plan.waits)
        start = now
        stepStart = now
        lastEnd = now
        setValues(values)
    }

    /// The results of the steps that have ended.
    package var finishedSteps: [StepResult] { results }

    /// Records an event.
    package mutating func observe(_ event: ScenarioEvent) {
        if case .value(let place, let value) = event {
            guard plan.observedCharacteristics.contains(place) else { return }
            store(value, at: place)
        }
        recentEvents.record(event)
        history.record(event)
        if case .waitingForEvent(let index, var wait, let isCondition) = state {
            match(event, &wait)
            state = .waitingForEvent(index, wait, isCondition: isCondition)
        }
    }

    /// Records the outcome of the action that ``nextInstruction(at:lateness:)`` returned.
    ///
    /// - Parameter result: A description of what was done, or the error.
    package mutating func didPerform(_ result: Result<String, SimulationError>, at now: MonotonicInstant) {
        guard case .acting(let index) = state else { return }
        switch result {
        case .success(let words): finish(index, .passed(words), at: now)
        case .failure(let error): finish(index, .failed(error.description), at: now)
        }
    }

    /// Stores the current values of the characteristics that the plan observes.
    ///
    /// Some of these values may have changed without an event.
    package mutating func setValues(_ present: [ServerCharacteristicID: CharacteristicValue]) {
        for place in plan.observedCharacteristics {
            store(present[place], at: place)
        }
    }

    /// Returns what to do at this time of the simulation's clock.
    ///
    /// - Parameter lateness: The delay with which a step may still begin; after a longer delay, its time was missed.
    package mutating func nextInstruction(at now: MonotonicInstant, lateness: Duration = .zero) -> ScenarioInstruction {
        while true {
            switch state {
            case .scheduled(let index):
                guard plan.steps.indices.contains(index) else {
                    state = .finished
                    continue
                }
                let step = plan.steps[index]
                let due = dueTime(of: step)
                guard due <= now else { return .wait(until: due, isExternal: false) }
                stepStart = max(due, lastEnd)
                guard due.advanced(by: lateness) >= lastEnd else {
                    finish(index, .failed(missedTimeMessage(step)), at: now)
                    continue
                }
                guard let condition = step.condition else {
                    begin(index, at: now)
                    continue
                }
                state = .waitingForEvent(index, makeWait(condition, at: now), isCondition: true)
            case .waitingForEvent(let index, let wait, let isCondition):
                if wait.isMet, isCondition {
                    begin(index, at: now)
                } else if wait.isMet || wait.deadline <= now {
                    let isPassed = wait.isMet != wait.wait.isForbidden
                    finish(index, isPassed ? .passed("") : .failed(failure(of: wait)), at: now)
                } else {
                    return .wait(until: wait.deadline, isExternal: wait.wait.isExternal)
                }
            case .acting(let index):
                guard case .perform(let action) = plan.steps[index].action else {
                    finish(index, .passed(""), at: now)
                    continue
                }
                if action.changesState {
                    recentEvents.removeAll()
                    history = EventHistory()
                }
                return .perform(action)
            case .finished:
                return .finish(result)
            }
        }
    }

    /// Ends the scenario early: the current step fails, and the following steps are skipped.
    package mutating func stop(because reason: String, at now: MonotonicInstant) {
        finishStep(.failed(reason), at: now)
    }

    /// Ends the scenario because the run was interrupted.
    ///
    /// The current step is interrupted, and the following steps are skipped.
    package mutating func interrupt(at now: MonotonicInstant) {
        finishStep(.interrupted, at: now)
    }

    /// The result so far; steps that have not run are skipped.
    package var result: ScenarioResult {
        let rest = plan.steps.dropFirst(results.count)
            .map { step in
                let time = start.duration(to: lastEnd)
                return StepResult(title: step.title, location: step.location, start: time, end: time, outcome: .skipped)
            }
        return ScenarioResult(name: plan.name, steps: results + rest)
    }

    // MARK: -

    private func dueTime(of step: PlannedStep) -> MonotonicInstant {
        switch step.timing {
        case nil: lastEnd
        case .at(let duration): start.advanced(by: duration)
        case .after(let duration): lastEnd.advanced(by: duration)
        }
    }

    /// Performs the action of a step after its time and its condition.
    private mutating func begin(_ index: Int, at now: MonotonicInstant) {
        switch plan.steps[index].action {
        case .nothing: finish(index, .passed(""), at: now)
        case .perform: state = .acting(index)
        case .expect(let expected): state = .waitingForEvent(index, makeWait(expected, at: now), isCondition: false)
        }
    }

    private mutating func makeWait(_ wait: ScenarioWait, at now: MonotonicInstant) -> Wait {
        var isMet = !wait.isForbidden && recentEvents.consume(wait)
        if case .value(let place, let test) = wait.event {
            isMet = isMet || test.holds(values[place])
        }
        return Wait(wait: wait, deadline: now.advanced(by: wait.limit), isMet: isMet)
    }

    private mutating func match(_ event: ScenarioEvent, _ wait: inout Wait) {
        guard !wait.isMet, wait.wait.isMet(by: event) else { return }
        wait.isMet = true
        _ = recentEvents.consume(wait.wait)
    }

    /// Stores the value of a characteristic.
    ///
    /// A button has no value to read after its press was reported.
    private mutating func store(_ value: CharacteristicValue?, at place: ServerCharacteristicID) {
        values[place] = plan.buttons.contains(place) ? nil : value
    }

    private mutating func finishStep(_ outcome: StepResult.Outcome, at now: MonotonicInstant) {
        switch state {
        case .scheduled(let index), .waitingForEvent(let index, _, _), .acting(let index):
            if plan.steps.indices.contains(index) {
                finish(index, outcome, at: now)
            }
        case .finished: break
        }
    }

    private func missedTimeMessage(_ step: PlannedStep) -> String {
        guard case .at(let duration) = step.timing else { return "" }
        return "\"at: \(ScenarioText.duration(duration))\" was missed: it is already "
            + "\(ScenarioText.duration(start.duration(to: lastEnd))). Name a later time, or write \"after\"."
    }

    private mutating func finish(_ index: Int, _ outcome: StepResult.Outcome, at now: MonotonicInstant) {
        lastEnd = max(lastEnd, now)
        let step = plan.steps[index]
        results.append(
            StepResult(
                title: step.title,
                location: step.location,
                start: start.duration(to: min(stepStart, lastEnd)),
                end: start.duration(to: lastEnd),
                outcome: outcome
            )
        )
        switch outcome {
        case .failed, .interrupted: state = .finished
        case .passed, .skipped: state = .scheduled(index + 1)
        }
    }

    private func failure(of wait: Wait) -> String {
        wait.wait.failure(values: values, eventHistory: history, plan.names)
    }
}

/// The next thing that the runner of a scenario must do.
package enum ScenarioInstruction: Sendable, Hashable {
    /// Perform this action, and report the outcome with ``ScenarioMachine/didPerform(_:at:)``.
    case perform(ResolvedAction)
    /// Wait for an event, or for this time of the simulation's clock.
    ///
    /// If `isExternal` is `true`, the scenario waits for a controller, and simulated time must not pass faster than
    /// real time.
    case wait(until: MonotonicInstant, isExternal: Bool)
    /// The scenario has ended.
    case finish(ScenarioResult)
}
