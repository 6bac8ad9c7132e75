extension HomeEngine {
    /// Continues with an edited home, after it has processed all deadlines up to an instant.
    ///
    /// Known values and presences are preserved, and so are the pending ends of automations that still have an end:
    ///
    /// - If the timing of the end is unchanged, the pending end is unchanged too. If only its delay changed, the
    ///   pending end moves by the difference.
    /// - Otherwise, the pending end follows the new timing. If the new test already holds, the engine does not wait for
    ///   it.
    ///
    /// The pending end is canceled if the automation was removed or no longer has an end.
    ///
    /// - Parameters:
    ///   - home: The edited home.
    ///   - calendar: The new calendar, or `nil` if the time zone is the same.
    ///   - instant: The current instant.
    package mutating func replace(
        home: Home,
        calendar: (any CivilCalendar)? = nil,
        at instant: WallInstant
    ) -> [EngineAction] {
        var actions = dequeueActions()
        processDeadlines(through: instant, into: &actions)
        var old = Dictionary(automationStates.map { ($0.automation.id, $0) }) { first, _ in first }
        let stored = Set(home.automations.map(\.id))
        let gone = automationStates.filter { !stored.contains($0.automation.id) }

        self.home = home
        self.calendar = calendar ?? self.calendar
        index = EngineIndex(home)
        automationStates = Self.automationStates(of: home, since: now)
        deadlines = DeadlineQueue()
        solarDays = [:]
        removeStaleState()
        for slot in gone where slot.pending != nil {
            let removed = slot.automation
            actions.append(entry(.endCancelled(.automationRemoved), of: removed.id, named: removed.name.text))
        }
        for position in automationStates.indices {
            if let before = old.removeValue(forKey: automationStates[position].automation.id) {
                restoreState(of: before, at: position, into: &actions)
            }
            scheduleTrigger(of: position, after: now)
            scheduleEnd(of: position)
        }
        return actions
    }

    private mutating func removeStaleState() {
        let index = index
        values.removeAll(except: index.contains)
        var users = presence.isHomeByUser
        presence = PresenceTracker()
        for user in home.users {
            _ = presence.update(user.id, isHome: users.removeValue(forKey: user.id) ?? user.isHome)
        }
    }

    private mutating func restoreState(of before: AutomationState, at position: Int, into actions: inout [EngineAction])
    {
        automationStates[position].recentRuns = before.recentRuns
        automationStates[position].lastEvent = before.lastEvent
        if automationStates[position].automation.triggers == before.automation.triggers {
            automationStates[position].intervalStart = before.intervalStart
        }
        guard var pending = before.pending else { return }
        guard let end = automationStates[position].automation.end else {
            return journal(.endCancelled(.endRemoved), of: position, into: &actions)
        }
        guard let old = before.automation.end?.timing, end.timing != old else {
            automationStates[position].pending = pending
            return
        }
        if let delay = end.timing.remainingDelay(after: old) {
            // Only the delay has changed, so the end continues to count or to wait.
            if case .instant(let due) = pending.awaiting {
                pending.awaiting = .instant(due.advanced(by: delay))
            }
            automationStates[position].pending = pending
            return
        }
        pending.awaiting = end.awaiting(from: pending.start)
        automationStates[position].pending = pending
        guard let (selector, test, _) = automationStates[position].endTest, let value = values[selector],
            test.holds(for: value)
        else { return }
        endTestBecameTrue(with: value, of: position, into: &actions)
    }
}

extension EndEvent<HomeIDs>.Timing {
    /// Returns how much longer this delay is than the delay of another timing with the same test.
    ///
    /// Returns `nil` unless both timings have a delay and the same test.
    fileprivate func remainingDelay(after other: EndEvent<HomeIDs>.Timing) -> Duration? {
        switch (self, other) {
        case (.whenThenAfter(let selector, let test, let delay), .whenThenAfter(let before, let tested, let old))
        where selector == before && test == tested:
            delay - old
        case (.after, _), (.when, _), (.whenThenAfter, _): nil
        }
    }
}
