extension AutomationRule<HomeIDs> {
    /// The automation's own actions and those of its end.
    var actions: [HomeAction] {
        guard case .actions(let ending) = end?.effect else { return targets.ownActions }
        return targets.ownActions + ending
    }

    /// The number of actions and scenes.
    var targetCount: Int {
        actions.count + targets.scenes.count
    }
}
