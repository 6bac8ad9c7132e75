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
    private var suggestions: NameSuggestions
    private(set) var mistakes: [ScenarioMistake]
    private(set) var steps: [PlannedStep] = []
    private(set) var waits: Set<ScenarioWait> = []

    init(names: SimulationNames, mistakes: [ScenarioMistake]) {
        self.names = names
        suggestions = NameSuggestions(of: names)
        self.mistakes = mistakes
    }

    /// What is wrong, in the order of the file.
    var ordered: [ScenarioMistake] {
        let ordered = mistakes.enumerated()
            .sorted {
                ($0.element.place.line, $0.element.place.column, $0.offset)
                    < ($1.element.place.line, $1.element.place.column, $1.offset)
            }
        return ordered.prefix(ScenarioMistake.told).map(\.element)
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
                try names.check(action, &suggestions)
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
            let wait = try names.wait(for: expectation, &suggestions)
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
