package import HomeModel

/// Actions on their way, in the requests of their plan.
struct ActionRun: Sendable {
    let actions: [HomeAction]
    let plan: ScenePlan

    init(_ actions: [HomeAction], in home: Home) {
        self.actions = actions
        plan = ScenePlan(actions, in: home)
    }

    /// A result for each action, in their order.
    ///
    /// - Parameter outcomes: What each request of the plan has come to.
    func results(_ outcomes: [[ActionResult.Outcome]]) -> [ActionResult] {
        var known: [CharacteristicSelector: ActionResult.Outcome] = [:]
        for (request, outcomes) in zip(plan.requests, outcomes) {
            for (action, outcome) in zip(request.actions, outcomes) {
                known[action.characteristic] = outcome
            }
        }
        for failure in plan.failures {
            known[failure.action.characteristic] = .notSent(failure.error)
        }
        return actions.compactMap { action in
            known[action.characteristic].map { ActionResult(action: action, outcome: $0) }
        }
    }
}

extension ActionRun {
    /// Carries it out: servers side by side, several requests to one of them one after the other.
    ///
    /// - Parameter write: Writes a request of the plan, which is at this place in it.
    /// - Returns: a result for each action, in their order.
    func carryOut(
        _ write: @escaping @Sendable (ServerWrites, Int) async -> [ActionResult.Outcome]
    ) async -> [ActionResult] {
        let requests = plan.requests
        return await withTaskGroup(of: [(Int, [ActionResult.Outcome])].self) { group in
            for indices in Dictionary(grouping: requests.indices, by: { requests[$0].server }).values {
                group.addTask {
                    var outcomes: [(Int, [ActionResult.Outcome])] = []
                    for index in indices {
                        await outcomes.append((index, write(requests[index], index)))
                    }
                    return outcomes
                }
            }
            var outcomes = requests.map { _ in [ActionResult.Outcome]() }
            for await written in group {
                for (index, outcome) in written {
                    outcomes[index] = outcome
                }
            }
            return results(outcomes)
        }
    }
}

extension HomeWorld {
    /// Runs actions: servers side by side, several requests to one of them one after the other.
    ///
    /// An action that fails does nothing to the others.
    ///
    /// - Returns: a result for each action, in their order.
    package func run(_ actions: [HomeAction], in home: Home) async -> [ActionResult] {
        await ActionRun(actions, in: home).carryOut { request, _ in await write(request) }
    }
}
