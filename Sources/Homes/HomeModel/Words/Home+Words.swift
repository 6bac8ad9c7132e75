package import AccessoryModel
internal import HAPCore

/// Descriptions of a home's objects in words, which are the same in listings, in logs and in the journal.
///
/// ``EverydayWords`` has those for people who do not know characteristics.
extension HomeLookup {
    package func text(of selector: CharacteristicSelector) -> String {
        let service = service(selector.service)
        let name = service?.characteristic(selector.type)?.displayName ?? selector.type.description
        return "\(service?.name.text ?? "a removed service")/\(name)"
    }

    /// Returns the text of a value: its name, `on` or `off`, or the number with its unit.
    package func text(of value: CharacteristicValue?, for selector: CharacteristicSelector) -> String {
        CharacteristicDescription(selector.type, characteristic(selector)?.metadata).words(for: value)
    }

    package func text(of action: HomeAction) -> String {
        "\(text(of: action.characteristic)) = \(text(of: action.value, for: action.characteristic))"
    }

    /// Returns the names of rooms, in the given order.
    package func names(of rooms: [ObjectID<Room>]) -> [String] {
        rooms.compactMap { room($0)?.name.text }
    }

    /// Returns the name of a user.
    package func name(of user: ObjectID<HomeUser>) -> String {
        self.user(user)?.name.text ?? "a removed user"
    }
}

extension HomeLookup {
    /// Returns the text of a trigger.
    package func text(of trigger: Trigger<HomeIDs>) -> String {
        switch trigger {
        case .characteristic(let selector, let test): "when \(text(of: test, on: selector, .begins))"
        case .timeOfDay(let time, let recurrence): "at \(time), \(recurrence)"
        case .calendar(let moment, let recurrence): "at \(moment), \(recurrence)"
        case .sun(let event, .zero, let recurrence): "at \(event), \(recurrence)"
        case .sun(let event, let offset, let recurrence): "\(text(of: .sun(event, offset: offset))), \(recurrence)"
        case .presence(.firstArrives): "when the first user arrives"
        case .presence(.lastLeaves): "when the last user leaves"
        case .presence(.everyoneArrives): "when all users are home"
        case .presence(.anyoneArrives): "each time a user arrives"
        case .presence(.anyoneLeaves): "each time a user leaves"
        case .presence(.arrives(let user)): "when \(name(of: user)) arrives"
        case .presence(.leaves(let user)): "when \(name(of: user)) leaves"
        case .interval(let interval, nil): "every \(interval.phrase)"
        case .interval(let interval, let start?): "every \(interval.phrase) from \(start) on"
        }
    }

    /// Returns the text of several triggers.
    package func text(of triggers: [Trigger<HomeIDs>]) -> String {
        triggers.map { text(of: $0) }.joined(separator: " or ")
    }

    /// Returns the text of an end.
    package func text(of end: EndEvent<HomeIDs>) -> String {
        let moment =
            switch end.timing {
            case .after(let delay): "after \(delay.phrase)"
            case .when(let selector, let test): "when \(text(of: test, on: selector))"
            case .whenThenAfter(let selector, let test, let delay):
                "\(delay.phrase) after \(text(of: test, on: selector))"
            }
        return switch end.effect {
        case .actions(let actions): "\(moment): \(actions.map { text(of: $0) }.joined(separator: ", "))"
        case .restore: "\(moment): as it was before"
        }
    }

    /// Returns the text of the scenes and actions that an automation runs.
    package func text(of targets: AutomationTargets<HomeIDs>) -> String {
        let texts = targets.scenes.compactMap { scene($0)?.name.text } + targets.ownActions.map { text(of: $0) }
        return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
    }

    /// Returns the text of an automation without its name: its triggers, condition, effects and end.
    package func text(of automation: Automation) -> String {
        let state = (automation.isEnabled ? "" : "disabled: ") + (automation.executesOnce ? "once: " : "")
        let condition = automation.condition.map { ", if \(text(of: $0))" } ?? ""
        let end = automation.end.map { "; \(text(of: $0))" } ?? ""
        return "\(state)\(text(of: automation.triggers))\(condition): \(text(of: automation.targets))\(end)"
    }
}

