import AccessoryModel
import HomeModel

extension Home {
    /// A characteristic for people: `Garage Light/On`.
    func text(of selector: CharacteristicSelector) -> String {
        let name = characteristic(selector)?.name ?? selector.type.description
        return "\(service(selector.service)?.name.text ?? "a service that is gone")/\(name)"
    }

    /// A value for people: the name that the catalogue has for it, else itself.
    func text(of value: CharacteristicValue?, for selector: CharacteristicSelector) -> String {
        let names = Catalogue.characteristic(selector.type)?.valueNames ?? []
        let named = value?.number.flatMap { number in names.first { $0.value == number }?.name }
        return named ?? value.map { $0 == true ? "on" : $0 == false ? "off" : $0.description } ?? "–"
    }

    /// An action for people: `Garage Light/On = on`.
    func text(of action: HomeAction) -> String {
        "\(text(of: action.characteristic)) = \(text(of: action.value, for: action.characteristic))"
    }

    /// The names of rooms, in the order asked for.
    func names(of rooms: [ObjectID<Room>]) -> [String] {
        rooms.compactMap { room($0)?.name.text }
    }

    /// What an automation waits for.
    func text(of trigger: Trigger) -> String {
        switch trigger {
        case .characteristic(let selector, .equals(let value)):
            "when \(text(of: selector)) becomes \(text(of: value, for: selector))"
        case .characteristic(let selector, let test): "when \(text(of: selector)) \(test)"
        case .timeOfDay(let time, let recurrence): "at \(time), \(recurrence)"
        case .calendar(let moment, let recurrence): "at \(moment), \(recurrence)"
        case .sun(let event, .zero, let recurrence): "at \(event), \(recurrence)"
        case .sun(let event, let offset, let recurrence):
            "\(abs(offset.components.seconds) / 60) min \(offset < .zero ? "before" : "after") \(event), \(recurrence)"
        case .presence(.firstArrives): "when the first one comes"
        case .presence(.lastLeaves): "when the last one leaves"
        case .presence(.everyoneArrives): "when all are home"
        case .presence(.arrives(let user)): "when \(self.user(user)?.name.text ?? "a user") comes"
        case .presence(.leaves(let user)): "when \(self.user(user)?.name.text ?? "a user") leaves"
        case .interval(let interval, _): "every \(interval.components.seconds) s"
        }
    }

    /// What must be so for an automation to run.
    func text(of condition: Condition) -> String {
        switch condition {
        case .all(let parts): list(parts, "and")
        case .any(let parts): list(parts, "or")
        case .not(let part): "not (\(text(of: part)))"
        case .characteristic(let selector, .equals(let value)):
            "\(text(of: selector)) is \(text(of: value, for: selector))"
        case .characteristic(let selector, let test): "\(text(of: selector)) \(test)"
        case .time(let start, let end): "between \(text(of: start)) and \(text(of: end))"
        case .days(let days): "on \(days)"
        case .presence(.anyone): "somebody is home"
        case .presence(.noOne): "nobody is home"
        case .presence(.everyone): "all are home"
        case .presence(.user(let user)): "\(self.user(user)?.name.text ?? "a user") is home"
        }
    }

    private func list(_ parts: [Condition], _ word: String) -> String {
        let texts = parts.map { text(of: $0) }
        return texts.count == 1 ? texts[0] : texts.map { "(\($0))" }.joined(separator: " \(word) ")
    }

    private func text(of bound: TimeBound) -> String {
        switch bound {
        case .clock(let time): "\(time)"
        case .sun(let event, .zero): "\(event)"
        case .sun(let event, let offset):
            "\(abs(offset.components.seconds) / 60) min \(offset < .zero ? "before" : "after") \(event)"
        }
    }

    /// When and how what an automation has begun ends by itself.
    func text(of end: EndEvent) -> String {
        let moment =
            switch end.moment {
            case .after(let duration): "after \(duration.components.seconds) s"
            case .when(let selector, let test): "when \(text(of: .characteristic(selector, test) as Condition))"
            case .whenThenAfter(let selector, let test, let duration):
                "\(duration.components.seconds) s after \(text(of: .characteristic(selector, test) as Condition))"
            }
        return switch end.ending {
        case .actions(let actions): "\(moment): \(actions.map { text(of: $0) }.joined(separator: ", "))"
        case .restore: "\(moment): as it was before"
        }
    }

    /// What an automation does.
    func text(of targets: AutomationTargets) -> String {
        (targets.scenes.compactMap { scene($0)?.name.text } + targets.own.map { text(of: $0) }).joined(separator: ", ")
    }
}
