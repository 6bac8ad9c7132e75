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
        let words = JournalPhrases(home: home, calendar: calendar)
        switch event {
        case .ran(let cause):
            return "\(name) ran: \(words.text(cause))."
        case .notRun(let cause, let obstacle):
            return "\(name) did not run (\(words.text(cause))): \(words.text(obstacle))."
        case .noChange(let selector, let test, let value, .firstValue):
            return
                "\(name) waits: \(home.text(of: test, on: selector)), its first value, \(home.text(of: value, for: selector)), is no change."
        case .noChange(let selector, let test, let value, .alreadyTrue):
            return
                "\(name) waits: \(home.text(of: test, on: selector)) since before, now \(home.text(of: value, for: selector))."
        case .endScheduled(let instant):
            return "\(name) will end at \(calendar.civil(of: instant))."
        case .endTestPending(let selector, let value):
            return
                "\(name) waits again for its end: \(home.text(of: selector)) is \(home.text(of: value, for: selector))."
        case .ended(let cause):
            return "\(name) ended: \(words.text(cause))."
        case .endCancelled(.automationRemoved):
            return "\(name) was removed before its end."
        case .endCancelled(.endRemoved):
            return "\(name) was changed before its end, and has none any more."
        case .endCancelled(.nothingToRestore):
            return "\(name) ended without a change: what was before was not known."
        case .disabled:
            return "\(name) is disabled: it was to run once."
        case .clockSetBack(let distance):
            return "The clock was put back by \(distance.phrase)."
        }
    }
}

/// What things are called in a journal.
private struct JournalPhrases<Calendar: CivilCalendar> {
    let home: Home
    let calendar: Calendar

    func text(_ cause: RunCause) -> String {
        switch cause {
        case .characteristic(let selector, .changes, let value):
            "\(home.text(of: selector)) changed to \(home.text(of: value, for: selector))"
        case .characteristic(let selector, _, let value):
            "\(home.text(of: selector)) is \(home.text(of: value, for: selector))"
        case .time(let due): "it was \(calendar.civil(of: due))"
        case .sun(let event, let due): "\(event) was due at \(calendar.civil(of: due))"
        case .presence(.firstArrives, let user): "\(home.name(of: user)) came first"
        case .presence(.lastLeaves, let user): "\(home.name(of: user)) left last"
        case .presence(.everyoneArrives, let user): "\(home.name(of: user)) came, and all are home"
        case .presence(.anyoneArrives, let user), .presence(.arrives, let user): "\(home.name(of: user)) came"
        case .presence(.anyoneLeaves, let user), .presence(.leaves, let user): "\(home.name(of: user)) left"
        case .delay(let delay): "\(delay.phrase) had passed"
        }
    }

    func text(_ obstacle: JournalEvent.SkipReason) -> String {
        switch obstacle {
        case .disabled: "it is disabled"
        // What holds, and was not to.
        case .condition(.not(let part)): home.text(of: part)
        case .condition(let part): "it is not so that \(home.text(of: part))"
        case .unknown(let part): "nobody knows whether \(home.text(of: part))"
        case .rateLimit(let count, let window): "it ran \(count) times in \(window.phrase) already"
        case .cycle(let chain): "automations chase each other: " + chain.map(name).joined(separator: ", ")
        case .tooLate(let lateness): "that was noticed \(lateness.phrase) too late"
        case .nothingToDo: "there is nothing left that it would do"
        }
    }

    func name(_ automation: ObjectID<Automation>) -> String {
        home.automations.first { $0.id == automation }?.name.text ?? "one that is gone"
    }
}
