internal import AccessoryModel
internal import HAPCore
internal import HomeModel

/// Writes home documents as trees.
enum HomeEncoder {
    typealias Member = DefinitionTree.Member

    static func members(of document: HomeDocument) -> [Member] {
        guard document.homes.count == 1, let home = document.homes.first else {
            return [.init(HomeKey.homes.rawValue, .list(document.homes.map { .map(members(of: $0)) }))]
        }
        return members(of: home)
    }

    private static func members(of home: DocumentedHome) -> [Member] {
        var members: [Member] = [.init(HomeKey.home.rawValue, .text(home.name.value.text))]
        func add(_ key: HomeKey, _ value: DefinitionTree, unless isEmpty: Bool = false) {
            if !isEmpty {
                members.append(.init(key.rawValue, value))
            }
        }
        add(.primary, .flag(true), unless: !home.isPrimary)
        if let place = home.place {
            add(
                .place,
                .inlineMap([
                    .init(PlaceKey.latitude.rawValue, number(place.latitude)),
                    .init(PlaceKey.longitude.rawValue, number(place.longitude)),
                ])
            )
        }
        if let timeZone = home.timeZone { add(.timeZone, .text(timeZone.value)) }
        add(.rooms, .list(home.rooms.map { .text($0.value.text) }), unless: home.rooms.isEmpty)
        add(.zones, named(home.zones) { ($0.name, texts($0.rooms)) }, unless: home.zones.isEmpty)
        add(.accessories, .list(home.accessories.map(placement)), unless: home.accessories.isEmpty)
        add(.groups, named(home.groups) { ($0.name, texts($0.services)) }, unless: home.groups.isEmpty)
        add(.scenes, named(home.scenes) { ($0.name, scene($0)) }, unless: home.scenes.isEmpty)
        add(.automations, named(home.automations) { ($0.name, automation($0)) }, unless: home.automations.isEmpty)
        add(.users, named(home.users) { ($0.name, user($0)) }, unless: home.users.isEmpty)
        return members
    }

    private static func named<Thing>(
        _ things: [Thing],
        _ member: (Thing) -> (Placed<ObjectName>, DefinitionTree)
    ) -> DefinitionTree {
        .map(
            things.map { thing in
                let (name, value) = member(thing)
                return .init(name.value.text, value)
            }
        )
    }

    private static func texts(_ names: [Placed<String>]) -> DefinitionTree {
        .list(names.map { .text($0.value) })
    }

    private static func number(_ value: Double) -> DefinitionTree {
        .number(JSONNumber(value) ?? 0)
    }

    // MARK: Things

    private static func user(_ user: DocumentedUser) -> DefinitionTree {
        let role = DefinitionTree.text(user.role.rawValue)
        guard user.isRemote else { return role }
        return .inlineMap([.init(UserKey.role.rawValue, role), .init(UserKey.remote.rawValue, .flag(true))])
    }

    private static func placement(_ accessory: DocumentedPlacement) -> DefinitionTree {
        var members: [Member] = []
        func add(_ key: PlacementKey, _ value: DefinitionTree?) {
            if let value {
                members.append(.init(key.rawValue, value))
            }
        }
        add(.accessory, .text(accessory.accessory.value))
        add(.name, accessory.name.map { .text($0.value.text) })
        add(.room, accessory.room.map { .text($0.value) })
        add(.bridge, accessory.bridge.map { .text($0.value) })
        add(.deviceID, accessory.deviceID.map { .text($0.description) })
        add(.aid, accessory.aid.map { .number(.unsigned($0.rawValue)) })
        add(.category, accessory.category.map(category))
        add(
            .services,
            accessory.services.isEmpty ? nil : .map(accessory.services.map { .init($0.key.value, service($0)) })
        )
        return .map(members)
    }

    private static func category(_ category: AccessoryCategory) -> DefinitionTree {
        let name = category.description
        return AccessoryCategory(named: name) == category ? .text(name) : .number(.unsigned(UInt64(category.rawValue)))
    }

    private static func service(_ service: DocumentedPlacement.Service) -> DefinitionTree {
        var members: [Member] = []
        func add(_ key: PlacedServiceKey, _ value: String?) {
            if let value {
                members.append(.init(key.rawValue, .text(value)))
            }
        }
        if let name = service.name, service.type == nil, service.room == nil, service.associatedType == nil {
            return .text(name.value.text)
        }
        add(.type, service.type?.written)
        add(.name, service.name?.value.text)
        add(.room, service.room?.value)
        add(.associatedType, service.associatedType?.value.written)
        return .inlineMap(members)
    }

    private static func scene(_ scene: DocumentedScene) -> DefinitionTree {
        let actions = DefinitionTree.list(scene.actions.map(action))
        guard scene.kind.isBuiltIn else { return actions }
        return .map([
            .init(SceneKey.kind.rawValue, .text(scene.kind.rawValue)), .init(SceneKey.actions.rawValue, actions),
        ])
    }

    private static func action(_ action: DocumentedAction) -> DefinitionTree {
        .inlineMap([
            .init(ActionKey.set.rawValue, .text(action.characteristic.value)),
            .init(ActionKey.to.rawValue, value(action.value.value)),
        ])
    }

    private static func value(_ value: DocumentedValue) -> DefinitionTree {
        switch value {
        case .bool(let flag): .flag(flag)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .spelt(let value, _): self.value(value)
        }
    }

    // MARK: Automations

