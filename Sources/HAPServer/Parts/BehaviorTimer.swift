internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The clock of the behaviors, and the timer for what they do next; everything of the protocol follows the loop's clock.
struct BehaviorTimer {
    var clock: BehaviorClock
    private var timer: (deadline: MonotonicInstant, task: Scheduled<Void>)?

    init(_ clock: BehaviorClock) {
        self.clock = clock
    }

    /// Returns when a timer has to fire for a time on the behaviors' clock; `nil` when one is set for an earlier moment,
    /// or while the clock is paused.
    ///
    /// A timer that fires early finds nothing due and is set again: that is cheaper than moving it with every write.
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

    /// Removes the timer, which has fired or is to be cancelled.
    @discardableResult
    mutating func take() -> Scheduled<Void>? {
        defer { timer = nil }
        return timer?.task
    }
}
