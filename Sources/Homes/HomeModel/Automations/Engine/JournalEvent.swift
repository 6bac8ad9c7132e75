package import AccessoryModel

/// An event that an engine reports about an automation.
package enum JournalEvent: Sendable, Hashable {
    /// The automation ran.
    case ran(RunCause)
    /// The automation was triggered, but did not run.
    case notRun(RunCause, SkipReason)
    /// The test of a trigger holds, but did not become true.
    case noChange(
        CharacteristicSelector,
        CharacteristicTest<CharacteristicValue>,
        value: CharacteristicValue,
        NoChangeReason
    )
    /// The automation will end at an instant.
    case endScheduled(WallInstant)
    /// The end's test became false before the delay passed, so the end waits for the test again.
    case endTestPending(CharacteristicSelector, value: CharacteristicValue)
    /// The automation ended.
    case ended(RunCause)
    /// The pending end was canceled.
    case endCancelled(EndCancelReason)
    /// The automation has run once, as requested, and is now disabled; the owner of the home must store that too.
    case disabled
    /// The clock was set back by this duration, and all deadlines were calculated again.
    case clockSetBack(Duration)

    /// The reason why an automation does not run.
    package enum SkipReason: Sendable, Hashable {
        /// The automation is disabled.
        case disabled
        /// This part of the condition does not hold.
        case condition(Condition<HomeIDs>)
        /// It is unknown whether this part of the condition holds.
        case unknown(Condition<HomeIDs>)
        /// The automation has already run this many times in this period.
        case rateLimit(count: Int, in: Duration)
        /// Automations trigger each other in a cycle or in a chain that is too long: these, the first one first.
        case cycle([ObjectID<Automation>])
        /// The trigger was noticed too late.
        case tooLate(by: Duration)
        /// All actions of the automation have been removed.
        case nothingToDo
    }

    /// The reason why a test that holds does not fire its trigger.
    package enum NoChangeReason: Sendable, Hashable {
        /// The value is the first known one.
        case firstValue
        /// The test held before, too.
        case alreadyTrue
    }

    /// The reason why a pending end is canceled.
    package enum EndCancelReason: Sendable, Hashable {
        /// The automation was removed.
        case automationRemoved
        /// The automation no longer has an end.
        case endRemoved
        /// None of the values to restore was known.
        case nothingToRestore
    }
}
