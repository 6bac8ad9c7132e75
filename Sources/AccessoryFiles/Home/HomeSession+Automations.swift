internal import AccessoryModel
internal import HAPCore
internal import HomeModel

extension HomeSession {
    // MARK: Scenes and actions

    mutating func scene(_ name: Placed<ObjectName>, _ field: DefinitionField) -> DocumentedScene? {
        guard field.node.mapping != nil else {
            return DocumentedScene(name: name, actions: actions(field))
        }
        guard let map = DefinitionMap(field, known: SceneKey.allCases, &base.findings) else { return nil }
        let actions = self.actions(map[.actions])
        guard let kind = map[.kind] else { return DocumentedScene(name: name, actions: actions) }
        return base.word(kind, HomeWords.kinds).map { DocumentedScene(name: name, kind: $0, actions: actions) }
    }

    mutating func actions(_ field: DefinitionField?) -> [DocumentedAction] {
        base.list(field)
            .compactMap { entry in
                guard let map = DefinitionMap(entry, known: ActionKey.allCases, &base.findings) else { return nil }
                return action(entry, set: map[.set], to: map[.to])
            }
    }

    private mutating func action(
        _ field: DefinitionField,
        set: DefinitionField?,
        to: DefinitionField?
    ) -> DocumentedAction? {
        guard let set, let to else {
            base.findings.report(
                field,
                "an action sets something to a value; write \"set: Service/Property\" and \"to: VALUE\""
            )
            return nil
        }
        let characteristic = property(set)
        let value = self.value(to)
        guard let characteristic, let value else { return nil }
        return DocumentedAction(characteristic: characteristic, value: value)
    }

    private mutating func value(_ field: DefinitionField) -> Placed<DocumentedValue>? {
        guard let scalar = field.node.scalar, scalar.meaning != .null else {
            base.findings.report(field, "\(field.node.kind) is no value; write one, such as true, 50 or Closed")
            return nil
        }
        remainingValueBytes -= min(scalar.text.utf8.count, remainingValueBytes + 1)
        guard remainingValueBytes >= 0 else {
            base.findings.report(
                field,
                "the values of the file have more than \(DefinitionText.maximumSize) bytes together; shorten them"
            )
            return nil
        }
        return Placed(Self.value(scalar), at: place(field))
    }

    /// A value as it is written: a text property tells `1.50` from `1.5`.
    private static func value(_ scalar: DefinitionScalar) -> DocumentedValue {
        let plain: DocumentedValue
        let spelling: String
        switch scalar.meaning {
        case .null, .text: return .text(scalar.text)
        case .bool(let flag):
            plain = .bool(flag)
            spelling = flag ? "true" : "false"
        case .number(let number):
            plain = .number(number)
            if scalar.text == number.definitionText { return plain }
            spelling = number.description
        }
        return scalar.text == spelling ? plain : .spelt(plain, scalar.text)
    }

    // MARK: Automations

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

    private mutating func targets(_ field: DefinitionField?) -> ([Placed<String>], [DocumentedAction]) {
        var scenes: [Placed<String>] = []
        var actions: [DocumentedAction] = []
        if let field, field.node.scalar != nil {
            return ([placedText(field)].compactMap(\.self), [])
        }
        for entry in base.list(field) {
            if entry.node.scalar != nil {
                scenes += [placedText(entry)].compactMap(\.self)
                continue
            }
            guard let map = DefinitionMap(entry, known: TargetKey.allCases, &base.findings) else { continue }
            if let scene = map[.scene] {
                scenes += [placedText(scene)].compactMap(\.self)
                if let other = map[.set] ?? map[.to] {
                    base.findings.report(other, "this entry runs a scene; put what it sets into an entry of its own")
                }
            } else if let action = action(entry, set: map[.set], to: map[.to]) {
                actions.append(action)
            }
        }
        return (scenes, actions)
    }

