internal import AccessoryModel

/// A checker of the rules for automations in one home.
struct AutomationRuleChecker {
    let home: Home
    fileprivate let index: HomeIndex

    /// Creates a checker for a home.
    init(_ home: Home) {
        self.init(home, HomeIndex(home))
    }

    /// Creates a checker for a home with its index.
    init(_ home: Home, _ index: HomeIndex) {
        self.home = home
        self.index = index
    }

    /// Returns the rules that an automation breaks.
    func violations(of automation: Automation) -> [HomeError] {
        var check = AutomationCheck(checker: self, path: "\(home.name)/\(automation.name)")
        check.check(automation.rule)
        return check.errors
    }
}

extension Automation {
    /// Returns the rules that the automation breaks in a home, in its own parts and in its references.
    ///
    /// The name and the id are checked elsewhere.
    public func violations(in home: Home) -> [HomeError] {
        AutomationRuleChecker(home).violations(of: self)
    }
}

/// A single pass over an automation that collects the broken rules.
private struct AutomationCheck {
    let checker: AutomationRuleChecker
    let path: String
    var errors: [HomeError] = []

    private static let allowedIntervals: ClosedRange<Duration> = .seconds(10) ... .seconds(366 * 86_400)
    private static let allowedDelays: ClosedRange<Duration> = .seconds(1) ... .seconds(31 * 86_400)
    private static let allowedSunOffsets: ClosedRange<Duration> = .seconds(-43_200) ... .seconds(43_200)
    private static let maximumRecurrenceCount = 1_000

    mutating func check(_ rule: AutomationRule<HomeIDs>) {
        for trigger in rule.triggers { check(trigger) }
        if rule.triggers.isEmpty {
            report(.nothingToDo, "It has no trigger.", remedy: "Add one, such as a time of day.")
        }
        let most = AutomationRule<HomeIDs>.maximumTriggers
        if rule.triggers.count > most { errors.append(.tooMany("triggers of an automation", limit: most, at: path)) }
        if let condition = rule.condition {
            // Checks the size first, because the other checks traverse the whole condition.
            if condition.isWithinLimits { check(condition) } else { reportTooDeep() }
        }
        check(rule.targets, isEnabled: rule.isEnabled)
        if let end = rule.end { check(end) }
    }

    private mutating func report(_ code: HomeError.Code, _ reason: String, remedy: String? = nil) {
        errors.append(HomeError(code, at: path, reason, remedy: remedy))
    }

    private mutating func reportTooDeep() {
        let (most, depth) = (Condition<HomeIDs>.maximumCount, Condition<HomeIDs>.maximumDepth)
        report(
            .conditionTooDeep,
            "The condition is too large: at most \(most) parts are allowed, nested at most \(depth) deep."
        )
    }

    // MARK: Triggers and ends

    private mutating func check(_ trigger: Trigger<HomeIDs>) {
        switch trigger {
        case .characteristic(let selector, let test): check(test, on: selector, by: .events)
        case .timeOfDay(_, let recurrence): check(recurrence, hasDate: false)
        case .calendar(_, let recurrence): check(recurrence, hasDate: true)
        case .sun(_, let offset, let recurrence):
            check(recurrence, hasDate: false)
            check(sunOffset: offset)
        case .presence(.arrives(let user)), .presence(.leaves(let user)): check(user)
        case .presence(.firstArrives), .presence(.lastLeaves), .presence(.everyoneArrives), .presence(.anyoneArrives),
            .presence(.anyoneLeaves):
            break
        case .interval(let interval, _): check(interval, Self.allowedIntervals, "An interval", "10 s to 366 days")
        }
    }

    private mutating func check(_ recurrence: Recurrence, hasDate: Bool) {
        if recurrence.needsDate, !hasDate {
            let remedy = "Add a start date, or use daily or days of the week."
            report(.recurrence, "The recurrence \"\(recurrence)\" needs a start date.", remedy: remedy)
            return
        }
        switch recurrence {
        case .weekly(let days):
            if days.isEmpty { report(.recurrence, "No day of the week is chosen.") }
        case .everyDays(let count), .everyWeeks(let count), .everyMonths(let count):
            guard !(1...Self.maximumRecurrenceCount ~= count) else { break }
            let remedy = "Use a number from 1 to \(Self.maximumRecurrenceCount)."
            report(.recurrence, "A recurrence cannot be every \(count) days, weeks or months.", remedy: remedy)
        case .once, .daily, .yearly: break
        }
    }

