internal import AccessoryModel

extension AutomationRule<HomeIDs> {
    /// Removes the references to things that are gone from the home, and returns what that means for the automation.
    mutating func forget(_ gone: RemovedObjects) -> AutomationLoss {
        var remaining = RemainingReferences(gone: gone)
        let before = self
        triggers.removeAll { $0.resolved(by: &remaining) == nil }
        targets.scenes.removeAll(where: gone.scenes.contains)
        targets.own.removeAll(where: gone.breaks)
        let isIdle = before.targets != targets && targets.scenes.isEmpty && targets.own.isEmpty
        guard !triggers.isEmpty, !isIdle else { return .everything }
        var loss: AutomationLoss = before == self ? .nothing : .part
        if let condition, condition.resolved(by: &remaining) == nil {
            self.condition = nil
            loss = .sense
        }
        if let whole = end, whole.resolved(by: &remaining) == nil {
            end = whole.remainder(by: &remaining)
            loss = end == nil ? .sense : loss == .nothing ? .part : loss
        }
        if loss == .sense {
            isEnabled = false
        }
        return loss
    }
}

/// What an automation loses with things that are removed from its home.
enum AutomationLoss: Sendable, Hashable {
    /// It refers to none of them.
    case nothing
    /// It does less, and still has something to wait for and to do.
    case part
    /// Something that its condition or its end needs is gone: it loses that and is disabled.
    case sense
    /// All that it waits for, or all that it does, is gone: the automation goes, too.
    case everything
}

/// Resolves references to what they are, as long as what they refer to is not gone.
private struct RemainingReferences: HomeResolver {
    typealias From = HomeIDs
    typealias To = HomeIDs

    let gone: RemovedObjects

    func characteristic(_ reference: CharacteristicSelector) -> CharacteristicSelector? {
        gone.contains(reference) ? nil : reference
    }

    func scene(_ reference: ObjectID<HomeScene>) -> ObjectID<HomeScene>? {
        gone.scenes.contains(reference) ? nil : reference
    }

    func user(_ reference: ObjectID<HomeUser>) -> ObjectID<HomeUser>? {
        gone.users.contains(reference) ? nil : reference
    }

    func actions(_ actions: [HomeAction]) -> [HomeAction]? {
        actions.contains(where: gone.breaks) ? nil : actions
    }
}

extension EndEvent<HomeIDs> {
    /// The end with the actions that remain; `nil` when nothing of it makes sense any more.
    fileprivate func remainder(by remaining: inout RemainingReferences) -> EndEvent? {
        let moment = EndEvent(moment, .restore)
        guard case .actions(let actions) = ending, moment.resolved(by: &remaining) != nil else { return nil }
        let kept = actions.filter { !remaining.gone.breaks($0) }
        return kept.isEmpty ? nil : EndEvent(self.moment, .actions(kept))
    }
}
