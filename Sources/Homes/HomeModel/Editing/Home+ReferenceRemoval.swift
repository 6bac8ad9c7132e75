internal import AccessoryModel

extension Home {
    /// Removes references to removed objects from groups, scenes and automations, and returns the effects.
    ///
    /// - Parameter names: The names of the removed services.
    mutating func removeReferences(to gone: RemovedObjects, names: [ObjectID<HomeService>: ObjectName]) -> [EditEffect]
    {
        var consequences = removeFromGroups(gone.services, names: names)
        for index in scenes.indices {
            for action in scenes[index].actions where gone.affects(action) {
                let selector = action.characteristic
                if let service = names[selector.service] ?? service(selector.service)?.name {
                    consequences.append(.sceneLostAction(scenes[index].name, selector.type, service: service))
                }
            }
            scenes[index].actions.removeAll(where: gone.affects)
        }
        return consequences + removeReferencesInAutomations(gone)
    }

    /// Removes services from groups, and returns the effects.
    ///
    /// - Parameter names: The names of the services.
    mutating func removeFromGroups(
        _ services: Set<ObjectID<HomeService>>,
        names: [ObjectID<HomeService>: ObjectName]
    ) -> [EditEffect] {
        guard !services.isEmpty else { return [] }
        var consequences: [EditEffect] = []
        for index in serviceGroups.indices {
            let lost = serviceGroups[index].services.filter(services.contains)
            consequences += lost.compactMap { names[$0] }
                .map { .groupLostService(serviceGroups[index].name, service: $0) }
            serviceGroups[index].services.removeAll(where: services.contains)
        }
        return consequences
    }

    private mutating func removeReferencesInAutomations(_ gone: RemovedObjects) -> [EditEffect] {
        var consequences: [EditEffect] = []
        var stored: [Automation] = []
        let rules = AutomationRuleChecker(self)
        for var automation in automations {
            var loss = automation.rule.removeReferences(to: gone)
            // The remaining parts must also obey the rules, because objects that they refer to may have changed.
            if loss != .triggersOrActions, !rules.violations(of: automation).isEmpty {
                if let rest = automation.withoutBrokenParts(rules) {
                    automation = rest
                    loss = .conditionOrEnd
                } else {
                    loss = .triggersOrActions
                }
            }
            switch loss {
            case .none: break
            case .partial: consequences.append(.automationChanged(automation.name))
            case .conditionOrEnd:
                automation.isEnabled = false
                consequences.append(.automationDisabled(automation.name))
            case .triggersOrActions:
                consequences.append(.automationRemoved(automation.name))
                continue
            }
            stored.append(automation)
        }
        automations = stored
        return consequences
    }
}

extension Automation {
    /// Returns the automation without its condition, its end, or both, whichever is enough to obey the rules.
    ///
    /// Returns `nil` if the automation breaks the rules even without both.
    fileprivate func withoutBrokenParts(_ rules: AutomationRuleChecker) -> Automation? {
        for (dropsCondition, dropsEnd) in [(true, false), (false, true), (true, true)] {
            var rest = self
            if dropsCondition { rest.condition = nil }
            if dropsEnd { rest.end = nil }
            if rules.violations(of: rest).isEmpty { return rest }
        }
        return nil
    }
}
