internal import AccessoryModel
internal import Documents

/// A state machine that runs the automations of a home: it receives events and the time, and returns actions and
/// journal entries.
///
/// It reads no clock and makes no calls. Its owner reports every ``EngineInput``, performs the ``EngineAction``s in
/// order, and calls ``advance(to:)`` at ``nextDeadline`` or earlier. The owner also reports the consequences of these
/// actions, in the same way as all other events. The same sequence of calls always returns the same actions.
///
/// ```swift
/// var engine = HomeEngine(home: home, calendar: zone, startedAt: now)
/// let actions = engine.observe(.value(door, 2), at: later)
/// ```
///
/// An automation runs at most 10 times in 60 s. Automations that trigger each other form a chain. The engine stops a
/// chain before one automation runs in it for the fourth time, and after 32 runs.
///
/// Time passes only through calls. An owner that advances from deadline to deadline, for example to simulate a week, misses
/// nothing. The engine may notice a trigger late, because the machine slept or its clock was set forward. If the
/// trigger is more than 10 minutes late, the engine skips it and records that in the journal. The engine never skips an
/// end. If the clock is set back by more than a minute, the engine calculates all deadlines again.
package struct HomeEngine: Sendable {
    /// The current home.
    package internal(set) var home: Home
    var calendar: any CivilCalendar
    var now: WallInstant
    var automationStates: [AutomationState] = []
    var index: EngineIndex
    var values = ValueCache()
    var presence = PresenceTracker()
    var deadlines = DeadlineQueue()
    var causes = CauseTracker()
    var solarDays: [CivilDate: SolarDay] = [:]
    /// Actions that the next call returns first.
    private var queuedActions: [EngineAction] = []

    /// Creates an engine that knows no values.
    ///
    /// - Parameters:
    ///   - home: A valid home.
    ///   - calendar: The calendar in the time zone of the home.
    ///   - now: The start instant. The engine skips earlier triggers, except for those since `memory` was stored that
    ///     are at most 10 minutes late.
    ///   - memory: The state of an earlier engine for the home.
    package init(
        home: Home,
        calendar: any CivilCalendar,
        startedAt now: WallInstant,
        memory: EngineState = EngineState()
    ) {
        self.home = home
        self.calendar = calendar
        self.now = now
        index = EngineIndex(home)
        for user in home.users {
            // The home takes precedence, because changes of presence are recorded there while no engine runs.
            _ = presence.update(user.id, isHome: user.isHome ?? memory.presence[user.id])
        }
        automationStates = Self.automationStates(of: home, since: now)
        let earliest = min(max(memory.lastInstant ?? now, now.advanced(by: .zero - Self.latenessLimit)), now)
        var ends = memory.pendingEnds
        var said: [EngineAction] = []
        for position in automationStates.indices {
            let automation = automationStates[position].automation
            if let since = memory.intervalStarts[automation.id], automation.rule.hasIntervalWithoutStart {
                automationStates[position].intervalStart = min(since, now)
            }
            if let stored = ends.removeValue(forKey: automation.id), !automationStates[position].resume(stored, at: now)
            {
                journal(.endCancelled(.endRemoved), of: position, into: &said)
            }
            scheduleTrigger(of: position, after: earliest)
            scheduleEnd(of: position)
        }
        for automation in ends.keys.sorted() {
            // The name of a removed automation is not stored.
            said.append(entry(.endCancelled(.automationRemoved), of: automation, named: "An automation"))
        }
        queuedActions = said
    }

    /// The latest instant at which ``advance(to:)`` must be called, or `nil` if there is no deadline.
    package var nextDeadline: WallInstant? {
        queuedActions.isEmpty ? deadlines.first?.instant : now
    }

    /// The state that the next engine for this home needs.
    package var state: EngineState {
        let ends = automationStates.compactMap { slot in slot.pending.map { (slot.automation.id, $0) } }
        let since = automationStates.compactMap { slot in
            slot.automation.rule.hasIntervalWithoutStart ? (slot.automation.id, slot.intervalStart) : nil
        }
        return EngineState(
            pendingEnds: Dictionary(ends) { first, _ in first },
            presence: presence.isHomeByUser,
            intervalStarts: Dictionary(since) { first, _ in first },
            lastInstant: now
        )
    }

    /// Processes an event, after all deadlines up to its instant.
    package mutating func observe(_ observation: EngineInput, at instant: WallInstant) -> [EngineAction] {
        var actions = dequeueActions()
        processDeadlines(through: instant, into: &actions)
        switch observation {
        case .value(let selector, let value?):
            updateValue(value, of: selector, into: &actions)
        case .value(let selector, nil):
            values.markUnknown(selector)
        case .unreachable(let accessory):
            for service in index.objects.accessory(accessory)?.services ?? [] {
                for characteristic in service.characteristics {
                    values.markUnknown(CharacteristicSelector(service: service.id, type: characteristic.type))
                }
            }
        case .presence(let user, let isHome):
            updatePresence(of: user, isHome: isHome, into: &actions)
        }
        return actions
    }

    /// Processes all deadlines up to an instant.
    package mutating func advance(to instant: WallInstant) -> [EngineAction] {
        var actions = dequeueActions()
        processDeadlines(through: instant, into: &actions)
        return actions
    }

    static func automationStates(of home: Home, since now: WallInstant) -> [AutomationState] {
        home.automations.map { AutomationState(automation: $0, intervalStart: now) }
    }

    /// Returns the queued actions, which come first in a result, and empties the queue.
    mutating func dequeueActions() -> [EngineAction] {
        defer { queuedActions = [] }
        return queuedActions
    }
}

