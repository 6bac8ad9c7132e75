extension HomeEngine {
    /// Goes on with a home that has been edited, after what is due by then.
    ///
    /// What is known of values and of users stays, and so does what is to end of the automations that stay: as it is, when
    /// their end stays, else as the new end says; when what that waits for is so already, it does not wait for it. An
    /// automation that is gone, or has no end any more, ends nothing.
    ///
    /// - Parameters:
    ///   - home: The home as it is now.
    ///   - calendar: Its time zone, when that is another.
    ///   - instant: When.
    package mutating func replace(
        home: Home,
        calendar: (any CivilCalendar)? = nil,
        at instant: WallInstant
    ) -> [EngineAction] {
        var actions = takeUnsaid()
        settle(through: instant, into: &actions)
        var old = Dictionary(slots.map { ($0.automation.id, $0) }) { first, _ in first }
        let kept = Set(home.automations.map(\.id))
        let gone = slots.filter { !kept.contains($0.automation.id) }

        self.home = home
        self.calendar = calendar ?? self.calendar
        index = EngineIndex(home)
        scenes = Self.scenes(of: home)
        slots = Self.slots(of: home, since: now)
        deadlines = DeadlineQueue()
        solarDays = [:]
        keepWhatIsThere()
        for slot in gone where slot.pending != nil {
            let event = JournalEvent.endDropped(.automationRemoved)
            let name = slot.automation.name.text
            actions.append(
                .journal(JournalEntry(instant: now, automation: slot.automation.id, name: name, event: event))
            )
        }
        for position in slots.indices {
            if let before = old.removeValue(forKey: slots[position].automation.id) {
                keep(before, at: position, into: &actions)
            }
            scheduleTrigger(of: position, after: now)
            scheduleEnd(of: position)
        }
        return actions
    }

    private mutating func keepWhatIsThere() {
        let index = index
        values.keepOnly(index.has)
        var users = presence.known
        presence = PresenceBook()
        for user in home.users {
            _ = presence.take(user.id, isHome: users.removeValue(forKey: user.id) ?? user.isHome)
        }
    }

    private mutating func keep(_ before: AutomationSlot, at position: Int, into actions: inout [EngineAction]) {
        slots[position].runs = before.runs
        slots[position].lastEvent = before.lastEvent
        if slots[position].automation.triggers == before.automation.triggers {
            slots[position].since = before.since
        }
        guard var pending = before.pending else { return }
        guard let end = slots[position].automation.end else {
            return say(.endDropped(.endRemoved), of: position, into: &actions)
        }
        guard let old = before.automation.end?.moment, end.moment != old else {
            slots[position].pending = pending
            return
        }
        if let delay = end.moment.delay(after: old) {
            // Only the delay is another: it goes on counting, or waiting.
            if case .until(let due) = pending.phase {
                pending.phase = .until(due.advanced(by: delay))
            }
            slots[position].pending = pending
            return
        }
        pending.phase = end.phase(from: pending.start)
        slots[position].pending = pending
        guard let (selector, test, _) = slots[position].awaited, let value = values[selector], test.holds(for: value)
        else { return }
        reachEnd(with: value, of: position, into: &actions)
    }
}

extension EndEvent<HomeIDs>.Moment {
    /// How much longer it lasts than another one that waits for the same; `nil` when that waits for something else.
    fileprivate func delay(after other: EndEvent<HomeIDs>.Moment) -> Duration? {
        switch (self, other) {
        case (.whenThenAfter(let selector, let test, let delay), .whenThenAfter(let before, let tested, let old))
        where selector == before && test == tested:
            delay - old
        case (.after, _), (.when, _), (.whenThenAfter, _): nil
        }
    }
}
