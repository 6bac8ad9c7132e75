internal import AccessoryModel

/// Holds automations against the rules, in one home.
struct AutomationRules {
    let home: Home
    private let services: [ObjectID<HomeService>: HomeService]
    private let scenes: Set<ObjectID<HomeScene>>
    private let users: Set<ObjectID<HomeUser>>

    /// Looks at a home.
    init(_ home: Home) {
        self.home = home
        services = Dictionary(home.accessories.lazy.flatMap(\.services).map { ($0.id, $0) }) { first, _ in first }
        scenes = Set(home.scenes.map(\.id))
        users = Set(home.users.map(\.id))
    }

    /// The rules that an automation breaks.
    func violations(of automation: Automation) -> [HomeError] {
        let place = "\(home.name)/\(automation.name)"
        var found = automation.triggers.flatMap { violations(of: $0, at: place) }
        if automation.triggers.isEmpty {
            found.append(
                HomeError(
                    .nothingToDo,
                    at: place,
                    "It waits for nothing.",
                    remedy: "Give it a trigger, such as a time of day."
                )
            )
        }
        if automation.triggers.count > AutomationRule<HomeIDs>.maximumTriggers {
            found.append(
                .tooMany("triggers of an automation", limit: AutomationRule<HomeIDs>.maximumTriggers, at: place)
            )
        }
        if let condition = automation.condition {
            found += violations(of: condition, at: place)
        }
        found += violations(of: automation.targets, at: place)
        if let end = automation.end {
            found += violations(of: end, at: place)
        }
        return found
    }
}

// MARK: - Triggers and ends

extension AutomationRules {
    private func violations(of trigger: Trigger<HomeIDs>, at place: String) -> [HomeError] {
        switch trigger {
        case .characteristic(let selector, let test):
            return violations(of: test, on: selector, by: .events, at: place)
        case .timeOfDay(_, let recurrence):
            return violations(of: recurrence, hasDate: false, at: place)
        case .calendar(_, let recurrence):
            return violations(of: recurrence, hasDate: true, at: place)
        case .sun(_, let offset, let recurrence):
            return violations(of: recurrence, hasDate: false, at: place) + violations(ofSunWith: offset, at: place)
        case .presence(let event):
            switch event {
            case .firstArrives, .lastLeaves, .everyoneArrives, .anyoneArrives, .anyoneLeaves: return []
            case .arrives(let user), .leaves(let user): return violations(of: user, at: place)
            }
        case .interval(let interval, _):
            return violations(of: interval, Self.intervals, "An interval", "10 s to 366 days", at: place)
        }
    }

    private func violations(of recurrence: Recurrence, hasDate: Bool, at place: String) -> [HomeError] {
        if recurrence.needsDate, !hasDate {
            return [
                HomeError(
                    .recurrence,
                    at: place,
                    "What happens \(recurrence) counts from a date, and there is none.",
                    remedy: "Say from which date on, or take daily or days of the week."
                )
            ]
        }
        switch recurrence {
        case .weekly(let days) where days.isEmpty:
            return [
                HomeError(.recurrence, at: place, "No day of the week is chosen.", remedy: "Choose at least one day.")
            ]
        case .everyDays(let count), .everyWeeks(let count), .everyMonths(let count):
            guard !(1...Self.recurrences ~= count) else { return [] }
            return [
                HomeError(
                    .recurrence,
                    at: place,
                    "Something cannot happen every \(count) days, weeks or months.",
                    remedy: "Take a number from 1 to \(Self.recurrences)."
                )
            ]
        case .once, .daily, .weekly, .yearly:
            return []
        }
    }

    private func violations(ofSunWith offset: Duration, at place: String) -> [HomeError] {
        var found = violations(of: offset, Self.sunOffsets, "An offset from the sun", "12 h at most", at: place)
        if home.place == nil {
            found.append(
                HomeError(
                    .placeMissing,
                    at: place,
                    "Nobody knows when the sun rises and sets: the home has no place.",
                    remedy: "Give the home its latitude and longitude with hap home change home."
                )
            )
        }
        return found
    }

    private func violations(of end: EndEvent<HomeIDs>, at place: String) -> [HomeError] {
        var found: [HomeError]
        switch end.moment {
        case .after(let delay):
            found = violations(ofDelay: delay, at: place)
        case .when(let selector, let test):
            found = violations(of: test, on: selector, by: .events, at: place)
        case .whenThenAfter(let selector, let test, let delay):
            found = violations(of: test, on: selector, by: .events, at: place)
            found += violations(ofDelay: delay, at: place)
        }
        switch end.ending {
        case .restore: break
        case .actions(let actions):
            found += violations(of: actions, at: place)
            if actions.isEmpty {
                found.append(nothingToDo("Its end does nothing.", at: place))
            }
        }
        return found
    }

    private func violations(ofDelay delay: Duration, at place: String) -> [HomeError] {
        violations(of: delay, Self.delays, "The delay of an end", "1 s to 31 days", at: place)
    }

    private func violations(
        of duration: Duration,
        _ range: ClosedRange<Duration>,
        _ what: String,
        _ limits: String,
        at place: String
    ) -> [HomeError] {
        guard !range.contains(duration) else { return [] }
        return [
            HomeError(
                .rateOfInterval,
                at: place,
                "\(what) is \(limits), not \(duration.words).",
                remedy: "Take one in that range."
            )
        ]
    }