extension HomeLookup {
    /// Returns the text of a condition.
    package func text(of condition: Condition<HomeIDs>) -> String {
        text(of: condition, isSo: true)
    }

    /// Returns the text of a test, such as `Thermostat/Current Temperature is above 25 °C`.
    package func text(of test: CharacteristicTest<CharacteristicValue>, on selector: CharacteristicSelector) -> String {
        text(of: test, on: selector, .passes)
    }

    /// Returns the text of a bound of a time window.
    package func text(of bound: TimeBound) -> String {
        switch bound {
        case .clock(let time): "\(time)"
        case .sun(let event, .zero): "\(event)"
        case .sun(let event, let offset):
            "\((offset < .zero ? .zero - offset : offset).phrase) \(offset < .zero ? "before" : "after") \(event)"
        }
    }

    /// - Parameter isSo: `true` for the text of the condition, `false` for the text of its opposite.
    private func text(of condition: Condition<HomeIDs>, isSo: Bool) -> String {
        let not = isSo ? "" : "not "
        switch condition {
        case .all(let parts): return list(parts, isSo ? "and" : "or", isSo)
        case .any(let parts): return list(parts, isSo ? "or" : "and", isSo)
        case .not(let part): return text(of: part, isSo: !isSo)
        case .characteristic(let selector, let test): return text(of: test, on: selector, isSo ? .passes : .fails)
        case .time(let start, let end): return "it is \(not)between \(text(of: start)) and \(text(of: end))"
        case .days(let days): return "it is \(not)" + Recurrence.weekly(days).description
        case .presence(.anyone): return "\(isSo ? "someone" : "no one") is home"
        case .presence(.noOne): return "\(isSo ? "no one" : "someone") is home"
        case .presence(.everyone): return "\(not)everyone is home"
        case .presence(.user(let user)): return "\(name(of: user)) is \(not)home"
        }
    }

    private func list(_ parts: [Condition<HomeIDs>], _ word: String, _ isSo: Bool) -> String {
        let texts = parts.map { part in
            let text = text(of: part, isSo: isSo)
            return part.hasSeveralParts && parts.count > 1 ? "(\(text))" : text
        }
        return texts.joined(separator: " \(word) ")
    }

    package func text(
        of test: CharacteristicTest<CharacteristicValue>,
        on selector: CharacteristicSelector,
        _ verb: TestVerb
    ) -> String {
        text(of: test, on: selector, verb, named: text(of: selector))
    }

    /// Returns the text of a test on a characteristic with a name.
    func text(
        of test: CharacteristicTest<CharacteristicValue>,
        on selector: CharacteristicSelector,
        _ verb: TestVerb,
        named name: String
    ) -> String {
        let value = { (number: JSONNumber) in text(of: .number(number), for: selector) }
        let isSo = verb != .fails
        let known = "\(name) is \(isSo ? "" : "not ")"
        return switch test {
        case .equals(let wanted) where verb == .begins: "\(name) becomes \(text(of: wanted, for: selector))"
        case .equals(let wanted): known + text(of: wanted, for: selector)
        case .changes: "\(name) \(isSo ? "changes" : "does not change")"
        case .above(let limit): "\(known)above \(value(limit))"
        case .below(let limit): "\(known)below \(value(limit))"
        case .within(let range): known + range.phrase(of: value)
        }
    }
}

extension CharacteristicDescription {
    /// Returns the text of a value: its name, `on` or `off`, or the number with its unit.
    func words(for value: CharacteristicValue?) -> String {
        switch value.map({ metadata.value(from: $0, isStrict: false) ?? $0 }) {
        case .bool(true): "on"
        case .bool(false): "off"
        case let value: String(text(of: value).prefix(64)).escapingControlCharacters
        }
    }
}

extension Condition<HomeIDs> {
    /// Whether the condition combines several conditions.
    fileprivate var hasSeveralParts: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.count > 1
        case .not(let part): part.hasSeveralParts
        case .characteristic, .time, .days, .presence: false
        }
    }
}
