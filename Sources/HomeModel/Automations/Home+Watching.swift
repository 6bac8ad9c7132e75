internal import AccessoryModel

extension Home {
    /// What the automations look at: what they wait for, test, and restore at their ends, also of services that people do
    /// not see.
    package var selectorsOfAutomations: Set<CharacteristicSelector> {
        var selectors: Set<CharacteristicSelector> = []
        let scenes = Dictionary(scenes.map { ($0.id, $0) }) { first, _ in first }
        for automation in automations {
            if case .characteristic(let selector, _) = automation.trigger {
                selectors.insert(selector)
            }
            for case .characteristic(let selector, _) in automation.condition?.leaves ?? [] {
                selectors.insert(selector)
            }
            switch automation.end?.moment {
            case .when(let selector, _), .whenThenAfter(let selector, _, _): selectors.insert(selector)
            case .after, nil: break
            }
            if automation.end?.ending == .restore {
                selectors.formUnion(automation.targets.flattened(in: scenes).lazy.map(\.characteristic))
            }
        }
        return selectors
    }
}
