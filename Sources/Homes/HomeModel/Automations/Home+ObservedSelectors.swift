internal import AccessoryModel

extension Home {
    /// The characteristics that automations use in triggers, in conditions and in ends, or restore at their ends.
    ///
    /// They include characteristics of hidden services.
    package var observedSelectors: Set<CharacteristicSelector> {
        var collector = SelectorCollector()
        let index = HomeIndex(self)
        for automation in automations {
            for trigger in automation.triggers { _ = trigger.resolved(by: &collector) }
            _ = automation.condition?.resolved(by: &collector)
            if let end = automation.end {
                _ = EndEvent(end.timing, .restore).resolved(by: &collector)
                if end.effect == .restore {
                    collector.selectors.formUnion(automation.targets.flattened(in: index).lazy.map(\.characteristic))
                }
            }
        }
        return collector.selectors
    }
}

/// A resolver that collects the characteristics that parts of automations refer to.
private struct SelectorCollector: HomeResolver {
    typealias From = HomeIDs
    typealias To = HomeIDs

    var selectors: Set<CharacteristicSelector> = []

    mutating func characteristic(_ reference: CharacteristicSelector) -> CharacteristicSelector? {
        selectors.insert(reference)
        return reference
    }
}
