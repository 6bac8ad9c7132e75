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
    package let places: Set<SimulationPlace>
    /// Whether it waits for what controllers do, and so tells of it.
    let hearsControllers: Bool
    /// Those of the characteristics of which nothing stays to be read.
    let buttons: Set<SimulationPlace>

    /// Finds everything that the scenario names.
    ///
    /// - Parameter check: What else may be wrong with an action, such as a user that nobody knows.
    /// - Returns: The plan, or what is wrong: ``ScenarioMistake/told`` mistakes at most, in the file's order.
    package static func make(
        of scenario: Scenario,
        with names: SimulationNames,
        check: (SimulationAction) throws(SimulationError) -> Void = { _ throws(SimulationError) in }
    ) -> (plan: ScenarioPlan, mistakes: [ScenarioMistake]) {
        var planner = ScenarioPlanner(names: names, mistakes: ScenarioRules.mistakes(in: scenario))
        let steps = planner.resolve(scenario.steps, check)
        // What is repeated too often is not written out.
        if planner.mistakes.isEmpty { planner.write(steps, suffix: "") }
        return (ScenarioPlan(scenario.name, names, planner.steps, planner.waits), planner.ordered)
    }

    private init(_ name: String, _ names: SimulationNames, _ steps: [PlannedStep], _ waits: Set<ScenarioWait>) {
        self.name = name
        self.names = names
        self.steps = steps
        self.waits = Array(waits)
        places = Set(waits.compactMap(\.place))
        hearsControllers = waits.contains(where: \.isForOthers)
        buttons = places.filter { names.characteristic(at: $0)?.isButton ?? false }
    }

    /// Whether somebody who waits for what it names is told of a fact.
    package func hears(_ fact: ScenarioFact) -> Bool {
        switch fact {
        case .value(let place, _): places.contains(place)
        case .controller, .event: hearsControllers
        case .fault: false
        }
    }
}

/// A step of a scenario that can be done as it stands.
package struct PlannedStep: Sendable, Hashable {
    /// What it does at its moment.
    package enum Deed: Sendable, Hashable {
        /// Nothing more than to wait.
        case nothing
        /// Something to the simulation.
        case act(SimulationAction)
        /// To expect something.
        case expect(ScenarioWait)
    }

    /// What it is called in reports.
    package var title: String
    /// Where it stands in its file.
    package var place: SourceLocation?
    /// When it begins; `nil` for at once.
    package var moment: ScenarioStep.Moment?
    /// What it waits for then.
    package var condition: ScenarioWait?
    /// What it does.
    package var deed: Deed
}

/// Finds what the steps of a scenario name, once each, and then writes them out as often as they happen.
struct ScenarioPlanner {
    /// A step whose names are found.
    struct ResolvedStep {
        /// What it does.
        enum Deed {
            case once(PlannedStep.Deed)
            case repeated(Int, [ResolvedStep])
        }

        var step: ScenarioStep
        var condition: ScenarioWait?
        var deed: Deed
    }

    let names: SimulationNames
    private let suggestions: NameSuggestions
    private(set) var mistakes: [ScenarioMistake]
    private(set) var steps: [PlannedStep] = []
    private(set) var waits: Set<ScenarioWait> = []

    init(names: SimulationNames, mistakes: [ScenarioMistake]) {
        self.names = names
        suggestions = NameSuggestions(of: names.index)
        self.mistakes = mistakes
    }

    /// What is wrong, in the order of the file.
    var ordered: [ScenarioMistake] {
        Array(mistakes.sorted { $0.order < $1.order }.prefix(ScenarioMistake.told))
    }

    /// Looks at each step once; what is wrong is among the mistakes, and left out.
    mutating func resolve(
        _ steps: [ScenarioStep],
        _ further: (SimulationAction) throws(SimulationError) -> Void
    ) -> [ResolvedStep] {
        var resolved: [ResolvedStep] = []
        for step in steps where mistakes.count < ScenarioMistake.told {
            let condition = step.condition.flatMap { resolve($0) }
            guard let deed = resolve(step, further) else { continue }
            resolved.append(ResolvedStep(step: step, condition: condition, deed: deed))
        }
        return resolved
    }

    private mutating func resolve(
        _ step: ScenarioStep,
        _ further: (SimulationAction) throws(SimulationError) -> Void
    ) -> ResolvedStep.Deed? {
        switch step.deed {
        case .nothing: return .once(.nothing)
        case .expect(let expectation): return resolve(expectation).map { .once(.expect($0)) }
        case .repeat(let count, let inner): return .repeated(count, resolve(inner, further))
        case .act(let action):
            do throws(SimulationError) {
                try names.check(action, suggestions)
                try further(action)
                return .once(.act(action))
            } catch {
                mistakes.append(ScenarioMistake(place: step.place, error: error))
                return nil
            }
        }
    }

    private mutating func resolve(_ expectation: ScenarioExpectation) -> ScenarioWait? {
        do throws(SimulationError) {
            let wait = try names.wait(for: expectation, suggestions)
            waits.insert(wait)
            return wait
        } catch {
            mistakes.append(ScenarioMistake(place: expectation.place, error: error))
            return nil
        }
    }

    /// Writes the steps out, those that are repeated each time.
    mutating func write(_ resolved: [ResolvedStep], suffix: String) {
        for entry in resolved {
            switch entry.deed {
            case .once(let deed): add(entry, Self.title(of: entry.step) + suffix, deed)
            case .repeated(let count, let inner):
                if entry.step.moment != nil || entry.condition != nil {
                    add(entry, (entry.step.name ?? "repeat \(count) times") + suffix, .nothing)
                }
                let name = entry.step.name.map { "\($0) " } ?? ""
                for round in stride(from: 1, through: count, by: 1) {
                    write(inner, suffix: suffix + " (\(name)\(round) of \(count))")
                }
            }
        }
    }

    private mutating func add(_ entry: ResolvedStep, _ title: String, _ deed: PlannedStep.Deed) {
        steps.append(
            PlannedStep(
                title: title,
                place: entry.step.place,
                moment: entry.step.moment,
                condition: entry.condition,
                deed: deed
            )
        )
    }

    private static func title(of step: ScenarioStep) -> String {
        if let name = step.name { return name }
        switch step.deed {
        case .act(let action): return ScenarioText.text(of: action)
        case .expect(let expectation): return "expect \(ScenarioText.text(of: expectation.event))"
        case .nothing, .repeat:
            return step.condition.map { "when \(ScenarioText.text(of: $0.event))" } ?? "wait"
        }
    }
}