    private static func automation(_ automation: DocumentedAutomation) -> DefinitionTree {
        var members: [Member] = []
        func add(_ key: AutomationKey, _ value: DefinitionTree) {
            members.append(.init(key.rawValue, value))
        }
        add(.when, .inlineMap(trigger(automation.trigger)))
        if let condition = automation.condition {
            add(.condition, .inlineMap(self.condition(condition)))
        }
        let scenes = automation.scenes.map { DefinitionTree.text($0.value) }
        add(.run, .list(scenes + automation.actions.map(action)))
        if let end = automation.end {
            add(.end, self.end(end))
        }
        if !automation.isEnabled {
            add(.enabled, .flag(false))
        }
        return .map(members)
    }

    private static func end(_ end: DocumentedEnd) -> DefinitionTree {
        var members: [Member] = []
        if let test = end.test {
            members.append(
                .init(EndKey.when.rawValue, .inlineMap(self.test(test, equals: TriggerKey.becomes.rawValue)))
            )
        }
        if let delay = end.delay {
            members.append(.init(EndKey.after.rawValue, .word(HomeWords.text(delay))))
        }
        if let actions = end.actions {
            members.append(.init(EndKey.set.rawValue, .list(actions.map(action))))
        } else {
            members.append(.init(EndKey.restore.rawValue, .flag(true)))
        }
        return .map(members)
    }

    private static func test(_ test: DocumentedTest, equals key: String) -> [Member] {
        var members: [Member] = [.init(TriggerKey.characteristic.rawValue, .text(test.characteristic.value))]
        switch test.test {
        case .equals(let value): members.append(.init(key, self.value(value.value)))
        case .changes: members.append(.init(TriggerKey.changes.rawValue, .flag(true)))
        case .above(let limit): members.append(.init(TriggerKey.above.rawValue, .number(limit)))
        case .below(let limit): members.append(.init(TriggerKey.below.rawValue, .number(limit)))
        case .within(let range):
            let text = "\(range.lowerBound.definitionText)...\(range.upperBound.definitionText)"
            members.append(.init(TriggerKey.within.rawValue, .word(text)))
        }
        return members
    }

    private static func trigger(_ trigger: DocumentedTrigger) -> [Member] {
        func member(_ key: TriggerKey, _ value: DefinitionTree) -> Member { .init(key.rawValue, value) }
        switch trigger {
        case .characteristic(let test): return self.test(test, equals: TriggerKey.becomes.rawValue)
        case .timeOfDay(let time, let recurrence):
            return [member(.time, .text(time.description))] + self.recurrence(recurrence, unless: .daily)
        case .calendar(let date, let recurrence):
            return [member(.date, .text(date.description))] + self.recurrence(recurrence, unless: .once)
        case .sun(let event, let offset, let recurrence):
            return [member(.sun, .text(HomeWords.text(event, offset)))] + self.recurrence(recurrence, unless: .daily)
        case .firstArrives, .lastLeaves, .everyoneArrives:
            let word = HomeWords.events.first { $0.1 == trigger }?.0 ?? ""
            return [member(.presence, .text(word))]
        case .arrives(let user): return [member(.arrives, .text(user.value))]
        case .leaves(let user): return [member(.leaves, .text(user.value))]
        case .interval(let interval, let start):
            return [member(.interval, .word(HomeWords.text(interval)))]
                + (start.map { [member(.from, .text($0.description))] } ?? [])
        }
    }

    private static func recurrence(_ recurrence: Recurrence, unless standard: Recurrence) -> [Member] {
        if recurrence == standard { return [] }
        let every: String
        switch recurrence {
        case .daily: return [.init(TriggerKey.on.rawValue, .text(HomeWords.everyDay))]
        case .weekly(let days): return [.init(TriggerKey.on.rawValue, self.days(days))]
        case .everyDays(let count): every = count == 1 ? "day" : "\(count) days"
        case .everyWeeks(let count): every = count == 1 ? "week" : "\(count) weeks"
        case .everyMonths(let count): every = count == 1 ? "month" : "\(count) months"
        case .yearly: every = "year"
        case .once: return []
        }
        return [.init(TriggerKey.every.rawValue, .text(every))]
    }

    private static func days(_ days: WeekdaySet) -> DefinitionTree {
        if let group = HomeWords.dayGroups.first(where: { $0.1 == days }) { return .text(group.0) }
        return .list(days.days.map { .text($0.name) })
    }

    private static func condition(_ condition: DocumentedCondition) -> [Member] {
        func member(_ key: ConditionKey, _ value: DefinitionTree) -> Member { .init(key.rawValue, value) }
        func list(_ parts: [DocumentedCondition]) -> DefinitionTree {
            .list(parts.map { .inlineMap(self.condition($0)) })
        }
        switch condition {
        case .all(let parts): return [member(.all, list(parts))]
        case .any(let parts): return [member(.any, list(parts))]
        case .not(let part): return [member(.not, .inlineMap(self.condition(part)))]
        case .characteristic(let test): return self.test(test, equals: ConditionKey.is.rawValue)
        case .time(let start, let end):
            return [member(.after, .text(HomeWords.text(start))), member(.before, .text(HomeWords.text(end)))]
        case .days(let days): return [member(.days, self.days(days))]
        case .anyone, .noOne, .everyone:
            return [member(.presence, .text(HomeWords.states.first { $0.1 == condition }?.0 ?? ""))]
        case .home(let user): return [member(.home, .text(user.value))]
        }
    }
}