    private mutating func check(sunOffset offset: Duration) {
        check(offset, Self.allowedSunOffsets, "An offset from the sun", "12 h at most")
        if checker.home.place == nil {
            report(.placeMissing, "The home has no place, so its sunrise and sunset are unknown.")
        }
    }

    private mutating func check(_ end: EndEvent<HomeIDs>) {
        let (test, delay) = end.timing.components
        if let (selector, test) = test { check(test, on: selector, by: .events) }
        if let delay { check(delay, Self.allowedDelays, "The delay of an end", "1 s to 31 days") }
        guard case .actions(let actions) = end.effect else { return }
        check(actions)
        if actions.isEmpty { report(.nothingToDo, "Its end has no actions.") }
    }

    private mutating func check(
        _ duration: Duration,
        _ range: ClosedRange<Duration>,
        _ what: String,
        _ limits: String
    ) {
        guard !range.contains(duration) else { return }
        report(.durationOutOfRange, "\(what) of \(duration.phrase) is not allowed; the limits are \(limits).")
    }

    // MARK: Conditions

    private mutating func check(_ condition: Condition<HomeIDs>) {
        switch condition {
        case .all(let parts), .any(let parts):
            for part in parts { check(part) }
            guard parts.isEmpty else { break }
            report(.emptyCondition, "A combined condition is empty.", remedy: "Add a condition to it, or omit it.")
        case .not(let part): check(part)
        case .characteristic(let selector, let test):
            check(test, on: selector, by: [.read, .events])
            guard case .changes = test else { break }
            let remedy = "Use the change as a trigger, or test the value."
            report(.invalidValue, "A condition cannot test for a change.", remedy: remedy)
        case .time(let start, let end):
            for case .sun(_, let offset) in [start, end] { check(sunOffset: offset) }
            guard start == end else { break }
            report(.emptyCondition, "A time window begins and ends at the same time.", remedy: "Give it another end.")
        case .days(let days):
            if days.isEmpty { report(.emptyCondition, "No day of the week is chosen.") }
        case .presence(.user(let user)): check(user)
        case .presence(.anyone), .presence(.noOne), .presence(.everyone): break
        }
    }

    // MARK: References

    /// - Parameter ways: The permissions of which the characteristic needs at least one. Triggers and ends accept only
    ///   the event permission, because a characteristic that can only be read does not report its changes.
    private mutating func check(
        _ test: CharacteristicTest<CharacteristicValue>,
        on selector: CharacteristicSelector,
        by ways: CharacteristicPermissions
    ) {
        guard let service = checker.index.service(selector.service) else {
            errors.append(.unknown("service", "\(selector.service)", at: path))
            return
        }
        guard let characteristic = service.characteristic(selector.type) else {
            errors.append(.noSuchCharacteristic(selector.type, of: service.name.text, at: path))
            return
        }
        if characteristic.permissions.isDisjoint(with: ways) {
            let reason = ways.contains(.read) ? "can be neither read nor watched" : "does not report its changes"
            report(.unobservable, "\(checker.index.text(of: selector)) \(reason).")
        } else if !test.isApplicable(to: characteristic.metadata) {
            let remedy = "It takes \(characteristic.base.allowedValues)."
            report(
                .invalidValue,
                "\"\(checker.index.text(of: test, on: selector))\" can never be true.",
                remedy: remedy
            )
        }
    }

    /// - Parameter isEnabled: Whether there must be something to run.
    private mutating func check(_ targets: AutomationTargets<HomeIDs>, isEnabled: Bool) {
        guard targets.scenes.count <= HomeLimits.scenes else {
            errors.append(.tooMany("scenes of an automation", limit: HomeLimits.scenes, at: path))
            return
        }
        check(targets.ownActions)
        errors += targets.scenes.filter { checker.index.scene($0) == nil }.map { .unknown("scene", "\($0)", at: path) }
        if isEnabled, targets.scenes.isEmpty, targets.ownActions.isEmpty {
            report(.nothingToDo, "It runs no scenes or actions.")
        }
    }

    private mutating func check(_ actions: [HomeAction]) {
        guard actions.count <= HomeLimits.actions else {
            errors.append(.tooMany("actions of an automation", limit: HomeLimits.actions, at: path))
            return
        }
        errors += Home.violations(of: actions, at: path, in: checker.index)
    }

    private mutating func check(_ user: ObjectID<HomeUser>) {
        if checker.index.user(user) == nil { errors.append(.unknown("user", "\(user)", at: path)) }
    }
}
