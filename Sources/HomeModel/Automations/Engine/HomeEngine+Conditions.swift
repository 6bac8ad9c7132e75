internal import AccessoryModel

extension HomeEngine {
    /// Whether a condition is so at present.
    mutating func verdict(of condition: Condition<HomeIDs>) -> ConditionVerdict {
        switch condition {
        case .all(let parts):
            return verdict(ofAll: parts)
        case .any(let parts):
            return verdict(ofAny: parts, condition)
        case .not(let part):
            switch verdict(of: part) {
            case .met: return .notMet(condition)
            case .notMet: return .met
            case .unknown(let part): return .unknown(part)
            }
        case .characteristic(let selector, let test):
            return verdict(values[selector].map(test.holds), condition)
        case .time(let start, let end):
            return verdict(isBetween(start, end), condition)
        case .days(let days):
            return verdict(days.contains(calendar.civil(of: now).date.weekday), condition)
        case .presence(let state):
            return verdict(presence.holds(state), condition)
        }
    }

    private func verdict(_ holds: Bool?, _ condition: Condition<HomeIDs>) -> ConditionVerdict {
        holds.map { $0 ? .met : .notMet(condition) } ?? .unknown(condition)
    }

    private mutating func verdict(ofAll parts: [Condition<HomeIDs>]) -> ConditionVerdict {
        var answer = ConditionVerdict.met
        for part in parts {
            let verdict = verdict(of: part)
            switch verdict {
            case .met: break
            case .notMet: return verdict
            case .unknown: answer = answer == .met ? verdict : answer
            }
        }
        return answer
    }

    private mutating func verdict(ofAny parts: [Condition<HomeIDs>], _ condition: Condition<HomeIDs>)
        -> ConditionVerdict
    {
        var answer = ConditionVerdict.notMet(condition)
        for part in parts {
            let verdict = verdict(of: part)
            switch verdict {
            case .met: return verdict
            case .notMet: break
            case .unknown: answer = answer == .notMet(condition) ? verdict : answer
            }
        }
        return answer
    }

    /// Whether it is in a time window; `nil` when nobody knows where the sun is.
    ///
    /// A window ends on the day on which it begins, or when its end comes first there, on the next day. Whether it may
    /// pass midnight is decided with a sun that rises at six and sets at eighteen: from sunset to 22:00 is empty, and not
    /// a whole day, when the sun sets after that.
    private mutating func isBetween(_ start: TimeBound, _ end: TimeBound) -> Bool? {
        let today = calendar.civil(of: now).date
        let passesMidnight = end.usual < start.usual
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
        case .sun(let event, let offset): solarDay(on: date)?.bound(event, offset: offset)
        }
    }
}

extension TimeBound {
    /// Seconds after midnight, on an average day.
    fileprivate var usual: Int64 {
        switch self {
        case .clock(let time): Int64(time.secondOfDay)
        case .sun(.sunrise, let offset): 21_600 + offset.components.seconds
        case .sun(.sunset, let offset): 64_800 + offset.components.seconds
        }
    }
}
