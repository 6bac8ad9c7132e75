internal import AccessoryModel
package import Documents

/// A scenario with resolved names and expanded repetitions, which a ``ScenarioMachine`` runs.
package struct ScenarioPlan: Sendable {
    /// The name of the scenario.
    package let name: String
    /// The names of the servers that the scenario runs on.
    package let names: SimulationNames
    /// The steps, in order.
    package let steps: [PlannedStep]
    /// The expectations and conditions, without duplicates.
    let waits: [ScenarioWait]
    /// The characteristics whose values the scenario observes.
    package let observedCharacteristics: Set<ServerCharacteristicID>
    /// Whether the scenario waits for controllers or drivers, and so needs their events.
    let observesControllers: Bool
    /// The observed characteristics that have no value to read, only presses.
    let buttons: Set<ServerCharacteristicID>

    /// Resolves every name of the scenario.
    ///
    /// - Parameter check: Checks an action for further errors, such as an unknown user.
    /// - Returns: The plan and its errors in the order of the file, at most ``ScenarioError/maximumReported``.
    package static func make(
        of scenario: Scenario,
        with names: SimulationNames,
        check: (WrittenAction) throws(SimulationError) -> Void = { _ throws(SimulationError) in }
    ) -> (plan: ScenarioPlan, mistakes: [ScenarioError]) {
        var planner = ScenarioPlanner(names: names, errors: ScenarioValidator.errors(in: scenario))
        let steps = planner.resolve(scenario.steps, check)
        // A scenario with too many repetitions has an error, and must not be expanded.
        if planner.errors.isEmpty { planner.expand(steps, suffix: "") }
        return (ScenarioPlan(scenario.name, names, planner.steps, planner.waits), planner.sortedErrors)
    }

    private init(_ name: String, _ names: SimulationNames, _ steps: [PlannedStep], _ waits: Set<ScenarioWait>) {
        self.name = name
        self.names = names
        self.steps = steps
        self.waits = Array(waits)
        observedCharacteristics = Set(waits.compactMap(\.characteristic))
        observesControllers = waits.contains(where: \.isExternal)
        buttons = observedCharacteristics.filter { names.characteristic(at: $0)?.type.isButton ?? false }
    }

    /// Returns whether a wait of the scenario may be affected by an event.
    package func observes(_ event: ScenarioEvent) -> Bool {
        switch event {
        case .value(let place, _): observedCharacteristics.contains(place)
        case .controller, .notification, .driver: observesControllers
        case .fault: false
        }
    }
}

/// A step of a scenario with resolved names.
package struct PlannedStep: Sendable, Hashable {
    /// The action of a step.
    package enum Action: Sendable, Hashable {
        /// Does nothing: the step only waits.
        case nothing
        /// Performs an action on the simulation.
        case perform(ResolvedAction)
        /// Waits for an event that must occur, or must not.
        case expect(ScenarioWait)
    }

    /// The name of the step in reports.
    package var title: String
    /// The position of the step in its file.
    package var location: SourceLocation?
    /// The time at which the step begins; `nil` for immediately.
    package var timing: ScenarioStep.Timing?
    /// The condition that the step waits for after its time has come.
    package var condition: ScenarioWait?
    /// The action of the step.
    package var action: Action
}

/// A builder that resolves the names of each step once, and then expands the repetitions.
struct ScenarioPlanner {
    /// A step with resolved names.
    struct ResolvedStep {
        /// The action of the step.
        enum Action {
            case once(PlannedStep.Action)
            case repeated(Int, [ResolvedStep])
        }

        var step: ScenarioStep
        var condition: ScenarioWait?
        var action: Action
    }

    let names: SimulationNames
    private let suggestions: NameSuggestions
    private(set) var errors: [ScenarioError]
    private(set) var steps: [PlannedStep] = []
    private(set) var waits: Set<ScenarioWait> = []

    init(names: SimulationNames, errors: [ScenarioError]) {
        self.names = names
        suggestions = NameSuggestions(of: names.index)
        self.errors = errors
    }

    /// The errors, in the order of the file.
    var sortedErrors: [ScenarioError] {
        Array(errors.sorted { $0.sortKey < $1.sortKey }.prefix(ScenarioError.maximumReported))
    }

    /// Resolves the names of each step once; steps with errors are recorded in ``errors`` and left out.
    mutating func resolve(
        _ steps: [ScenarioStep],
        _ further: (WrittenAction) throws(SimulationError) -> Void
    ) -> [ResolvedStep] {
        var resolved: [ResolvedStep] = []
        for step in steps where errors.count < ScenarioError.maximumReported {
            let condition = step.condition.flatMap { resolve($0) }
            guard let deed = resolve(step, further) else { continue }
            resolved.append(ResolvedStep(step: step, condition: condition, action: deed))
        }
        return resolved
    }

    private mutating func resolve(
        _ step: ScenarioStep,
        _ further: (WrittenAction) throws(SimulationError) -> Void
    ) -> ResolvedStep.Action? {
        switch step.action {
        case .nothing: return .once(.nothing)
        case .expect(let expectation): return resolve(expectation).map { .once(.expect($0)) }
        case .repeat(let count, let inner): return .repeated(count, resolve(inner, further))
        case .perform(let action):
            do throws(SimulationError) {
                let resolved = try names.resolve(action, suggestions)
                try further(action)
                return .once(.perform(resolved))
            } catch {
                errors.append(ScenarioError(location: step.location, error: error))
                return nil
            }
        }
    }

    private mutating func resolve(_ expectation: ScenarioExpectation) -> ScenarioWait? {
        do throws(SimulationError) {
            let wait = try names.makeWait(for: expectation, suggestions)
            waits.insert(wait)
            return wait
        } catch {
            errors.append(ScenarioError(location: expectation.location, error: error))
            return nil
        }
    }

    /// Appends the planned steps, with a copy of the repeated ones for each repetition.
    mutating func expand(_ resolved: [ResolvedStep], suffix: String) {
        for entry in resolved {
            switch entry.action {
            case .once(let deed): add(entry, Self.title(of: entry.step) + suffix, deed)
            case .repeated(let count, let inner):
                if entry.step.timing != nil || entry.condition != nil {
                    add(entry, (entry.step.name ?? "repeat \(count) times") + suffix, .nothing)
                }
                let name = entry.step.name.map { "\($0) " } ?? ""
                for round in stride(from: 1, through: count, by: 1) {
                    expand(inner, suffix: suffix + " (\(name)\(round) of \(count))")
                }
            }
        }
    }

    private mutating func add(_ entry: ResolvedStep, _ title: String, _ deed: PlannedStep.Action) {
        steps.append(
            PlannedStep(
                title: title,
                location: entry.step.location,
                timing: entry.step.timing,
                condition: entry.condition,
                action: deed
            )
        )
    }

    private static func title(of step: ScenarioStep) -> String {
        if let name = step.name { return name }
        switch step.action {
        case .perform(let action): return ScenarioText.text(of: action)
        case .expect(let expectation): return "expect \(ScenarioText.text(of: expectation))"
        case .nothing, .repeat:
            return step.condition.map { "when \(ScenarioText.text(of: $0))" } ?? "wait"
        }
    }
}
