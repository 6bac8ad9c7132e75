extension Automation {
    /// Takes out what is gone from the home, and says what is left of the automation.
    mutating func forget(_ gone: RemovedObjects) -> AutomationLoss {
        guard !trigger.names(gone) else { return .everything }
        let before = targets
        targets.scenes.removeAll(where: gone.scenes.contains)
        targets.own.removeAll(where: gone.breaks)
        guard before == targets || !targets.scenes.isEmpty || !targets.own.isEmpty else { return .everything }
        var loss: AutomationLoss = before == targets ? .nothing : .part
        if condition?.leaves.contains(where: { $0.names(gone) }) ?? false {
            condition = nil
            loss = .sense
        }
        if let (kept, isWhole) = end?.without(gone), !isWhole {
            end = kept
            loss = kept == nil ? .sense : loss == .nothing ? .part : loss
        }
        if loss == .sense {
            isEnabled = false
        }
        return loss
    }
}

extension Trigger {
    fileprivate func names(_ gone: RemovedObjects) -> Bool {
        switch self {
        case .characteristic(let selector, _): gone.contains(selector)
        case .presence(.arrives(let user)), .presence(.leaves(let user)): gone.users.contains(user)
        case .presence, .timeOfDay, .calendar, .sun, .interval: false
        }
    }
}

extension Condition {
    fileprivate func names(_ gone: RemovedObjects) -> Bool {
        switch self {
        case .characteristic(let selector, _): gone.contains(selector)
        case .presence(.user(let user)): gone.users.contains(user)
        case .presence, .all, .any, .not, .time, .days: false
        }
    }
}

extension EndEvent {
    /// What is left of it, and whether that is all of it.
    fileprivate func without(_ gone: RemovedObjects) -> (EndEvent?, isWhole: Bool) {
        switch moment {
        case .after: break
        case .when(let selector, _), .whenThenAfter(let selector, _, _):
            if gone.contains(selector) { return (nil, false) }
        }
        switch ending {
        case .restore:
            return (self, true)
        case .actions(let actions):
            let kept = actions.filter { !gone.breaks($0) }
            return (kept.isEmpty ? nil : EndEvent(moment, .actions(kept)), kept.count == actions.count)
        }
    }
}
