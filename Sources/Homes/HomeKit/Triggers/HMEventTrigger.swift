internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// A trigger that fires when one of its events occurs, on given days and while a predicate is true.
open class HMEventTrigger: HMTrigger, @unchecked Sendable {
    private let own: Mutex<Unchecked<Parts>>
    /// The event objects, cached until the stored events change.
    private let loaded = Mutex<(stored: [Trigger<HomeIDs>], objects: [HMEvent])?>(nil)

    /// The contents of a trigger that is not in a home yet.
    private struct Parts {
        var events: [HMEvent]
        var endEvents: [HMEvent]
        var recurrences: [DateComponents]?
        var predicate: NSPredicate?
    }

    /// Creates a trigger, which can be added to a home.
    public init(name: String, events: [HMEvent], predicate: NSPredicate?) {
        own = Mutex(Unchecked(Parts(events: events, endEvents: [], recurrences: nil, predicate: predicate)))
        super.init(name: name)
    }

    /// Creates a trigger, which can be added to a home.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the triggers of the home.
    ///   - events: The events, any of which fires the trigger.
    ///   - endEvents: One duration, or one characteristic or threshold range event, after which the former values are
    ///     restored; empty or `nil` if the changes persist. Others are refused with `operationNotSupported`.
    ///   - recurrences: The days of the week on which the trigger fires, each with a `weekday`; `nil` for all days.
    ///   - predicate: One of this class, or a combination of them; others are refused with `invalidParameter`.
    public init(
        name: String,
        events: [HMEvent],
        end endEvents: [HMEvent]?,
        recurrences: [DateComponents]?,
        predicate: NSPredicate?
    ) {
        own = Mutex(
            Unchecked(
                Parts(events: events, endEvents: endEvents ?? [], recurrences: recurrences, predicate: predicate)
            )
        )
        super.init(name: name)
    }

    override init(_ modelReference: ModelReference<Automation>) {
        own = Mutex(Unchecked(Parts(events: [], endEvents: [], recurrences: nil, predicate: nil)))
        super.init(modelReference)
    }

    private var parts: Parts { own.withLock { $0 }.value }

    // MARK: Parts

    /// The events, any of which fires the trigger.
    open var events: [HMEvent] {
        guard let modelReference else { return parts.events }
        let triggers = modelReference.model.triggers
        if let known = loaded.withLock({ $0 }), known.stored == triggers { return known.objects }
        let objects = triggers.compactMap { HMEvent.event(for: $0, modelReference) }
        loaded.withLock { $0 = (triggers, objects) }
        return objects
    }

    /// The events after which the trigger's changes end; empty if they persist.
    open var endEvents: [HMEvent] {
        guard let modelReference else { return parts.endEvents }
        switch modelReference.model.end?.timing {
        case .after(let delay): return [HMDurationEvent(duration: TimeInterval(delay.components.seconds))]
        case .when(let selector, let test):
            return [HMEvent.event(for: .characteristic(selector, test), modelReference)].compactMap(\.self)
        case .whenThenAfter(let selector, let test, let delay):
            return [HMEvent.event(for: .characteristic(selector, test), modelReference)].compactMap(\.self)
                + [HMDurationEvent(duration: TimeInterval(delay.components.seconds))]
        case nil: return []
        }
    }

    /// The days of the week on which the trigger fires, each with a `weekday`; `nil` for all days.
    open var recurrences: [DateComponents]? {
        guard let modelReference else { return parts.recurrences }
        return modelReference.model.condition?.splittingDays.days?.components
    }

    /// The condition for firing, or `nil` if the trigger always fires.
    open var predicate: NSPredicate? {
        guard let modelReference else { return parts.predicate }
        return modelReference.model.condition?.splittingDays.rest
            .map { HMConditionPredicate.predicate(for: $0, modelReference) }
    }

    /// Whether the trigger disables itself when it has fired.
    open var executeOnce: Bool { modelReference?.model.executesOnce ?? false }

    /// Whether the trigger is enabled and a process is running the triggers of its home.
    open var triggerActivationState: HMEventTriggerActivationState {
        guard isEnabled, let modelReference else { return .disabled }
        return modelReference.context.home(modelReference.home)?.homeHubState == .connected
            ? .enabled : .disabledNoHomeHub
    }

    override func rule(in home: Home) throws(HMError) -> AutomationRule<HomeIDs> {
        let parts = parts
        let predicate = try parts.predicate.map { predicate throws(HMError) in
            try HMConditionPredicate.condition(of: predicate, in: home)
        }
        return AutomationRule(
            isEnabled: false,
            triggers: try Self.triggers(parts.events, in: home),
            condition: Condition(days: try Self.days(parts.recurrences), rest: predicate),
            targets: AutomationTargets(),
            end: try Self.end(parts.endEvents, in: home)
        )
    }

    private static func triggers(_ events: [HMEvent], in home: Home) throws(HMError) -> [Trigger<HomeIDs>] {
        guard !events.isEmpty else { throw .invalid("A trigger needs an event.") }
        var triggers: [Trigger<HomeIDs>] = []
        for event in events { triggers.append(try event.stored(in: home)) }
        return triggers
    }

    private static func days(_ recurrences: [DateComponents]?) throws(HMError) -> WeekdaySet? {
        guard let recurrences, !recurrences.isEmpty else { return nil }
        var days: [Weekday] = []
        for recurrence in recurrences {
            guard let day = recurrence.weekday.flatMap(Weekday.init(foundation:)) else {
                throw .unsupported("Each recurrence needs a weekday from 1 to 7, and nothing else.")
            }
            days.append(day)
        }
        return WeekdaySet(days)
    }

