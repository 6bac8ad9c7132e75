internal import HomeModel

extension HomeSession {
    mutating func automation(_ name: Placed<ObjectName>, _ field: DefinitionField) -> DocumentedAutomation? {
        guard let map = DefinitionMap(field, known: AutomationKey.allCases, &base.findings) else { return nil }
        if map.lacks(.when) {
            base.findings.report(field, "the automation waits for nothing; write what for under \"when\"")
        }
        let trigger = map[.when].flatMap { self.trigger($0) }
        var remaining = Condition.maximumCount
        let condition = map[.condition].flatMap { self.condition($0, depth: 1, &remaining) }
        let (scenes, actions) = targets(map[.run])
        let end = map[.end].flatMap { self.end($0) }
        let isEnabled = base.flag(map[.enabled], without: true)
        guard let trigger else { return nil }
        return DocumentedAutomation(
            name: name,
            isEnabled: isEnabled,
            trigger: trigger,
            condition: condition,
            scenes: scenes,
            actions: actions,
            end: end
        )
    }

    mutating func end(_ field: DefinitionField) -> DocumentedEnd? {
        guard let map = DefinitionMap(field, known: EndKey.allCases, &base.findings) else { return nil }
        if map.lacks(.after), map.lacks(.when) {
            base.findings.report(field, "nobody knows when it ends; write \"after\", \"when\" or both")
        }
        let delay = duration(map[.after])
        let test = map[.when]
            .flatMap { field -> DocumentedTest? in
                let keys = [TriggerKey.characteristic] + TriggerKey.tests
                guard let map = DefinitionMap(field, known: keys, &base.findings) else { return nil }
                return self.test(map)
            }
        let restores = base.flag(map[.restore])
        if restores == (map[.set] != nil) {
            base.findings.report(
                field,
                "an end sets something or restores what was before; write \"set\" or \"restore: true\""
            )
        }
        return DocumentedEnd(delay: delay, test: test, actions: map[.set].map { actions($0) })
    }

    mutating func duration(_ field: DefinitionField?) -> Duration? {
        base.value(field, "duration", "write it as 12s, 5min or 1h 30min", HomeWords.duration)
    }
}
