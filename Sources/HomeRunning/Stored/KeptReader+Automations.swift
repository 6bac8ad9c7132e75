internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Storage

extension KeptReader {
    func automation(_ value: JSONValue) throws(DamagedRow) -> Automation {
        let automation = try object(value)
        var condition: Condition?
        if let value = automation["condition"] { condition = try self.condition(value) }
        var end: EndEvent?
        if let value = automation["end"] { end = try self.end(value) }
        return Automation(
            id: try id(automation["id"]),
            name: try name(automation["name"]),
            isEnabled: try !flag(automation["disabled"]),
            trigger: try trigger(automation["trigger"]),
            condition: condition,
            targets: AutomationTargets(
                scenes: try list(automation["scenes"]) { value throws(DamagedRow) in try id(value) },
                own: try actions(automation["actions"])
            ),
            end: end
        )
    }

    func actions(_ value: JSONValue?) throws(DamagedRow) -> [HomeAction] {
        try list(value) { value throws(DamagedRow) in
            let action = try object(value)
            return HomeAction(characteristic: try selector(action), value: try self.value(action["value"]))
        }
    }

    private func selector(_ object: JSONObject) throws(DamagedRow) -> CharacteristicSelector {
        CharacteristicSelector(service: try id(object["service"]), type: CharacteristicType(try uuid(object["type"])))
    }

    private func value(_ value: JSONValue?) throws(DamagedRow) -> CharacteristicValue {
        switch value {
        case .bool(let flag): return .bool(flag)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .object(let object):
            guard let bytes = Base64.decode(try text(object["data"])) else { throw damage }
            return .data(bytes)
        case .null, .array, nil: throw damage
        }
    }

    private func test(_ value: JSONValue?) throws(DamagedRow) -> (CharacteristicSelector, CharacteristicTest) {
        let test = try object(value)
        let selector = try selector(test)
        if let value = test["equals"] { return (selector, .equals(try self.value(value))) }
        if try flag(test["changes"]) { return (selector, .changes) }
        if let limit = test["above"] { return (selector, .above(try number(limit))) }
        if let limit = test["below"] { return (selector, .below(try number(limit))) }
        if let limits = test["within"]?.array, limits.count == 2, let least = limits[0].number,
            let greatest = limits[1].number, least <= greatest
        {
            return (selector, .within(least...greatest))
        }
        throw damage
    }

    private func trigger(_ value: JSONValue?) throws(DamagedRow) -> Trigger {
        let trigger = try object(value)
        if let value = trigger["test"] {
            let (selector, test) = try test(value)
            return .characteristic(selector, test)
        }
        if let value = trigger["time"] {
            guard let time = CivilTime(try text(value)) else { throw damage }
            return .timeOfDay(time, try recurrence(trigger["recurrence"]))
        }
        if let value = trigger["date"] {
            return .calendar(try date(value), try recurrence(trigger["recurrence"]))
        }
        if let value = trigger["sun"] {
            guard let event = SunEvent(rawValue: try text(value)) else { throw damage }
            return .sun(event, offset: try duration(trigger["offset"]), try recurrence(trigger["recurrence"]))
        }
        if let value = trigger["presence"] {
            switch try text(value) {
            case "firstArrives": return .presence(.firstArrives)
            case "lastLeaves": return .presence(.lastLeaves)
            case "everyoneArrives": return .presence(.everyoneArrives)
            default: throw damage
            }
        }
        if let user = trigger["arrives"] { return .presence(.arrives(try id(user))) }
        if let user = trigger["leaves"] { return .presence(.leaves(try id(user))) }
        let interval = try duration(trigger["interval"])
        guard let start = trigger["from"] else { return .interval(interval, from: nil) }
        return .interval(interval, from: try date(start))
    }

    private func date(_ value: JSONValue?) throws(DamagedRow) -> CivilDateTime {
        guard let date = CivilDateTime(try text(value)) else { throw damage }
        return date
    }

    private func recurrence(_ value: JSONValue?) throws(DamagedRow) -> Recurrence {
        if let text = value?.string {
            switch text {
            case "once": return .once
            case "daily": return .daily
            case "yearly": return .yearly
            default: throw damage
            }
        }
        let recurrence = try object(value)
        if let days = recurrence["weekly"] { return .weekly(try weekdays(days)) }
        if let count = recurrence["days"] { return .everyDays(try self.count(count)) }
        if let count = recurrence["weeks"] { return .everyWeeks(try self.count(count)) }
        return .everyMonths(try count(recurrence["months"]))
    }

    private func weekdays(_ value: JSONValue) throws(DamagedRow) -> WeekdaySet {
        guard let raw = UInt8(exactly: try unsigned(value)) else { throw damage }
        return WeekdaySet(rawValue: raw)
    }

    private func count(_ value: JSONValue?) throws(DamagedRow) -> Int {
        Int(try integer(value))
    }

    private func condition(_ value: JSONValue, depth: Int = 1) throws(DamagedRow) -> Condition {
        // The parser bounds this already; the rules do not allow half of it.
        guard depth <= Condition.maximumDepth else { throw damage }
        let condition = try object(value)
        if condition["all"] != nil || condition["any"] != nil {
            let parts = try list(condition["all"] ?? condition["any"]) { value throws(DamagedRow) in
                try self.condition(value, depth: depth + 1)
            }
            return condition["all"] != nil ? .all(parts) : .any(parts)
        }
        if let part = condition["not"] { return .not(try self.condition(part, depth: depth + 1)) }
        if let value = condition["test"] {
            let (selector, test) = try test(value)
            return .characteristic(selector, test)
        }
        if let start = condition["after"] { return .time(from: try bound(start), to: try bound(condition["before"])) }
        if let days = condition["days"] { return .days(try weekdays(days)) }
        if let user = condition["home"] { return .presence(.user(try id(user))) }
        switch try text(condition["presence"]) {
        case "anyone": return .presence(.anyone)
        case "noOne": return .presence(.noOne)
        case "everyone": return .presence(.everyone)
        default: throw damage
        }
    }

    private func bound(_ value: JSONValue?) throws(DamagedRow) -> TimeBound {
        if let text = value?.string {
            guard let time = CivilTime(text) else { throw damage }
            return .clock(time)
        }
        let bound = try object(value)
        guard let event = SunEvent(rawValue: try text(bound["sun"])) else { throw damage }
        return .sun(event, offset: try duration(bound["offset"]))
    }

    private func end(_ value: JSONValue) throws(DamagedRow) -> EndEvent {
        let end = try object(value)
        var ending = EndEvent.Ending.restore
        if let value = end["actions"] { ending = .actions(try actions(value)) }
        guard let value = end["test"] else { return EndEvent(.after(try duration(end["delay"])), ending) }
        let (selector, test) = try test(value)
        guard let delay = end["delay"] else { return EndEvent(.when(selector, test), ending) }
        return EndEvent(.whenThenAfter(selector, test, try duration(delay)), ending)
    }

    private func duration(_ value: JSONValue?) throws(DamagedRow) -> Duration {
        guard let parts = value?.array, parts.count == 2 else { throw damage }
        // What no home has: more than thousands of years.
        let seconds = try integer(parts[0])
        guard abs(seconds.clamped) < 100_000_000_000 else { throw damage }
        return Duration(secondsComponent: seconds, attosecondsComponent: try integer(parts[1]))
    }
}

extension Int64 {
    /// The number, or one whose magnitude exists.
    fileprivate var clamped: Int64 {
        self == .min ? .max : self
    }
}
