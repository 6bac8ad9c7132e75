internal import AccessoryModel
internal import HAPCore
package import HomeModel

/// Actions on their way, in the requests of their plan.
struct ActionExecution: Sendable {
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

extension ActionExecution {
    /// Carries it out: servers side by side, several requests to one of them one after the other.
    ///
    /// - Parameter write: Writes a request of the plan, which is at this place in it.
    /// - Returns: a result for each action, in their order.
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
    /// Runs actions: servers side by side, several requests to one of them one after the other.
    ///
    /// An action that fails does nothing to the others.
    ///
    /// - Returns: a result for each action, in their order.
    package func run(_ actions: [HomeAction], in home: Home) async -> [ActionResult] {
        await ActionExecution(actions, in: home).execute { request, _ in await write(request) }
    }
}

/// What became of one action.
package struct ActionResult: Sendable, Hashable {
    /// What became of it.
    package enum Outcome: Sendable, Hashable {
        /// The value was taken.
        case succeeded
        /// The accessory did not take it, with this code: HAP's are those of `HAPStatus`.
        case refused(code: Int64)
        /// Its server did not answer: why. Whether the value was written is unknown then.
        case unreachable(String)
        /// It was not sent: why.
        case notSent(HomeError)

        /// The meaning of a status.
        init(_ status: HAPStatus) {
            self.init(code: Int64(status.rawValue))
        }

        /// The meaning of the code that an accessory answers with.
        init(code: Int64) {
            self = code == 0 ? .succeeded : .refused(code: code)
        }
    }

    /// Which action.
    package let action: HomeAction
    /// What became of it.
    package let outcome: Outcome

    /// Whether the value was taken.
    package var hasSucceeded: Bool { outcome == .succeeded }
}

/// Whether a scene is on, as far as its accessories can be asked.
package struct SceneState: Sendable, Hashable {
    /// Whether all of its values hold; `nil` when that is unknown.
    package let isOn: Bool?
    /// The characteristics that can be read, but have not been.
    package let unreadSelectors: [CharacteristicSelector]

    package init(isOn: Bool?, unread: [CharacteristicSelector]) {
        self.isOn = isOn
        self.unreadSelectors = unread
    }
}

extension HomeBackend {
    /// Reads whether a scene of a home is on.
    package func state(of scene: HomeScene, in home: Home) async -> SceneState {
        let selectors = scene.actions.map(\.characteristic)
        let values = await read(selectors.compactMap { home.reference(of: $0) })
        let value = { selector in home.reference(of: selector).flatMap { values[$0] } }
        // A characteristic that can only be written does not show whether its value holds.
        let readable = selectors.filter { home.characteristic($0)?.permissions.contains(.read) == true }
        let unread = readable.filter { value($0) == nil }
        let isKnown = unread.isEmpty || scene.isOff(in: home, value: value)
        return SceneState(isOn: isKnown ? scene.isOn(in: home, value: value) : nil, unread: unread)
    }
}
