internal import AccessoryModel
internal import Documents

extension HomeEngine {
    /// Returns whether a condition holds now.
    mutating func evaluate(_ condition: Condition<HomeIDs>) -> ConditionResult {
        switch condition {
        case .all(let parts):
            return evaluate(all: parts)
        case .any(let parts):
            return evaluate(any: parts, condition)
        case .not(let part):
            switch evaluate(part) {
            case .met: return .notMet(condition)
            case .notMet: return .met
            case .unknown(let part): return .unknown(part)
            }
        case .characteristic(let selector, let test):
            return result(values[selector].map(test.holds), condition)
        case .time(let start, let end):
            return result(isBetween(start, end), condition)
        case .days(let days):
            return result(days.contains(calendar.civil(of: now).date.weekday), condition)
        case .presence(let state):
            return result(presence.holds(state), condition)
        }
    }

    private func result(_ holds: Bool?, _ condition: Condition<HomeIDs>) -> ConditionResult {
        holds.map { $0 ? .met : .notMet(condition) } ?? .unknown(condition)
    }

    private mutating func evaluate(all parts: [Condition<HomeIDs>]) -> ConditionResult {
        var response = ConditionResult.met
        for part in parts {
            let verdict = evaluate(part)
            switch verdict {
            case .met: break
            case .notMet: return verdict
            case .unknown: response = response == .met ? verdict : response
            }
        }
        return response
    }

    private mutating func evaluate(any parts: [Condition<HomeIDs>], _ condition: Condition<HomeIDs>)
        -> ConditionResult
    {
        var response = ConditionResult.notMet(condition)
        for part in parts {
            let verdict = evaluate(part)
            switch verdict {
            case .met: return verdict
            case .notMet: break
            case .unknown: response = response == .notMet(condition) ? verdict : response
            }
        }
        return response
    }

    /// Returns whether the current time is in a time window, or `nil` if the home has no place and the window needs the
    /// sun.
    ///
    /// A window ends on the day on which it begins, unless its end is typically earlier in the day than its start. In
    /// that case it may end on the next day. A typical day has sunrise at 6:00 and sunset at 18:00. So a window from
    /// sunset to 22:00 is empty on a day when the sun sets after 22:00; it does not last for a whole day.
    private mutating func isBetween(_ start: TimeBound, _ end: TimeBound) -> Bool? {
        let today = calendar.civil(of: now).date
        let passesMidnight = end.typicalSecondOfDay < start.typicalSecondOfDay
        for day in -1...1 {
            let date = today.adding(days: day)
            guard let from = instant(of: start, on: date), var to = instant(of: end, on: date) else { return nil }
            if to <= from, passesMidnight {
                guard let next = instant(of: end, on: date.adding(days: 1)) else { return nil }
                to = next
            }
            if from <= now, now < to { return true }
        }
        return false
    }

    private mutating func instant(of bound: TimeBound, on date: CivilDate) -> WallInstant? {
        switch bound {
        case .clock(let time): calendar.instant(of: CivilDateTime(date: date, time: time))
        case .sun(let event, let offset): solarDay(on: date)?.boundary(event, offset: offset)
        }
    }
}

extension TimeBound {
    /// The number of seconds after midnight on a typical day.
    fileprivate var typicalSecondOfDay: Int64 {
        switch self {
        case .clock(let time): Int64(time.secondOfDay)
        case .sun(.sunrise, let offset): 21_600 + offset.components.seconds
        case .sun(.sunset, let offset): 64_800 + offset.components.seconds
        }
    }
}
