internal import AccessoryModel

extension JournalEntry {
    /// What happened, in a sentence with the names that things have in a home, and with times as its clocks show them;
    /// without the moment.
    ///
    /// ```
    /// Light the garage ran: Garage Door/Current Door State is Opening.
    /// Light the garage did not run (Garage Door/Current Door State is Opening): it is not between sunset and sunrise.
    /// ```
    package func text(in home: Home, by calendar: some CivilCalendar) -> String {
        let words = JournalWords(home: home, calendar: calendar)
        switch event {
        case .ran(let cause):
            return "\(name) ran: \(words.text(cause))."
        case .notRun(let cause, let obstacle):
            return "\(name) did not run (\(words.text(cause))): \(words.text(obstacle))."
        case .noEdge(let selector, let test, let value, .firstValue):
            return
                "\(name) waits: \(words.name(selector)) \(test), its first value, \(words.text(value, of: selector)), is no change."
        case .noEdge(let selector, let test, let value, .heldBefore):
            return
                "\(name) waits: \(words.name(selector)), now \(words.text(value, of: selector)), \(test) since before."
        case .endDue(let instant):
            return "\(name) will end at \(calendar.civil(of: instant))."
        case .endWaitsAgain(let selector, let value):
            return "\(name) waits again for its end: \(words.name(selector)) is \(words.text(value, of: selector))."
        case .ended(let cause):
            return "\(name) ended: \(words.text(cause))."
        case .endDropped(.automationRemoved):
            return "\(name) was removed before its end."
        case .endDropped(.endRemoved):
            return "\(name) was changed before its end, and has none any more."
        case .endDropped(.nothingToRestore):
            return "\(name) ended without a change: what was before was not known."
        case .clockSetBack(let distance):
            return "The clock was put back by \(distance.words)."
        }
    }
}

/// What things are called in a journal.
private struct JournalWords<Calendar: CivilCalendar> {
    let home: Home
    let calendar: Calendar

    func text(_ cause: RunCause) -> String {
        switch cause {
        case .characteristic(let selector, .changes, let value):
            "\(name(selector)) changed to \(text(value, of: selector))"
        case .characteristic(let selector, _, let value): "\(name(selector)) is \(text(value, of: selector))"
        case .time(let due): "it was \(calendar.civil(of: due))"
        case .sun(let event, let due): "\(event) was due at \(calendar.civil(of: due))"
        case .presence(.firstArrives, let user): "\(name(user)) came first"
        case .presence(.lastLeaves, let user): "\(name(user)) left last"
        case .presence(.everyoneArrives, let user): "\(name(user)) came, and all are home"
        case .presence(.arrives, let user): "\(name(user)) came"
        case .presence(.leaves, let user): "\(name(user)) left"
        case .delay(let delay): "\(delay.words) had passed"
        }
    }

    func text(_ obstacle: JournalEvent.Obstacle) -> String {
        switch obstacle {
        case .disabled: "it is disabled"
        case .condition(let part): "it is not so that \(text(part))"
        case .unknown(let part): "nobody knows whether \(text(part))"
        case .rateLimit(let count, let window): "it ran \(count) times in \(window.words) already"
        case .chase(let chain): "automations chase each other: " + chain.map(name).joined(separator: ", ")
        case .missed(let lateness): "that was noticed \(lateness.words) too late"
        case .nothingToDo: "there is nothing left that it would do"
        }
    }

    func text(_ condition: Condition) -> String {
        switch condition {
        case .all(let parts): parts.map(text).joined(separator: " and ")
        case .any(let parts): parts.map(text).joined(separator: " or ")
        case .not(let part): "not: \(text(part))"
        case .characteristic(let selector, .equals(let value)): "\(name(selector)) is \(text(value, of: selector))"
        case .characteristic(let selector, let test): "\(name(selector)) \(test)"
        case .time(let start, let end): "it is between \(text(start)) and \(text(end))"
        case .days(let days): "it is " + Recurrence.weekly(days).description
        case .presence(.anyone): "somebody is home"
        case .presence(.noOne): "nobody is home"
        case .presence(.everyone): "everybody is home"
        case .presence(.user(let user)): "\(name(user)) is home"
        }
    }

    /// The catalogue's name of a value, such as `Opening`, else the value.
    func text(_ value: CharacteristicValue, of selector: CharacteristicSelector) -> String {
        let names = Catalogue.characteristic(selector.type)?.valueNames ?? []
        return names.first { value.number == $0.value }?.name
            ?? String(value.description.prefix(64)).withVisibleControls
    }

    func text(_ bound: TimeBound) -> String {
        switch bound {
        case .clock(let time): "\(time)"
        case .sun(let event, .zero): "\(event)"
        case .sun(let event, let offset) where offset < .zero: "\((.zero - offset).words) before \(event)"
        case .sun(let event, let offset): "\(offset.words) after \(event)"
        }
    }

    func name(_ selector: CharacteristicSelector) -> String {
        let service = home.accessories.lazy.flatMap(\.services).first { $0.id == selector.service }
        let characteristic = service?.characteristic(selector.type)?.shownName ?? selector.type.description
        return "\(service?.name.text ?? "a service that is gone")/\(characteristic)"
    }

    func name(_ user: ObjectID<HomeUser>) -> String {
        home.users.first { $0.id == user }?.name.text ?? "a user who is gone"
    }

    func name(_ automation: ObjectID<Automation>) -> String {
        home.automations.first { $0.id == automation }?.name.text ?? "one that is gone"
    }
}