// MARK: - Events

extension HomeEngine {
    private mutating func updateValue(
        _ value: CharacteristicValue,
        of selector: CharacteristicSelector,
        into actions: inout [EngineAction]
    ) {
        guard index.objects.service(selector.service) != nil else { return }
        // A press is not a state: it has no previous value, and repeated presses count.
        let isPress = selector.type.isButton
        let before = isPress ? nil : values.update(value, of: selector)
        if let before, before.wasKnown, before.last == value { return }
        let chain = causes.chain(for: selector, value, canBeSet: !index.readOnly.contains(selector), at: now)
        // Ends come first, so that a run that this value starts is not ended by the same value.
        for position in index.endsByCharacteristic[selector] ?? [] {
            checkEndTest(value, after: before?.last, of: position, into: &actions)
        }
        // The triggers of one automation are adjacent.
        var fired: Int?
        let waiting = index.triggersByCharacteristic[selector] ?? []
        // Uses indices, because a loop over the elements would copy each test, and most tests do not match the value.
        for index in waiting.indices where waiting[index].test.matches(value) {
            let (position, test) = waiting[index]
            if isPress || before?.last.map({ test.becomesTrue(from: $0, to: value) }) ?? false {
                // If several triggers of an automation fire with one value, the automation runs once.
                guard fired != position else { continue }
                fired = position
                fire(position, because: .characteristic(selector, test, value: value), of: chain, into: &actions)
            } else if test.holds(for: value) {
                let why: JournalEvent.NoChangeReason = before?.last == nil ? .firstValue : .alreadyTrue
                journal(.noChange(selector, test, value: value, why), of: position, into: &actions)
            }
        }
    }

    private mutating func updatePresence(
        of user: ObjectID<HomeUser>,
        isHome: Bool?,
        into actions: inout [EngineAction]
    ) {
        guard let place = home.users.firstIndex(where: { $0.id == user }) else { return }
        home.users[place].isHome = isHome
        guard presence.update(user, isHome: isHome) else { return }
        for position in index.presenceTriggers {
            guard
                let event = automationStates[position].automation.triggers.lazy.compactMap(\.presenceEvent)
                    .first(where: { presence.matches($0, of: user) })
            else { continue }
            fire(position, because: .presence(event, user), of: [], into: &actions)
        }
    }
}

extension AutomationRule<HomeIDs> {
    /// Whether the rule has an interval that counts from the creation of the automation.
    var hasIntervalWithoutStart: Bool {
        triggers.contains { if case .interval(_, nil) = $0 { true } else { false } }
    }
}

extension Trigger<HomeIDs> {
    fileprivate var presenceEvent: PresenceEvent<ObjectID<HomeUser>>? {
        if case .presence(let event) = self { event } else { nil }
    }
}

extension CharacteristicTest<CharacteristicValue> {
    /// Returns whether the test accepts a value, regardless of the previous value.
    func matches(_ value: CharacteristicValue) -> Bool {
        switch self {
        case .changes: true
        case .equals, .above, .below, .within: holds(for: value)
        }
    }
}
