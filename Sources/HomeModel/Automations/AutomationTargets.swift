/// What an automation does.
public struct AutomationTargets: Sendable, Hashable {
    /// Scenes that it runs.
    public var scenes: [ObjectID<HomeScene>]
    /// Actions of its own, at most one for a characteristic; what they set, no scene sets.
    public var own: [HomeAction]

    /// Creates targets.
    public init(scenes: [ObjectID<HomeScene>] = [], own: [HomeAction] = []) {
        self.scenes = scenes
        self.own = own
    }

    /// Whether there are no actions in any.
    func areEmpty(in scenes: [ObjectID<HomeScene>: HomeScene]) -> Bool {
        own.isEmpty && self.scenes.allSatisfy { scenes[$0]?.actions.isEmpty ?? true }
    }

    /// The actions of all, one for a characteristic: a later scene goes before an earlier one, an own action before all.
    func flattened(in scenes: [ObjectID<HomeScene>: HomeScene]) -> [HomeAction] {
        var positions: [CharacteristicSelector: Int] = [:]
        var actions: [HomeAction] = []
        for action in self.scenes.flatMap({ scenes[$0]?.actions ?? [] }) + own {
            if let position = positions[action.characteristic] {
                actions[position] = action
            } else {
                positions[action.characteristic] = actions.count
                actions.append(action)
            }
        }
        return actions
    }
}
