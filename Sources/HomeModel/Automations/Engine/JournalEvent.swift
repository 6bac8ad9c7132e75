package import AccessoryModel

/// What an engine has to say of an automation.
package enum JournalEvent: Sendable, Hashable {
    /// It ran.
    case ran(RunCause)
    /// It was set off, and did not run.
    case notRun(RunCause, Obstacle)
    /// Its test holds, and did not become true.
    case noEdge(CharacteristicSelector, CharacteristicTest<CharacteristicValue>, value: CharacteristicValue, NoEdge)
    /// It will end at an instant.
    case endDue(WallInstant)
    /// What it waited for before its end has ceased: it waits again.
    case endWaitsAgain(CharacteristicSelector, value: CharacteristicValue)
    /// It ended.
    case ended(RunCause)
    /// It does not end any more.
    case endDropped(DroppedEnd)
    /// It has run once, as it was meant to, and is disabled now: who stores the home stores that, too.
    case disabled
    /// The clock was put back by so much: what is due by it was reckoned anew.
    case clockSetBack(Duration)

    /// Why an automation does not run.
    package enum Obstacle: Sendable, Hashable {
        /// It is disabled.
        case disabled
        /// This part of its condition is not so.
        case condition(Condition<HomeIDs>)
        /// Nobody knows whether this part of its condition is so.
        case unknown(Condition<HomeIDs>)
        /// It ran so often in so much time already.
        case rateLimit(count: Int, in: Duration)
        /// Automations set each other off in a circle, or in a long line: these, the first one first.
        case chase([ObjectID<Automation>])
        /// It was noticed too late.
        case missed(by: Duration)
        /// All that it would do is gone.
        case nothingToDo
    }

    /// Why a test that holds is no edge.
    package enum NoEdge: Sendable, Hashable {
        /// It is the first value ever seen.
        case firstValue
        /// It held before, too.
        case heldBefore
    }

    /// Why an end does not come.
    package enum DroppedEnd: Sendable, Hashable {
        /// The automation is gone.
        case automationRemoved
        /// The automation has no end any more.
        case endRemoved
        /// Nothing that it was to restore was known.
        case nothingToRestore
    }
}
