internal import AccessoryModel

extension HomeMerger {
    mutating func mergeAutomations() {
        var keys: Set<String> = []
        let scenes = Dictionary(home.scenes.map { ($0.name.key, $0.id) }) { first, _ in first }
        let rules = AutomationRules(home)
        for documented in document.automations where isFirst(documented.name, "automation", among: &keys) {
            let name = documented.name.value
            let index = home.automations.firstIndex { $0.name.key == name.key }
            let (waiting, wrong) = (pending.count, errors.count)
            var made = Automation(
                id: index.map { home.automations[$0].id } ?? automationNumbers[name.key] ?? ObjectID(0),
                name: name,
                isEnabled: documented.isEnabled,
                trigger: .presence(.firstArrives),
                targets: AutomationTargets()
            )
            // All parts, whatever is wrong with the first one: everything is told at once.
            let trigger = self.trigger(documented.trigger, at: name)
            made.condition = documented.condition.flatMap { condition($0, at: name) }
            made.targets.scenes = documented.scenes.compactMap { scene($0, among: scenes) }
            made.targets.own = actions(documented.actions, at: name)
            made.end = documented.end.flatMap { end($0, at: name) }
            guard errors.count == wrong, pending.count == waiting, let trigger else { continue }
            made.trigger = trigger
            let violations = rules.violations(of: made)
            for violation in violations {
                report(documented.name.place, violation)
            }
            guard violations.isEmpty else { continue }
            if let index {
                home.automations[index] = made
            } else {
                // One that went with what it set, and is written anew, is still the same one.
                home.automations.append(made.id == ObjectID(0) ? made.with(id: ObjectID(number())) : made)
            }
        }
    }

    private mutating func scene(_ name: Placed<String>, among scenes: [String: ObjectID<HomeScene>]) -> ObjectID<
        HomeScene
    >? {
        if let id = scenes[MergeDirectory.key(of: name.value)] { return id }
        report(name.place, unknown("scene", name.value, among: home.scenes.lazy.map(\.name.text)))
        return nil
    }

    private mutating func user(_ name: Placed<String>) -> ObjectID<HomeUser>? {
        let key = MergeDirectory.key(of: name.value)
        if let user = home.users.first(where: { $0.name.key == key }) { return user.id }
        report(name.place, unknown("user", name.value, among: home.users.lazy.map(\.name.text)))
        return nil
    }

    private mutating func test(
        _ documented: DocumentedTest,
        at owner: ObjectName
    ) -> (CharacteristicSelector, CharacteristicTest)? {
        guard let (selector, characteristic) = characteristic(documented.characteristic, at: owner) else { return nil }
        switch documented.test {
        case .equals(let value):
            return self.value(value, of: characteristic, at: owner).map { (selector, .equals($0)) }
        case .changes: return (selector, .changes)
        case .above(let limit): return (selector, .above(limit))
        case .below(let limit): return (selector, .below(limit))
        case .within(let range): return (selector, .within(range))
        }
    }

    mutating func trigger(_ trigger: DocumentedTrigger, at owner: ObjectName) -> Trigger? {
        switch trigger {
        case .characteristic(let documented):
            return test(documented, at: owner).map { .characteristic($0.0, $0.1) }
        case .timeOfDay(let time, let recurrence): return .timeOfDay(time, recurrence)
        case .calendar(let moment, let recurrence): return .calendar(moment, recurrence)
        case .sun(let event, let offset, let recurrence): return .sun(event, offset: offset, recurrence)
        case .firstArrives: return .presence(.firstArrives)
        case .lastLeaves: return .presence(.lastLeaves)
        case .everyoneArrives: return .presence(.everyoneArrives)
        case .arrives(let name): return user(name).map { .presence(.arrives($0)) }
        case .leaves(let name): return user(name).map { .presence(.leaves($0)) }
        case .interval(let interval, let start): return .interval(interval, from: start)
        }
    }

    mutating func condition(_ condition: DocumentedCondition, at owner: ObjectName) -> Condition? {
        switch condition {
        case .all(let parts): return .all(conditions(parts, at: owner))
        case .any(let parts): return .any(conditions(parts, at: owner))
        case .not(let part): return self.condition(part, at: owner).map { .not($0) }
        case .characteristic(let documented):
            return test(documented, at: owner).map { .characteristic($0.0, $0.1) }
        case .time(let start, let end): return .time(from: start, to: end)
        case .days(let days): return .days(days)
        case .anyone: return .presence(.anyone)
        case .noOne: return .presence(.noOne)
        case .everyone: return .presence(.everyone)
        case .home(let name): return user(name).map { .presence(.user($0)) }
        }
    }

    private mutating func conditions(_ parts: [DocumentedCondition], at owner: ObjectName) -> [Condition] {
        var conditions: [Condition] = []
        for part in parts {
            if let condition = condition(part, at: owner) {
                conditions.append(condition)
            }
        }
        return conditions
    }

    mutating func end(_ end: DocumentedEnd, at owner: ObjectName) -> EndEvent? {
        let found = end.test.flatMap { test($0, at: owner) }
        let ending: EndEvent.Ending = end.actions.map { .actions(actions($0, at: owner)) } ?? .restore
        switch (found, end.delay) {
        case (let (selector, test)?, let delay?): return EndEvent(.whenThenAfter(selector, test, delay), ending)
        case (let (selector, test)?, nil): return EndEvent(.when(selector, test), ending)
        case (nil, let delay?): return end.test == nil ? EndEvent(.after(delay), ending) : nil
        case (nil, nil): return nil
        }
    }
}

extension Automation {
    fileprivate func with(id: ObjectID<Automation>) -> Automation {
        Automation(
            id: id,
            name: name,
            isEnabled: isEnabled,
            trigger: trigger,
            condition: condition,
            targets: targets,
            end: end
        )
    }
}
