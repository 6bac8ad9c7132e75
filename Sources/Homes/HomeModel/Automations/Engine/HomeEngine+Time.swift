internal import Documents
internal import HAPCore

extension HomeEngine {
    /// The maximum delay with which a trigger may still fire.
    static let latenessLimit = Duration.seconds(600)
    /// The distance by which the clock may go back without consequences.
    private static let clockTolerance = Duration.seconds(60)

    /// Processes the deadlines one after the other, so that a run begins at its own deadline and not at `end`.
    mutating func processDeadlines(through end: WallInstant, into actions: inout [EngineAction]) {
        if end.advanced(by: Self.clockTolerance) < now {
            clockWasSetBack(to: end, into: &actions)
        }
        while let due = deadlines.first, due.instant <= end {
            deadlines.removeFirst()
            now = max(now, due.instant)
            let lateness = due.instant.duration(to: end)
            switch due.key.kind {
            case .end:
                endAfterDelay(due.key.index, into: &actions)
            case .trigger where lateness > Self.latenessLimit:
                let cause = cause(of: due)
                now = end
                journal(.notRun(cause, .tooLate(by: lateness)), of: due.key.index, into: &actions)
                scheduleTrigger(of: due.key.index, after: end.advanced(by: .zero - Self.latenessLimit))
            case .trigger:
                fire(due.key.index, because: cause(of: due), of: [], into: &actions)
                scheduleTrigger(of: due.key.index, after: due.instant)
            }
        }
        now = max(now, end)
    }

    /// Schedules the next time-based trigger of an automation.
    mutating func scheduleTrigger(of position: Int, after instant: WallInstant) {
        deadlines.setDeadline(.trigger, of: position, to: nextTriggerTime(of: position, after: instant))
    }

    /// Schedules the pending end of an automation.
    mutating func scheduleEnd(of position: Int) {
        if case .instant(let instant) = automationStates[position].pending?.awaiting {
            deadlines.setDeadline(.end, of: position, to: instant)
        } else {
            deadlines.setDeadline(.end, of: position, to: nil)
        }
    }

    /// Returns the sunrise and sunset of a day at the home, or `nil` if the home has no place.
    mutating func solarDay(on date: CivilDate) -> SolarDay? {
        guard let place = home.place else { return nil }
        if let known = solarDays[date] { return known }
        // Conditions need the same few days repeatedly; a trigger occasionally needs a year of days.
        if solarDays.count >= 512 {
            solarDays.removeAll(keepingCapacity: true)
        }
        let day = Sun.day(on: date, at: place, in: calendar)
        solarDays[date] = day
        return day
    }
}

extension HomeEngine {
    private mutating func nextTriggerTime(of position: Int, after instant: WallInstant) -> WallInstant? {
        automationStates[position].automation.triggers
            .compactMap { nextTriggerTime(of: $0, since: automationStates[position].intervalStart, after: instant) }
            .min()
    }

    private mutating func nextTriggerTime(
        of trigger: Trigger<HomeIDs>,
        since creation: WallInstant,
        after instant: WallInstant
    ) -> WallInstant? {
        let zone = calendar
        switch trigger {
        case .characteristic, .presence:
            return nil
        case .timeOfDay(let time, let recurrence):
            return recurrence.next(after: instant, at: time, from: nil, in: zone)
        case .calendar(let start, let recurrence):
            return recurrence.next(after: instant, at: start.time, from: start.date, in: zone)
        case .sun(let event, let offset, let recurrence):
            return recurrence.next(after: instant, from: nil, in: zone) {
                solarDay(on: $0)?.event(event)?.advanced(by: offset)
            }
        case .interval(let interval, let start):
            let base = start.map(zone.instant) ?? creation
            return Self.nextMultiple(of: interval, from: base, first: start == nil ? 1 : 0, after: instant)
        }
    }

    private static func nextMultiple(
        of interval: Duration,
        from base: WallInstant,
        first: Int128,
        after instant: WallInstant
    ) -> WallInstant? {
        // The rules require at least 10 s; this limit only bounds the calculation.
        let interval = Int128(max(interval, .seconds(1)).clampedNanoseconds)
        let distance = Int128(instant.nanoseconds) - Int128(base.nanoseconds)
        let count = distance < 0 ? first : max(distance / interval + 1, first)
        return Int64(exactly: Int128(base.nanoseconds) + count * interval).map(WallInstant.init(nanoseconds:))
    }

    private mutating func cause(of due: DeadlineQueue.Entry) -> RunCause {
        let slot = automationStates[due.key.index]
        let before = due.instant.advanced(by: .nanoseconds(-1))
        let triggers = slot.automation.triggers
        let trigger =
            triggers.count == 1
            ? triggers[0]
            : triggers.first { nextTriggerTime(of: $0, since: slot.intervalStart, after: before) == due.instant }
        return switch trigger {
        case .sun(let event, let offset, _): .sun(event, offset: offset, due: due.instant)
        case .interval(let interval, _): .delay(interval)
        case .timeOfDay, .calendar, .characteristic, .presence, nil: .time(due: due.instant)
        }
    }

    private mutating func endAfterDelay(_ position: Int, into actions: inout [EngineAction]) {
        switch automationStates[position].automation.end?.timing {
        case .after(let delay), .whenThenAfter(_, _, let delay):
            runEnd(position, because: .delay(delay), into: &actions)
        case .when, nil:
            break
        }
    }

    /// Calculates all deadlines again, because the clock shows an earlier time than before.
    private mutating func clockWasSetBack(to instant: WallInstant, into actions: inout [EngineAction]) {
        let distance = instant.duration(to: now)
        now = instant
        causes = CauseTracker()
        for position in automationStates.indices {
            automationStates[position].intervalStart = automationStates[position].intervalStart
                .advanced(by: .zero - distance)
            if case .instant(let due) = automationStates[position].pending?.awaiting {
                automationStates[position].pending?.awaiting = .instant(due.advanced(by: .zero - distance))
            }
            if let start = automationStates[position].pending?.start {
                automationStates[position].pending?.start = start.advanced(by: .zero - distance)
            }
            scheduleTrigger(of: position, after: now)
            scheduleEnd(of: position)
        }
        actions.append(entry(.clockSetBack(distance), of: nil, named: ""))
    }
}