    private static let intervals: ClosedRange<Duration> = .seconds(10) ... .seconds(366 * 86_400)
    private static let delays: ClosedRange<Duration> = .seconds(1) ... .seconds(31 * 86_400)
    private static let sunOffsets: ClosedRange<Duration> = .seconds(-43_200) ... .seconds(43_200)
    private static let recurrences = 1_000
}

// MARK: - Conditions

extension AutomationRules {
    private func violations(of condition: Condition<HomeIDs>, at place: String) -> [HomeError] {
        // The size before anything else: the rest walks over all of it.
        guard condition.isWithinLimits else {
            return [
                HomeError(
                    .conditionTooDeep,
                    at: place,
                    "A condition has at most \(Condition<HomeIDs>.maximumCount) parts, \(Condition<HomeIDs>.maximumDepth) inside of each other.",
                    remedy: "Make it simpler, or make two automations of it."
                )
            ]
        }
        return violations(ofSmall: condition, at: place)
    }

    private func violations(ofSmall condition: Condition<HomeIDs>, at place: String) -> [HomeError] {
        switch condition {
        case .all(let parts), .any(let parts):
            guard parts.isEmpty else { return parts.flatMap { violations(ofSmall: $0, at: place) } }
            return [
                emptyCondition("A condition of several has none.", remedy: "Give it one, or leave it out.", at: place)
            ]
        case .not(let part):
            return violations(ofSmall: part, at: place)
        case .characteristic(let selector, let test):
            let found = violations(of: test, on: selector, by: [.read, .events], at: place)
            guard case .changes = test else { return found }
            return found + [
                HomeError(
                    .invalidValue,
                    at: place,
                    "A change is a moment, and a condition is not.",
                    remedy: "Wait for the change as the trigger, or test the value."
                )
            ]
        case .time(let start, let end):
            var found = violations(of: start, at: place) + violations(of: end, at: place)
            if start == end {
                found.append(
                    emptyCondition("A time window ends when it begins.", remedy: "Give it another end.", at: place)
                )
            }
            return found
        case .days(let days):
            guard days.isEmpty else { return [] }
            return [emptyCondition("No day of the week is chosen.", remedy: "Choose at least one day.", at: place)]
        case .presence(let state):
            switch state {
            case .anyone, .noOne, .everyone: return []
            case .user(let user): return violations(of: user, at: place)
            }
        }
    }

    private func violations(of bound: TimeBound, at place: String) -> [HomeError] {
        switch bound {
        case .clock: []
        case .sun(_, let offset): violations(ofSunWith: offset, at: place)
        }
    }

    private func emptyCondition(_ reason: String, remedy: String, at place: String) -> HomeError {
        HomeError(.emptyCondition, at: place, reason, remedy: remedy)
    }
}

// MARK: - What is named

extension AutomationRules {
    /// - Parameter ways: The permissions of which one is needed: what only can be read is never known to become so.
    private func violations(
        of test: CharacteristicTest<CharacteristicValue>,
        on selector: CharacteristicSelector,
        by ways: CharacteristicPermissions,
        at place: String
    ) -> [HomeError] {
        guard let service = services[selector.service] else {
            return [.unknown("service", "\(selector.service)", at: place)]
        }
        guard let characteristic = service.characteristic(selector.type) else {
            return [.noSuchCharacteristic(selector.type, of: service.name.text, at: place)]
        }
        let name = "\(service.name)/\(characteristic.shownName)"
        guard !characteristic.permissions.isDisjoint(with: ways) else {
            let reason = ways.contains(.read) ? "can neither be read nor be watched" : "does not tell when it changes"
            return [
                HomeError(
                    .unobservable,
                    at: place,
                    "\(name) \(reason).",
                    remedy: "Test another property of the service."
                )
            ]
        }
        guard !test.suits(characteristic.metadata) else { return [] }
        return [
            HomeError(
                .invalidValue,
                at: place,
                "\(name) is never so that it \(test).",
                remedy: "It takes \(characteristic.words.allowedValues)."
            )
        ]
    }

    private func violations(of targets: AutomationTargets<HomeIDs>, at place: String) -> [HomeError] {
        var found = violations(of: targets.own, at: place)
        guard targets.scenes.count <= HomeLimits.scenes else {
            return [.tooMany("scenes of an automation", limit: HomeLimits.scenes, at: place)]
        }
        found += targets.scenes.filter { !scenes.contains($0) }.map { .unknown("scene", "\($0)", at: place) }
        if targets.scenes.isEmpty, targets.own.isEmpty {
            found.append(nothingToDo("It does nothing.", at: place))
        }
        return found
    }

    private func violations(of actions: [HomeAction], at place: String) -> [HomeError] {
        guard actions.count <= HomeLimits.actions else {
            return [.tooMany("actions of an automation", limit: HomeLimits.actions, at: place)]
        }
        var found: [HomeError] = []
        var seen: Set<CharacteristicSelector> = []
        for action in actions {
            let service = services[action.characteristic.service]
            if let error = Home.violation(of: action, on: service, at: place) {
                found.append(error)
            } else if let service, !seen.insert(action.characteristic).inserted {
                let name = action.characteristic.type.description
                found.append(.duplicateAction(name, of: service.name.text, at: place))
            }
        }
        return found
    }

    private func violations(of user: ObjectID<HomeUser>, at place: String) -> [HomeError] {
        users.contains(user) ? [] : [.unknown("user", "\(user)", at: place)]
    }

    private func nothingToDo(_ reason: String, at place: String) -> HomeError {
        HomeError(.nothingToDo, at: place, reason, remedy: "Give it a scene to run or a value to set.")
    }
}
