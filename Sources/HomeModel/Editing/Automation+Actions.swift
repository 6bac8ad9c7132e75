extension AutomationRule<HomeIDs> {
    /// The actions of its own, those of its end among them.
    var actions: [HomeAction] {
        guard case .actions(let ending) = end?.effect else { return targets.ownActions }
        return targets.ownActions + ending
    }

    /// How many things it names to do.
    var targetCount: Int {
        actions.count + targets.scenes.count
    }
}
