package import AccessoryModel
package import HAPCore
package import HomeModel

/// The execution of actions, with the requests of their plan.
struct ActionExecution: Sendable {
    let actions: [HomeAction]
    let plan: ScenePlan

    init(_ actions: [HomeAction], in home: Home) {
        self.actions = actions
        plan = ScenePlan(actions, in: home)
    }

    /// Returns the result of each action, in the order of the actions.
    ///
    /// - Parameter outcomes: The outcomes of each request in the plan.
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

extension ActionExecution {
    /// Executes the actions: the servers concurrently, and several requests to one server in sequence.
    ///
    /// - Parameter write: Writes a request of the plan. The second argument is the index of the request in the plan.
    /// - Returns: The result of each action, in the order of the actions.
    func execute(
        _ write: @escaping @Sendable (ServerWriteRequest, Int) async -> [ActionResult.Outcome]
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

extension HomeBackend {
    /// Runs actions: the servers concurrently, and several requests to one server in sequence.
    ///
    /// An action that fails does not affect the others.
    ///
    /// - Returns: The result of each action, in the order of the actions.
    package func run(_ actions: [HomeAction], in home: Home) async -> [ActionResult] {
        await ActionExecution(actions, in: home).execute { request, _ in await write(request) }
    }
}

/// The result of one action.
package struct ActionResult: Sendable, Hashable {
    /// The outcome of an action.
    package enum Outcome: Sendable, Hashable {
        /// The accessory accepted the value.
        case succeeded
        /// The accessory refused the value with this status code.
        ///
        /// `HAPStatus` has the codes that HAP defines.
        case refused(code: Int64)
        /// The server did not answer, with the reason.
        ///
        /// It is unknown whether the value was written.
        case unreachable(String)
        /// The action was not sent, with the reason.
        case notSent(HomeError)

        /// Creates the outcome for a status.
        package init(_ status: HAPStatus) {
            self.init(code: Int64(status.rawValue))
        }

        /// Creates the outcome for the status code of an accessory's answer.
        package init(code: Int64) {
            self = code == 0 ? .succeeded : .refused(code: code)
        }
    }

    /// The action.
    package let action: HomeAction
    /// The outcome of the action.
    package let outcome: Outcome

    /// Whether the accessory accepted the value.
    package var hasSucceeded: Bool { outcome == .succeeded }
}

extension HomeBackend {
    /// Reads whether a scene of a home is on.
    package func state(of scene: HomeScene, in home: Home) async -> SceneState {
        let values = await values(of: scene.actions.map(\.characteristic), in: home)
        return scene.state(in: home) { values[$0] }
    }

    /// Reads characteristics of a home.
    ///
    /// The result contains only the values that could be read.
    package func values(
        of selectors: [CharacteristicSelector],
        in home: Home
    ) async -> [CharacteristicSelector: CharacteristicValue] {
        let references = home.references(of: selectors)
        let values = await read(Array(references.values))
        return references.compactMapValues { values[$0] }
    }
}
