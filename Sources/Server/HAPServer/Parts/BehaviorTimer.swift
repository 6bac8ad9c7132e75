internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The clock of the behaviors, and the timer for their next event.
///
/// The protocol itself follows the loop's clock.
struct BehaviorTimer {
    var clock: BehaviorClock
    private var timer: (deadline: MonotonicInstant, task: Scheduled<Void>)?

    init(_ clock: BehaviorClock) {
        self.clock = clock
    }

    /// Returns the time at which to set a timer for an event on the behaviors' clock; `nil` if a timer is already set
    /// for that time or earlier, or while the clock is paused.
    ///
    /// A timer that fires too early finds nothing due and is set again. That is cheaper than moving the timer at every
    /// write.
    func deadlineToSet(for due: MonotonicInstant) -> MonotonicInstant? {
        guard let deadline = clock.instant(showing: due) else { return nil }
        if let timer, timer.deadline <= deadline { return nil }
        return deadline
    }

    /// Stores a new timer, and returns the one that it replaces, which the caller cancels.
    mutating func set(_ task: Scheduled<Void>, for deadline: MonotonicInstant) -> Scheduled<Void>? {
        defer { timer = (deadline, task) }
        return timer?.task
    }

    /// Removes the timer, which has fired or is to be canceled.
    @discardableResult
    mutating func take() -> Scheduled<Void>? {
        defer { timer = nil }
        return timer?.task
    }
}
