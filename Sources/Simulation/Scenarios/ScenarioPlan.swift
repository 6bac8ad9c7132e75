internal import AccessoryModel

/// A scenario whose names are found and whose repetitions are written out: what a ``ScenarioMachine`` does.
package struct ScenarioPlan: Sendable {
    /// What people call the scenario.
    package let name: String
    /// How what it runs on is called.
    package let names: SimulationNames
    /// What happens, one after the other.
    package let steps: [PlannedStep]

    /// Finds everything that the scenario names.
    ///
    /// - Returns: The plan, or everything that is wrong.
    package static func make(
        of scenario: Scenario,
        with names: SimulationNames
    ) -> (plan: ScenarioPlan, faults: [ScenarioFault]) {
        var planner = Planner(names: names, faults: ScenarioRules.faults(in: scenario))
        guard planner.faults.isEmpty else {
            // What is repeated too often is not written out.
            planner.check(scenario.steps)
            return (ScenarioPlan(name: scenario.name, names: names, steps: []), planner.ordered)
        }
        planner.check(scenario.steps)
        guard planner.faults.isEmpty else {
            return (ScenarioPlan(name: scenario.name, names: names, steps: []), planner.ordered)
        }
        planner.write(scenario.steps, suffix: "")
        return (ScenarioPlan(name: scenario.name, names: names, steps: planner.steps), planner.faults)
    }

    /// The characteristics whose values it looks at.
    package var places: Set<SimulationPlace> {
        steps.reduce(into: []) { places, step in
            if let condition = step.condition { places.formUnion(condition.places) }
            if case .expect(let wait) = step.deed { places.formUnion(wait.places) }
        }
    }

    private struct Planner {
        let names: SimulationNames
        var faults: [ScenarioFault]
        var steps: [PlannedStep] = []

        var ordered: [ScenarioFault] {
            faults.enumerated()
                .sorted {
                    ($0.element.place.line, $0.element.place.column, $0.offset)
                        < ($1.element.place.line, $1.element.place.column, $1.offset)
                }
                .map(\.element)
        }

        /// Looks at each step once.
        mutating func check(_ steps: [ScenarioStep]) {
            for step in steps {
                if let condition = step.condition { check(condition) }
                switch step.deed {
                case .nothing: break
                case .expect(let expectation): check(expectation)
                case .repeat(_, let steps): check(steps)
                case .act(let action):
                    do throws(SimulationError) {
                        try names.check(action)
                    } catch {
                        faults.append(ScenarioFault(place: step.place, error: error))
                    }
                }
            }
        }

        private mutating func check(_ expectation: ScenarioExpectation) {
            do throws(SimulationError) {
                _ = try names.wait(for: expectation)
            } catch {
                faults.append(ScenarioFault(place: expectation.place, error: error))
            }
        }

        /// Writes the steps out, those that are repeated each time.
        mutating func write(_ steps: [ScenarioStep], suffix: String) {
            for step in steps {
                let condition = step.condition.flatMap { try? names.wait(for: $0) }
                let deed: PlannedStep.Deed
                switch step.deed {
                case .nothing: deed = .nothing
                case .act(let action): deed = .act(action)
                case .expect(let expectation):
                    guard let wait = try? names.wait(for: expectation) else { continue }
                    deed = .expect(wait)
                case .repeat(let count, let inner):
                    if step.moment != nil || condition != nil {
                        add(step, "repeat \(count) times" + suffix, condition, .nothing)
                    }
                    for round in stride(from: 1, through: count, by: 1) {
                        write(inner, suffix: suffix + " (\(round) of \(count))")
                    }
                    continue
                }
                add(step, Self.title(of: step) + suffix, condition, deed)
            }
        }

        private mutating func add(
            _ step: ScenarioStep,
            _ title: String,
            _ condition: ScenarioWait?,
            _ deed: PlannedStep.Deed
        ) {
            steps.append(
                PlannedStep(title: title, place: step.place, moment: step.moment, condition: condition, deed: deed)
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
}
