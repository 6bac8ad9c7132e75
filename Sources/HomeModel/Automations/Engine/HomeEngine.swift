internal import AccessoryModel

/// Runs the automations of a home: told what happens and what time it is, it answers with what is to be set, and with why.
///
/// It reads no clock and calls nothing. Who owns it tells it every ``Observation``, performs its ``EngineAction``s in
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
    var slots: [AutomationSlot] = []
    var index: EngineIndex
    var values = KnownValues()
    var presence = PresenceBook()
    var deadlines = DeadlineQueue()
    var causes = CauseBook()
    var solarDays: [CivilDate: SolarDay] = [:]
    /// The scenes, for what automations do: looked up when they run, since all actions of all would be many.
    var scenes: [ObjectID<HomeScene>: HomeScene]
    /// What is to be said with the next answer.
    private var unsaid: [EngineAction] = []

    /// Creates an engine to which no value is known.
    ///
    /// - Parameters:
    ///   - home: A home that obeys the rules.
    ///   - calendar: The home's time zone.
    ///   - now: Nothing before this instant happens, but for what became due since `memory` was kept, 10 minutes at most.
    ///   - memory: What an earlier engine for the home had to remember.
    package init(
        home: Home,
        calendar: any CivilCalendar,
        startedAt now: WallInstant,
        memory: EngineMemory = EngineMemory()
    ) {
        self.home = home
        self.calendar = calendar
        self.now = now
        index = EngineIndex(home)
        scenes = Self.scenes(of: home)
        for user in home.users {
            // The home goes first: who came or went while no engine ran is noted there.
            _ = presence.take(user.id, isHome: user.isHome ?? memory.presence[user.id])
        }
        slots = Self.slots(of: home, since: now)
        let earliest = min(max(memory.instant ?? now, now.advanced(by: .zero - Self.grace)), now)
        var ends = memory.ends
        var said: [EngineAction] = []
        for position in slots.indices {
            let automation = slots[position].automation
            if let since = memory.since[automation.id], automation.rule.countsFromItsCreation {
                slots[position].since = min(since, now)
            }
            if let kept = ends.removeValue(forKey: automation.id), !slots[position].resume(kept, at: now) {
                say(.endDropped(.endRemoved), of: position, into: &said)
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
                event: .endDropped(.automationRemoved)
            )
            said.append(.journal(entry))
        }
        unsaid = said
    }

    /// When ``advance(to:)`` is to be called at the latest; `nil` when nothing is due by itself.
    package var nextDeadline: WallInstant? {
        unsaid.isEmpty ? deadlines.first?.instant : now
    }

    /// What the next engine for this home has to remember.
    package var memory: EngineMemory {
        let ends = slots.compactMap { slot in slot.pending.map { (slot.automation.id, $0) } }
        let since = slots.compactMap { slot in
            slot.automation.rule.countsFromItsCreation ? (slot.automation.id, slot.since) : nil
        }
        return EngineMemory(
            ends: Dictionary(ends) { first, _ in first },
            presence: presence.known,
            since: Dictionary(since) { first, _ in first },
            instant: now
        )
    }

    /// Takes what the world tells, after what is due by then.
    package mutating func observed(_ observation: Observation, at instant: WallInstant) -> [EngineAction] {
        var actions = takeUnsaid()
        settle(through: instant, into: &actions)
        switch observation {
        case .value(let selector, let value?):
            take(value, of: selector, into: &actions)
        case .value(let selector, nil):
            values.lose(selector)
        case .unreachable(let accessory):
            for service in index.accessories[accessory] ?? [] {
                for characteristic in index.services[service]?.characteristics ?? [] {
                    values.lose(CharacteristicSelector(service: service, type: characteristic.type))
                }
            }
        case .presence(let user, let isHome):
            takePresence(of: user, isHome: isHome, into: &actions)
        }
        return actions
    }

    /// Does what is due by an instant.
    package mutating func advance(to instant: WallInstant) -> [EngineAction] {
        var actions = takeUnsaid()
        settle(through: instant, into: &actions)
        return actions
    }

    static func slots(of home: Home, since now: WallInstant) -> [AutomationSlot] {
        home.automations.map { AutomationSlot(automation: $0, since: now) }
    }

    static func scenes(of home: Home) -> [ObjectID<HomeScene>: HomeScene] {
        Dictionary(home.scenes.map { ($0.id, $0) }) { first, _ in first }
    }

    /// What was left to be said, which opens an answer.
    mutating func takeUnsaid() -> [EngineAction] {
        defer { unsaid = [] }
        return unsaid
    }
}

// MARK: - What is observed

extension HomeEngine {
    private mutating func take(
        _ value: CharacteristicValue,
        of selector: CharacteristicSelector,
        into actions: inout [EngineAction]
    ) {
        guard index.services[selector.service] != nil else { return }
        // A press is no state: it has no value before, and is there again each time.
        let isPress = selector.type.isButton
        let before = isPress ? nil : values.take(value, of: selector)
        if let before, before.wasCurrent, before.last == value { return }
        let chain = causes.chain(for: selector, value, canBeSet: !index.fixed.contains(selector), at: now)
        // Ends first: what begins with this value does not end with it.
        for position in index.ends[selector] ?? [] {
            takeForEnd(value, after: before?.last, of: position, into: &actions)
        }
        // The triggers of one automation follow each other.
        var fired: Int?
        let waiting = index.triggers[selector] ?? []
        // By index, because a loop over the elements would copy each test, and most do not admit the value.
        for index in waiting.indices where waiting[index].test.admits(value) {
            let (position, test) = waiting[index]
            if isPress || before?.last.map({ test.becomesTrue(from: $0, to: value) }) ?? false {
                // Several triggers of an automation that fire with one value are one run.
                guard fired != position else { continue }
                fired = position
                fire(position, because: .characteristic(selector, test, value: value), of: chain, into: &actions)
            } else if test.holds(for: value) {
                let why: JournalEvent.NoEdge = before?.last == nil ? .firstValue : .heldBefore
                say(.noEdge(selector, test, value: value, why), of: position, into: &actions)
            }
        }
    }

    private mutating func takePresence(
        of user: ObjectID<HomeUser>,
        isHome: Bool?,
        into actions: inout [EngineAction]
    ) {
        guard home.users.contains(where: { $0.id == user }), presence.take(user, isHome: isHome) else { return }
        for position in index.presence {
            guard
                let event = slots[position].automation.triggers.lazy.compactMap(\.presenceEvent)
                    .first(where: { presence.isEvent($0, of: user) })
            else { continue }
            fire(position, because: .presence(event, user), of: [], into: &actions)
        }
    }
}

extension AutomationRule<HomeIDs> {
    /// Whether an interval of it counts since the automation exists.
    var countsFromItsCreation: Bool {
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
    func admits(_ value: CharacteristicValue) -> Bool {
        switch self {
        case .changes: true
        case .equals, .above, .below, .within: holds(for: value)
        }
    }
}