    private mutating func end(_ field: DefinitionField) -> DocumentedEnd? {
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

    private mutating func duration(_ field: DefinitionField?) -> Duration? {
        base.value(field, "duration", "write it as 12s, 5min or 1h 30min", HomeWords.duration)
    }

    // MARK: Triggers

    private mutating func trigger(_ field: DefinitionField) -> DocumentedTrigger? {
        guard let map = DefinitionMap(field, known: TriggerKey.allCases, &base.findings) else { return nil }
        let kinds = TriggerKey.kinds.filter { map[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let value = map[kind] else {
            base.findings.report(
                field,
                "an automation waits for one thing; write one of "
                    + TriggerKey.kinds.map(\.rawValue).joined(separator: ", ")
            )
            return nil
        }
        refuseForeign(map, of: kind)
        switch kind {
        case .characteristic: return test(map).map { .characteristic($0) }
        case .time:
            let time = base.value(value, "time", "write it as 07:30", { CivilTime($0) })
            return recurrence(map, else: .daily).flatMap { recurrence in time.map { .timeOfDay($0, recurrence) } }
        case .date:
            let date = base.value(value, "date and time", "write them as 2026-12-24 18:00", { CivilDateTime($0) })
            return recurrence(map, else: .once).flatMap { recurrence in date.map { .calendar($0, recurrence) } }
        case .sun:
            let sun = base.value(value, "time of the sun", "write it as sunset or sunrise - 30min", HomeWords.sun)
            return recurrence(map, else: .daily)
                .flatMap { recurrence in sun.map { .sun($0.0, offset: $0.1, recurrence) } }
        case .presence: return base.word(value, HomeWords.events)
        case .arrives: return placedText(value).map { .arrives($0) }
        case .leaves: return placedText(value).map { .leaves($0) }
        case .interval:
            let start = base.value(map[.from], "date and time", "write them as 2026-12-24 18:00", { CivilDateTime($0) })
            return duration(value).map { .interval($0, from: start) }
        case .becomes, .changes, .above, .below, .within, .on, .every, .from: return nil
        }
    }

    /// Notes keys that say nothing about this kind of trigger.
    private mutating func refuseForeign(_ map: DefinitionMap<TriggerKey>, of kind: TriggerKey) {
        let own: [TriggerKey] =
            switch kind {
            case .characteristic: TriggerKey.tests
            case .time, .date, .sun: [.on, .every]
            case .interval: [.from]
            default: []
            }
        for key in TriggerKey.allCases where key != kind && !own.contains(key) {
            if let field = map[key] {
                base.findings.report(field, "this says nothing beside \"\(kind.rawValue)\"; leave it away")
            }
        }
    }

    private mutating func recurrence(
        _ map: DefinitionMap<TriggerKey>,
        else standard: Recurrence
    ) -> Recurrence? {
        if let every = map[.every] {
            if let on = map[.on] {
                base.findings.report(on, "it comes again on days or every so often; write \"on\" or \"every\"")
            }
            return base.value(every, "recurrence", "write it as 3 days, 2 weeks, month or year", HomeWords.recurrence)
        }
        guard let on = map[.on] else { return standard }
        if on.node.scalar?.text == HomeWords.everyDay { return .daily }
        return days(on).map { .weekly($0) }
    }

    private mutating func days(_ field: DefinitionField) -> WeekdaySet? {
        let entries = field.node.scalar == nil ? base.list(field) : [field]
        if field.node.scalar == nil, !field.node.isEmptyList, entries.isEmpty { return nil }
        let days = entries.compactMap { entry in
            base.value(entry, "day of the week", "write it as monday, workdays or weekend", HomeWords.days)
        }
        return days.count == entries.count ? days.reduce(into: []) { $0.formUnion($1) } : nil
    }

    // MARK: Tests

    private mutating func test(_ map: DefinitionMap<TriggerKey>) -> DocumentedTest? {
        let tests = TriggerKey.tests.filter { map[$0] != nil }
        guard let characteristic = property(map[.characteristic]), tests.count == 1, let key = tests.first,
            let field = map[key]
        else {
            base.findings.report(
                map.field,
                "a characteristic is held to one thing; write \"characteristic: Service/Property\" and one of "
                    + TriggerKey.tests.map(\.rawValue).joined(separator: ", ")
            )
            return nil
        }
        let test: DocumentedTest.Test?
        switch key {
        case .becomes: test = value(field).map { .equals($0) }
        case .changes: test = base.flag(field) ? .changes : unchanged(field)
        case .above: test = number(field).map { .above($0) }
        case .below: test = number(field).map { .below($0) }
        default: test = range(field).map { .within($0) }
        }
        return test.map { DocumentedTest(characteristic: characteristic, test: $0) }
    }

    private mutating func unchanged(_ field: DefinitionField) -> DocumentedTest.Test? {
        base.findings.report(field, "nothing happens while nothing changes; write true")
        return nil
    }

    private mutating func number(_ field: DefinitionField) -> JSONNumber? {
        if case .number(let number) = field.node.scalar?.meaning { return number }
        if let text = field.node.scalar?.text, text.last == "%",
            let number = JSONNumber(definition: String(text.dropLast()))
        {
            return number
        }
        base.findings.report(field, "\(field.node.kind) is no number; write one")
        return nil
    }

    private mutating func range(_ field: DefinitionField) -> ClosedRange<JSONNumber>? {
        let text = field.node.scalar?.text ?? ""
        let parts = text.utf8.count <= 128 ? text.split(separator: "...", omittingEmptySubsequences: false) : []
        guard parts.count == 2, let least = JSONNumber(definition: String(parts[0])),
            let greatest = JSONNumber(definition: String(parts[1])), least <= greatest
        else {
            base.findings.report(field, "\(field.node.kind) is no range; write it as 18...24")
            return nil
        }
        return least...greatest
    }

    // MARK: Conditions

    private mutating func condition(
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

    private mutating func test(_ map: DefinitionMap<ConditionKey>) -> DocumentedTest? {
        let tests = ConditionKey.tests.filter { map[$0] != nil }
        guard let characteristic = property(map[.characteristic]), tests.count == 1, let key = tests.first,
            let field = map[key]
        else {
            base.findings.report(
                map.field,
                "a characteristic is held to one thing; write \"characteristic: Service/Property\" and one of "
                    + ConditionKey.tests.map(\.rawValue).joined(separator: ", ")
            )
            return nil
        }
        let test: DocumentedTest.Test?
        switch key {
        case .is: test = value(field).map { .equals($0) }
        case .above: test = number(field).map { .above($0) }
        case .below: test = number(field).map { .below($0) }
        default: test = range(field).map { .within($0) }
        }
        return test.map { DocumentedTest(characteristic: characteristic, test: $0) }
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
