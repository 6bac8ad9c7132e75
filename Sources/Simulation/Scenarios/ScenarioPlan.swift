internal import AccessoryModel

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
