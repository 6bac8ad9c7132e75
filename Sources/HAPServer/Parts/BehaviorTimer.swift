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

    /// Waits for a time on the behaviors' clock, unless the timer is set for an earlier one; never while the clock is
    /// paused.
    ///
    /// A timer that fires early finds nothing due and is set again: that is cheaper than moving it with every write.
    mutating func wait(until due: MonotonicInstant, _ schedule: (MonotonicInstant) -> Scheduled<Void>) {
        guard let deadline = clock.moment(of: due) else { return }
        if let timer {
            guard deadline < timer.deadline else { return }
            timer.task.cancel()
        }
        timer = (deadline, schedule(deadline))
    }

    /// Notes that the timer has fired.
    mutating func fired() {
        timer = nil
    }

    /// Stops waiting.
    mutating func cancel() {
        timer?.task.cancel()
        timer = nil
    }
}
