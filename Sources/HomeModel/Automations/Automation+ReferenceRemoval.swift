internal import AccessoryModel

extension AutomationRule<HomeIDs> {
    /// Removes the references to things that are gone from the home, and returns what that means for the automation.
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

/// What an automation loses with things that are removed from its home.
enum ReferenceLoss: Sendable, Hashable {
    /// It refers to none of them.
    case none
    /// It does less, and still has something to wait for and to do.
    case partial
    /// Something that its condition or its end needs is gone: it loses that and is disabled.
    case conditionOrEnd
    /// All that it waits for, or all that it does, is gone: the automation goes, too.
    case triggersOrActions
}

/// Resolves references to what they are, as long as what they refer to is not gone.
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
    /// The end with the actions that remain; `nil` when nothing of it makes sense any more.
    fileprivate func removingReferences(by remaining: inout ReferenceFilter) -> EndEvent? {
        let moment = EndEvent(timing, .restore)
        guard case .actions(let actions) = effect, moment.resolved(by: &remaining) != nil else { return nil }
        let stored = actions.filter { !remaining.removed.affects($0) }
        return stored.isEmpty ? nil : EndEvent(self.timing, .actions(stored))
    }
}
