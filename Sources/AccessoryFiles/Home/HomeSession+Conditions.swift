internal import HomeModel

extension HomeSession {
    mutating func condition(
        _ field: DefinitionField,
        depth: Int,
        _ remaining: inout Int
    ) -> DocumentedCondition? {
        remaining -= 1
        guard depth <= Condition.maximumDepth, remaining >= 0 else {
            base.findings.report(
                field,
                "a condition has at most \(Condition.maximumCount) parts, \(Condition.maximumDepth) inside of each "
                    + "other; make two automations of it"
            )
            return nil
        }
        guard let map = DefinitionMap(field, known: ConditionKey.allCases, &base.findings) else { return nil }
        let count = base.findings.count
        var parts: [DocumentedCondition?] = []
        if map[.characteristic] != nil || ConditionKey.tests.contains(where: { map[$0] != nil }) {
            parts.append(test(map).map { .characteristic($0) })
        }
        if map[.after] != nil || map[.before] != nil {
            parts.append(window(map))
        }
        if let field = map[.days] {
            parts.append(days(field).map { .days($0) })
        }
        if let field = map[.presence] {
            parts.append(base.word(field, HomeWords.states))
        }
        if let field = map[.home] {
            parts.append(placedText(field).map { .home($0) })
        }
        for key in [ConditionKey.all, .any] {
            guard let field = map[key] else { continue }
            var inner: [DocumentedCondition] = []
            for entry in base.list(field) {
                guard let condition = self.condition(entry, depth: depth + 1, &remaining) else { continue }
                inner.append(condition)
            }
            parts.append(key == .all ? .all(inner) : .any(inner))
        }
        if let field = map[.not] {
            parts.append(self.condition(field, depth: depth + 1, &remaining).map { .not($0) })
        }
        guard base.findings.count == count else { return nil }
        let found = parts.compactMap(\.self)
        guard let first = found.first else {
            base.findings.report(field, "the condition says nothing; write one, or leave \"if\" away")
            return nil
        }
        return found.count == 1 ? first : .all(found)
    }

    /// A window of time; what is not said follows from the other end.
    private mutating func window(_ map: DefinitionMap<ConditionKey>) -> DocumentedCondition? {
        let remedy = "write it as 07:30, sunset or sunrise - 30min"
        let start = base.value(map[.after], "time", remedy, HomeWords.bound)
        let end = base.value(map[.before], "time", remedy, HomeWords.bound)
        switch (start, end) {
        case (let start?, let end?): return .time(from: start, to: end)
        case (let start?, nil): return .time(from: start, to: start.counterpart)
        case (nil, let end?): return .time(from: end.counterpart, to: end)
        case (nil, nil): return nil
        }
    }
}

extension TimeBound {
    /// The other end of a window of which only this one is said: midnight; of the sun, when it rises or sets next.
    fileprivate var counterpart: TimeBound {
        switch self {
        case .clock: .clock(.midnight)
        case .sun(.sunset, _): .sun(.sunrise, offset: .zero)
        case .sun(.sunrise, _): .sun(.sunset, offset: .zero)
        }
    }
}
