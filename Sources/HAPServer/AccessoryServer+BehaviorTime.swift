public import AccessoryModel
public import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// How often behaviors may be due at one and the same time before time goes on all the same.
    private static let maximumStepsPerInstant = 1_000

    /// What the behaviors' clock shows.
    public var behaviorTime: MonotonicInstant {
        behaviors.clock.time(at: now)
    }

    /// The behaviors' clock, and what it shows at the same moment.
    package var behaviorClockSnapshot: (clock: BehaviorClock, time: MonotonicInstant) {
        (behaviors.clock, behaviorTime)
    }

    /// When something moves by itself next, or an injected fault is over, on the behaviors' clock; `nil` while nothing does.
    public var nextBehaviorDeadline: MonotonicInstant? {
        guard let deadline = ports.faultInjection?.nextDeadline else { return database.nextDeadline }
        return min(deadline, database.nextDeadline ?? deadline)
    }

    /// How long it takes until the behaviors' clock shows a time, zero when it has; `nil` while it stands still.
    package func behaviorDelay(until time: MonotonicInstant) -> Duration? {
        behaviors.clock.instant(showing: time).map { max(.zero, now.duration(to: $0)) }
    }

    /// Changes how the behaviors' time passes; that of the protocol stays as it is.
    ///
    /// ```swift
    /// await server.changeBehaviorClock { clock, now in clock.setScale(60, at: now) }
    /// ```
    ///
    /// What comes due by a jump happens one thing after the other, as if the time had passed.
    public func changeBehaviorClock(_ change: @Sendable (inout BehaviorClock, MonotonicInstant) -> Void) {
        let now = now
        var changed = behaviors.clock
        change(&changed, now)
        let target = changed.time(at: now)
        var steps = (at: behaviorTime, count: 0)
        while let deadline = nextBehaviorDeadline, deadline <= target {
            steps = deadline <= steps.at ? (steps.at, steps.count + 1) : (deadline, 0)
            guard steps.count <= Self.maximumStepsPerInstant else { break }
            behaviors.clock.jump(to: deadline, at: now)
            advanceBehaviors()
        }
        behaviors.clock = changed
        behaviors.take()?.cancel()
        rescheduleBehaviors()
    }

    /// Lets everything happen that is due.
    func advanceBehaviors() {
        publish(database.advanceBehaviors(to: behaviorTime), by: .device)
        guard let faultInjection = ports.faultInjection else { return }
        faultInjection.advance(to: behaviorTime)
        if faultInjection.conditions != presence.conditions {
            enqueue(.applyConditions(nil))
        }
    }

    /// Waits for the next moment at which something moves by itself.
    func rescheduleBehaviors() {
        guard lifecycle.isServing, let due = nextBehaviorDeadline else { return }
        guard let deadline = behaviors.deadlineToSet(for: due) else { return }
        let timer = schedule(after: max(.zero, now.duration(to: deadline))) { server in
            server.behaviors.take()
            server.advanceBehaviors()
            server.rescheduleBehaviors()
        }
        behaviors.set(timer, for: deadline)?.cancel()
    }
}
