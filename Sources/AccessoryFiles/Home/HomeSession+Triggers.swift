internal import HomeModel

extension HomeSession {
    mutating func trigger(_ field: DefinitionField) -> DocumentedTrigger? {
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

    mutating func days(_ field: DefinitionField) -> WeekdaySet? {
        let entries = field.node.scalar == nil ? base.list(field) : [field]
        if field.node.scalar == nil, !field.node.isEmptyList, entries.isEmpty { return nil }
        let days = entries.compactMap { entry in
            base.value(entry, "day of the week", "write it as monday, workdays or weekend", HomeWords.days)
        }
        return days.count == entries.count ? days.reduce(into: []) { $0.formUnion($1) } : nil
    }
}
