package import AccessoryModel

/// What an engine has to say of an automation.
package enum JournalEvent: Sendable, Hashable {
    /// It ran.
    case ran(RunCause)
    /// It was set off, and did not run.
    case notRun(RunCause, SkipReason)
    /// Its test holds, and did not become true.
    case noChange(
        CharacteristicSelector,
        CharacteristicTest<CharacteristicValue>,
        value: CharacteristicValue,
        NoChangeReason
    )
    /// It will end at an instant.
    case endScheduled(WallInstant)
    /// What it waited for before its end has ceased: it waits again.
    case endTestPending(CharacteristicSelector, value: CharacteristicValue)
    /// It ended.
    case ended(RunCause)
    /// It does not end any more.
    case endCancelled(EndCancelReason)
    /// It has run once, as it was meant to, and is disabled now: who stores the home stores that, too.
    case disabled
    /// The clock was put back by so much: what is due by it was reckoned anew.
    case clockSetBack(Duration)

    /// Why an automation does not run.
    package enum SkipReason: Sendable, Hashable {
        /// It is disabled.
        case disabled
        /// This part of its condition is not so.
        case condition(Condition<HomeIDs>)
        /// Nobody knows whether this part of its condition is so.
        case unknown(Condition<HomeIDs>)
        /// It ran so often in so much time already.
        case rateLimit(count: Int, in: Duration)
        /// Automations set each other off in a circle, or in a long line: these, the first one first.
        case cycle([ObjectID<Automation>])
        /// It was noticed too late.
        case tooLate(by: Duration)
        /// All that it would do is gone.
        case nothingToDo
    }

    /// Why a test that holds is no edge.
    package enum NoChangeReason: Sendable, Hashable {
        /// It is the first value ever seen.
        case firstValue
        /// It held before, too.
        case alreadyTrue
    }

    /// Why an end does not come.
    package enum EndCancelReason: Sendable, Hashable {
        /// The automation is gone.
        case automationRemoved
        /// The automation has no end any more.
        case endRemoved
        /// Nothing that it was to restore was known.
        case nothingToRestore
    }
}
