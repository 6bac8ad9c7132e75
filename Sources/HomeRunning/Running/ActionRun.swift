package import HomeModel

/// Actions on their way: one request for each server.
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
    func results(_ outcomes: [[WriteOutcome]]) -> [ActionResult] {
        var known: [CharacteristicSelector: ActionResult.Outcome] = [:]
        for (request, outcomes) in zip(plan.requests, outcomes) {
            for (item, outcome) in zip(request.items, outcomes) {
                known[item.action.characteristic] = .init(outcome)
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

extension HomeWorld {
    /// Runs actions: a request for each server, side by side.
    ///
    /// An action that fails does nothing to the others.
    ///
    /// - Returns: a result for each action, in their order.
    package func run(_ actions: [HomeAction], in home: Home) async -> [ActionResult] {
        let run = ActionRun(actions, in: home)
        return await withTaskGroup(of: (Int, [WriteOutcome]).self) { group in
            for (index, request) in run.plan.requests.enumerated() {
                group.addTask { await (index, write(request)) }
            }
            var outcomes = run.plan.requests.map { _ in [WriteOutcome]() }
            for await (index, outcome) in group {
                outcomes[index] = outcome
            }
            return run.results(outcomes)
        }
    }
}
