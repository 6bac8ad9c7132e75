internal import AccessoryModel

/// Runs the automations of a home: told what happens and what time it is, it answers with what is to be set, and with why.
///
/// It reads no clock and calls nothing. Who owns it tells it every ``EngineInput``, performs its ``EngineAction``s in
/// order, and calls ``advance(to:)`` no later than at ``nextDeadline``; what comes of the actions is told as everything
/// else is. The same calls give the same answers.
///
/// ```swift
/// var engine = HomeEngine(home: home, calendar: zone, startedAt: now)
/// let actions = engine.observed(.value(door, 2), at: later)
/// ```
///
/// An automation runs at most 10 times in 60 s. One that comes of its own runs, by itself or by way of others, for the
/// fourth time, or that comes of 32 in a row, does not run: they chase each other.
///
/// Time passes in its calls only. Going from deadline to deadline, as a simulated week does, misses nothing. What is
/// noticed more than 10 minutes late, since the machine slept or its clock was put forward, does not happen any more,
/// and the journal says so; an end always happens. A clock that is put back by more than a minute has everything that is
/// due by it reckoned anew.
package struct HomeEngine: Sendable {
    /// The home, as it was told last.
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
    /// The scenes, for what automations do: looked up when they run, since all actions of all would be many.
    var scenes: [ObjectID<HomeScene>: HomeScene]
    /// What is to be said with the next answer.
    private var queuedActions: [EngineAction] = []

    /// Creates an engine to which no value is known.
    ///
    /// - Parameters:
    ///   - home: A home that obeys the rules.
    ///   - calendar: The home's time zone.
    ///   - now: Nothing before this instant happens, but for what became due since `state` was kept, 10 minutes at most.
    ///   - memory: What an earlier engine for the home had to remember.
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
        scenes = Self.scenes(of: home)
        for user in home.users {
            // The home goes first: who came or went while no engine ran is noted there.
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
            // Nobody knows what it was called.
            let entry = JournalEntry(
                instant: now,
                automation: automation,
                name: "An automation",
                event: .endCancelled(.automationRemoved)
            )
            said.append(.journal(entry))
        }
        queuedActions = said
    }

    /// When ``advance(to:)`` is to be called at the latest; `nil` when nothing is due by itself.
    package var nextDeadline: WallInstant? {
        queuedActions.isEmpty ? deadlines.first?.instant : now
    }

    /// What the next engine for this home has to remember.
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

    /// Takes what the world tells, after what is due by then.
    package mutating func observe(_ observation: EngineInput, at instant: WallInstant) -> [EngineAction] {
        var actions = dequeueActions()
        processDeadlines(through: instant, into: &actions)
        switch observation {
        case .value(let selector, let value?):
            updateValue(value, of: selector, into: &actions)
        case .value(let selector, nil):
            values.markUnknown(selector)
        case .unreachable(let accessory):
            for service in index.servicesOfAccessory[accessory] ?? [] {
                for characteristic in index.services[service]?.characteristics ?? [] {
                    values.markUnknown(CharacteristicSelector(service: service, type: characteristic.type))
                }
            }
        case .presence(let user, let isHome):
            updatePresence(of: user, isHome: isHome, into: &actions)
        }
        return actions
    }

    /// Does what is due by an instant.
    package mutating func advance(to instant: WallInstant) -> [EngineAction] {
        var actions = dequeueActions()
        processDeadlines(through: instant, into: &actions)
        return actions
    }

    static func automationStates(of home: Home, since now: WallInstant) -> [AutomationState] {
        home.automations.map { AutomationState(automation: $0, intervalStart: now) }
    }

    static func scenes(of home: Home) -> [ObjectID<HomeScene>: HomeScene] {
        Dictionary(home.scenes.map { ($0.id, $0) }) { first, _ in first }
    }

    /// What was left to be said, which opens an answer.
    mutating func dequeueActions() -> [EngineAction] {
        defer { queuedActions = [] }
        return queuedActions
    }
}

// MARK: - What is observed

extension HomeEngine {
    private mutating func updateValue(
        _ value: CharacteristicValue,
        of selector: CharacteristicSelector,
        into actions: inout [EngineAction]
    ) {
        guard index.services[selector.service] != nil else { return }
        // A press is no state: it has no value before, and is there again each time.
        let isPress = selector.type.isButton
        let before = isPress ? nil : values.update(value, of: selector)
        if let before, before.wasKnown, before.last == value { return }
        let chain = causes.chain(for: selector, value, canBeSet: !index.readOnly.contains(selector), at: now)
        // Ends first: what begins with this value does not end with it.
        for position in index.endsByCharacteristic[selector] ?? [] {
            checkEndTest(value, after: before?.last, of: position, into: &actions)
        }
        // The triggers of one automation follow each other.
        var fired: Int?
        let waiting = index.triggersByCharacteristic[selector] ?? []
        // By index, because a loop over the elements would copy each test, and most do not admit the value.
        for index in waiting.indices where waiting[index].test.matches(value) {
            let (position, test) = waiting[index]
            if isPress || before?.last.map({ test.becomesTrue(from: $0, to: value) }) ?? false {
                // Several triggers of an automation that fire with one value are one run.
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
        guard home.users.contains(where: { $0.id == user }), presence.update(user, isHome: isHome) else { return }
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
    /// Whether an interval of it counts since the automation exists.
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
    /// Whether a value is one that it waits for, whatever was before it.
    func matches(_ value: CharacteristicValue) -> Bool {
        switch self {
        case .changes: true
        case .equals, .above, .below, .within: holds(for: value)
        }
    }
}
