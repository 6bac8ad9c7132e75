internal import AccessoryModel

extension AutomationRule<HomeIDs> {
    /// Removes the references to objects that were removed from the home, and returns what the automation lost.
    mutating func removeReferences(to gone: RemovedObjects) -> ReferenceLoss {
        var remaining = ReferenceFilter(removed: gone)
        let before = self
        triggers.removeAll { $0.resolved(by: &remaining) == nil }
        targets.scenes.removeAll(where: gone.scenes.contains)
        targets.ownActions.removeAll(where: gone.affects)
        let isIdle = before.targets != targets && targets.scenes.isEmpty && targets.ownActions.isEmpty
        guard !triggers.isEmpty, !isIdle else { return .triggersOrActions }
        var loss: ReferenceLoss = before == self ? .none : .partial
        if let condition, condition.resolved(by: &remaining) == nil {
            self.condition = nil
            loss = .conditionOrEnd
        }
        if let whole = end, whole.resolved(by: &remaining) == nil {
            end = whole.removingReferences(by: &remaining)
            loss = end == nil ? .conditionOrEnd : loss == .none ? .partial : loss
        }
        if loss == .conditionOrEnd {
            isEnabled = false
        }
        return loss
    }
}

/// The effect on an automation when objects that it refers to are removed from its home.
enum ReferenceLoss: Sendable, Hashable {
    /// The automation refers to none of the removed objects.
    case none
    /// The automation lost some triggers, scenes or actions, but still has at least one trigger and one effect.
    case partial
    /// The condition or the end needs a removed object, so the automation loses it and is disabled.
    case conditionOrEnd
    /// All triggers or all effects are lost, so the automation must be removed too.
    case triggersOrActions
}

/// A resolver that leaves references unchanged, and fails for references to removed objects.
private struct ReferenceFilter: HomeResolver {
    typealias From = HomeIDs
    typealias To = HomeIDs

    let removed: RemovedObjects

    func characteristic(_ reference: CharacteristicSelector) -> CharacteristicSelector? {
        removed.contains(reference) ? nil : reference
    }

    func scene(_ reference: ObjectID<HomeScene>) -> ObjectID<HomeScene>? {
        removed.scenes.contains(reference) ? nil : reference
    }

    func user(_ reference: ObjectID<HomeUser>) -> ObjectID<HomeUser>? {
        removed.users.contains(reference) ? nil : reference
    }

    func actions(_ actions: [HomeAction]) -> [HomeAction]? {
        actions.contains(where: removed.affects) ? nil : actions
    }
}

extension EndEvent<HomeIDs> {
    /// Returns the end with its remaining actions, or `nil` if its moment or all of its actions are lost.
    fileprivate func removingReferences(by remaining: inout ReferenceFilter) -> EndEvent? {
        let moment = EndEvent(timing, .restore)
        guard case .actions(let actions) = effect, moment.resolved(by: &remaining) != nil else { return nil }
        let stored = actions.filter { !remaining.removed.affects($0) }
        return stored.isEmpty ? nil : EndEvent(self.timing, .actions(stored))
    }
}
