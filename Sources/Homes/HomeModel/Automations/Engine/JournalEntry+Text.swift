internal import AccessoryModel

extension JournalEntry {
    /// Returns a sentence about the event, with the names in a home and times in its time zone, but without the
    /// instant.
    ///
    /// ```
    /// Light the garage ran: Garage Door/Current Door State is Opening.
    /// Light the garage did not run (Ada arrived): it runs only if it is between sunset and sunrise.
    /// ```
    package func text(in home: Home, by calendar: some CivilCalendar) -> String {
        let words = JournalPhrases(home: home, calendar: calendar)
        switch event {
        case .ran(let cause):
            return "\(name) ran: \(words.text(cause))."
        case .notRun(let cause, let obstacle):
            return "\(name) did not run (\(words.text(cause))): \(words.text(obstacle))."
        case .noChange(let selector, let test, let value, .firstValue):
            return "\(name) did not run: \(home.text(of: test, on: selector)), "
                + "but \(home.text(of: value, for: selector)) is its first known value, not a change."
        case .noChange(let selector, let test, let value, .alreadyTrue):
            return "\(name) did not run: \(home.text(of: test, on: selector)), as before; "
                + "it is now \(home.text(of: value, for: selector))."
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
            return "\(name) was edited before its end and no longer has one."
        case .endCancelled(.nothingToRestore):
            return "\(name) ended, but restored nothing: the values from before the run are not known."
        case .disabled:
            return "\(name) is now disabled, because it was set to run only once."
        case .clockSetBack(let distance):
            return "The clock was set back by \(distance.phrase)."
        }
    }
}

/// The phrases of a journal, with the names in a home.
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
        case .sun(let event, .zero, let due): "\(event) was due at \(calendar.civil(of: due))"
        case .sun(let event, let offset, let due):
            "it was \(calendar.civil(of: due)), \(home.text(of: .sun(event, offset: offset)))"
        case .presence(.firstArrives, let user): "\(home.name(of: user)) arrived first"
        case .presence(.lastLeaves, let user): "\(home.name(of: user)) left last"
        case .presence(.everyoneArrives, let user): "\(home.name(of: user)) arrived, and everyone is home"
        case .presence(.anyoneArrives, let user), .presence(.arrives, let user): "\(home.name(of: user)) arrived"
        case .presence(.anyoneLeaves, let user), .presence(.leaves, let user): "\(home.name(of: user)) left"
        case .delay(let delay): "\(delay.phrase) had passed"
        }
    }

    func text(_ obstacle: JournalEvent.SkipReason) -> String {
        switch obstacle {
        case .disabled: "it is disabled"
        // This part holds, although the condition requires the opposite.
        case .condition(.not(let part)): home.text(of: part)
        case .condition(let part): "it runs only if \(home.text(of: part))"
        case .unknown(let part): "it is unknown whether \(home.text(of: part))"
        case .rateLimit(let count, let window): "it ran \(count) times in \(window.phrase) already"
        case .cycle(let chain): "automations trigger each other: " + chain.map(name).joined(separator: ", ")
        case .tooLate(let lateness): "hap noticed the trigger \(lateness.phrase) late, so it was skipped"
        case .nothingToDo: "it has no actions left"
        }
    }

    func name(_ automation: ObjectID<Automation>) -> String {
        home.automations.first { $0.id == automation }?.name.text ?? "a removed automation"
    }
}