    private static func end(_ events: [HMEvent], in home: Home) throws(HMError) -> EndEvent<HomeIDs>? {
        guard let event = events.first else { return nil }
        guard events.count == 1 else {
            throw .unsupported("Only one end event is supported: a duration, a characteristic or a threshold range.")
        }
        if let duration = (event as? HMDurationEvent)?.duration {
            guard duration.isFinite, 1...31 * 86_400 ~= duration else {
                throw .invalid("The duration must be from 1 s to 31 days.")
            }
            return EndEvent(.after(.seconds(Int(duration))), .restore)
        }
        guard case .characteristic(let selector, let test) = try event.stored(in: home) else {
            throw .unsupported("An end event is a duration, a characteristic or a threshold range.")
        }
        return EndEvent(.when(selector, test), .restore)
    }

    // MARK: Changes

    /// Changes the events.
    open func updateEvents(_ events: [HMEvent], completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        updating(events: events).report(to: completionHandler)
    }

    /// Changes the events.
    open func updateEvents(_ events: [HMEvent]) async throws { try await updating(events: events).value }

    private func updating(events: [HMEvent]) -> PendingResult<Void> {
        change { rule, home throws(HMError) in rule.triggers = try Self.triggers(events, in: home) }
    }

    /// Changes the event after which the former values are restored; none if the changes persist.
    open func updateEndEvents(_ endEvents: [HMEvent], completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        updating(endEvents: endEvents).report(to: completionHandler)
    }

    /// Changes the event after which the former values are restored; none if the changes persist.
    open func updateEndEvents(_ endEvents: [HMEvent]) async throws { try await updating(endEvents: endEvents).value }

    private func updating(endEvents: [HMEvent]) -> PendingResult<Void> {
        change { rule, home throws(HMError) in rule.end = try Self.end(endEvents, in: home) }
    }

    /// Changes the condition for firing; `nil` means that the trigger always fires.
    open func updatePredicate(_ predicate: NSPredicate?, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    {
        updating(predicate: predicate).report(to: completionHandler)
    }

    /// Changes the condition for firing; `nil` means that the trigger always fires.
    open func updatePredicate(_ predicate: NSPredicate?) async throws {
        try await updating(predicate: predicate).value
    }

    /// Changes the days of the week on which the trigger fires; `nil` for all days.
    open func updateRecurrences(
        _ recurrences: [DateComponents]?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        updating(recurrences: recurrences).report(to: completionHandler)
    }

    /// Changes the days of the week on which the trigger fires; `nil` for all days.
    open func updateRecurrences(_ recurrences: [DateComponents]?) async throws {
        try await updating(recurrences: recurrences).value
    }

    private func updating(predicate: NSPredicate?) -> PendingResult<Void> {
        let predicate = Unchecked(predicate)
        return change { rule, home throws(HMError) in
            let new = try predicate.value.map { predicate throws(HMError) in
                try HMConditionPredicate.condition(of: predicate, in: home)
            }
            rule.condition = Condition(days: rule.condition?.splittingDays.days, rest: new)
        }
    }

    private func updating(recurrences: [DateComponents]?) -> PendingResult<Void> {
        change { rule, _ throws(HMError) in
            rule.condition = Condition(days: try Self.days(recurrences), rest: rule.condition?.splittingDays.rest)
        }
    }

    /// Changes whether the trigger disables itself when it has fired.
    open func updateExecuteOnce(_ executeOnce: Bool, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        change { rule, _ in rule.executesOnce = executeOnce }.report(to: completionHandler)
    }

    /// Changes whether the trigger disables itself when it has fired.
    open func updateExecuteOnce(_ executeOnce: Bool) async throws {
        try await change { rule, _ in rule.executesOnce = executeOnce }.value
    }
}

extension Weekday {
    /// Creates a day from Foundation's number, which is 1 on Sunday; `nil` for another number.
    init?(foundation number: Int) {
        guard 1...7 ~= number else { return nil }
        self = Self.allCases[(number + 5) % 7]
    }

    /// Foundation's number, which is 1 on Sunday.
    var foundation: Int { ((Self.allCases.firstIndex(of: self) ?? 0) + 1) % 7 + 1 }
}

extension WeekdaySet {
    /// A component for each day.
    fileprivate var components: [DateComponents] { days.map { DateComponents(weekday: $0.foundation) } }
}

extension Condition<HomeIDs> {
    /// Creates the condition of a trigger; `nil` for days and a rest that are both `nil`.
    fileprivate init?(days: WeekdaySet?, rest: Condition?) {
        switch (days, rest) {
        case (let days?, let rest?): self = .all([.days(days), rest])
        case (let days?, nil): self = .days(days)
        case (nil, let rest?): self = rest
        case (nil, nil): return nil
        }
    }

    /// The days of the week at the beginning of the condition, and the rest of it.
    fileprivate var splittingDays: (days: WeekdaySet?, rest: Condition?) {
        switch self {
        case .days(let days): return (days, nil)
        case .all(let parts):
            guard case .days(let days)? = parts.first, parts.count > 1 else { return (nil, self) }
            let rest = Array(parts.dropFirst())
            return (days, rest.count == 1 ? rest[0] : .all(rest))
        default: return (nil, self)
        }
    }
}

extension Optional {
    /// Maps the value with a function that throws an error of one type.
    fileprivate func map<Result, Failure: Error>(
        _ transform: (Wrapped) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let self else { return nil }
        return try transform(self)
    }
}
