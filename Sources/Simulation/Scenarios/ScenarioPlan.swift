internal import AccessoryModel
package import Documents

/// A scenario whose names are found and whose repetitions are written out: what a ``ScenarioMachine`` does.
package struct ScenarioPlan: Sendable {
    /// What people call the scenario.
    package let name: String
    /// How what it runs on is called.
    package let names: SimulationNames
    /// What happens, one after the other.
    package let steps: [PlannedStep]
    /// Everything that is waited for, each once.
    let waits: [ScenarioWait]
    /// The characteristics whose values it looks at.
    package let observedCharacteristics: Set<ServerCharacteristicID>
    /// Whether it waits for what controllers do, and so tells of it.
    let observesControllers: Bool
    /// Those of the characteristics of which nothing stays to be read.
    let buttons: Set<ServerCharacteristicID>

    /// Finds everything that the scenario names.
    ///
    /// - Parameter check: What else may be wrong with an action, such as a user that nobody knows.
    /// - Returns: The plan, or what is wrong: ``ScenarioError/maximumReported`` errors at most, in the file's order.
    package static func make(
        of scenario: Scenario,
        with names: SimulationNames,
        check: (SimulationAction) throws(SimulationError) -> Void = { _ throws(SimulationError) in }
    ) -> (plan: ScenarioPlan, mistakes: [ScenarioError]) {
        var planner = ScenarioPlanner(names: names, errors: ScenarioValidator.errors(in: scenario))
        let steps = planner.resolve(scenario.steps, check)
        // What is repeated too often is not written out.
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
        buttons = observedCharacteristics.filter { names.characteristic(at: $0)?.isButton ?? false }
    }

    /// Whether somebody who waits for what it names is told of a fact.
    package func observes(_ event: ScenarioEvent) -> Bool {
        switch event {
        case .value(let place, _): observedCharacteristics.contains(place)
        case .controller, .notification: observesControllers
        case .fault: false
        }
    }
}

/// A step of a scenario that can be done as it stands.
package struct PlannedStep: Sendable, Hashable {
    /// What it does at its moment.
    package enum Action: Sendable, Hashable {
        /// Nothing more than to wait.
        case nothing
        /// Something to the simulation.
        case perform(SimulationAction)
        /// To expect something.
        case expect(ScenarioWait)
    }

    /// What it is called in reports.
    package var title: String
    /// Where it stands in its file.
    package var location: SourceLocation?
    /// When it begins; `nil` for at once.
    package var timing: ScenarioStep.Timing?
    /// What it waits for then.
    package var condition: ScenarioWait?
    /// What it does.
    package var action: Action
}

/// Finds what the steps of a scenario name, once each, and then writes them out as often as they happen.
struct ScenarioPlanner {
    /// A step whose names are found.
    struct ResolvedStep {
        /// What it does.
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

    /// What is wrong, in the order of the file.
    var sortedErrors: [ScenarioError] {
        Array(errors.sorted { $0.sortKey < $1.sortKey }.prefix(ScenarioError.maximumReported))
    }

    /// Looks at each step once; what is wrong is among the mistakes, and left out.
    mutating func resolve(
        _ steps: [ScenarioStep],
        _ further: (SimulationAction) throws(SimulationError) -> Void
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
        _ further: (SimulationAction) throws(SimulationError) -> Void
    ) -> ResolvedStep.Action? {
        switch step.action {
        case .nothing: return .once(.nothing)
        case .expect(let expectation): return resolve(expectation).map { .once(.expect($0)) }
        case .repeat(let count, let inner): return .repeated(count, resolve(inner, further))
        case .perform(let action):
            do throws(SimulationError) {
                try names.check(action, suggestions)
                try further(action)
                return .once(.perform(action))
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

    /// Writes the steps out, those that are repeated each time.
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
        case .expect(let expectation): return "expect \(ScenarioText.text(of: expectation.event))"
        case .nothing, .repeat:
            return step.condition.map { "when \(ScenarioText.text(of: $0.event))" } ?? "wait"
        }
    }
}
