internal import AccessoryModel

extension Home {
    /// Takes what is gone out of groups, scenes and automations.
    ///
    /// - Parameter names: What the removed services were called.
    mutating func forget(_ gone: RemovedObjects, names: [ObjectID<HomeService>: ObjectName]) -> [Consequence] {
        var consequences: [Consequence] = []
        if !gone.services.isEmpty {
            for index in serviceGroups.indices {
                for id in serviceGroups[index].services where gone.services.contains(id) {
                    if let service = names[id] {
                        consequences.append(.groupLostService(serviceGroups[index].name, service: service))
                    }
                }
                serviceGroups[index].services.removeAll(where: gone.services.contains)
            }
        }
        for index in scenes.indices {
            for action in scenes[index].actions where gone.breaks(action) {
                let selector = action.characteristic
                if let service = names[selector.service] ?? service(selector.service)?.name {
                    consequences.append(.sceneLostAction(scenes[index].name, selector.type, service: service))
                }
            }
            scenes[index].actions.removeAll(where: gone.breaks)
        }
        return consequences + forgetInAutomations(gone)
    }

    private mutating func forgetInAutomations(_ gone: RemovedObjects) -> [Consequence] {
        var consequences: [Consequence] = []
        var kept: [Automation] = []
        let rules = AutomationRules(self)
        for var automation in automations {
            var loss = automation.rule.forget(gone)
            // What is left must make sense, whatever has changed about what it names.
            if loss != .everything, !rules.violations(of: automation).isEmpty {
                if let rest = automation.withoutWhatBreaks(rules) {
                    automation = rest
                    loss = .sense
                } else {
                    loss = .everything
                }
            }
            switch loss {
            case .nothing: break
            case .part: consequences.append(.automationChanged(automation.name))
            case .sense:
                automation.isEnabled = false
                consequences.append(.automationDisabled(automation.name))
            case .everything:
                consequences.append(.automationRemoved(automation.name))
                continue
            }
            kept.append(automation)
        }
        automations = kept
        return consequences
    }
}

extension Automation {
    /// The automation without its condition, its end, or both, as little as makes it obey the rules; `nil` when it breaks
    /// them without both.
    fileprivate func withoutWhatBreaks(_ rules: AutomationRules) -> Automation? {
        for (dropsCondition, dropsEnd) in [(true, false), (false, true), (true, true)] {
            var rest = self
            if dropsCondition { rest.condition = nil }
            if dropsEnd { rest.end = nil }
            if rules.violations(of: rest).isEmpty { return rest }
        }
        return nil
    }
}
