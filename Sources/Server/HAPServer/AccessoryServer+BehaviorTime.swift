public import AccessoryModel
public import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// The number of times that behaviors may be due at the same instant before time advances anyway.
    private static let maximumStepsPerInstant = 1_000

    /// The current time of the behaviors' clock.
    public var behaviorTime: MonotonicInstant {
        behaviors.clock.time(at: now)
    }

    /// The behaviors' clock together with the time that it shows.
    package var behaviorClockSnapshot: (clock: BehaviorClock, time: MonotonicInstant) {
        (behaviors.clock, behaviorTime)
    }

    /// The time of the next event of a behavior or the end of an injected fault, on the behaviors' clock; `nil` if
    /// there is none.
    public var nextBehaviorDeadline: MonotonicInstant? {
        guard let deadline = ports.faultInjection?.nextDeadline else { return database.nextDeadline }
        return min(deadline, database.nextDeadline ?? deadline)
    }

    /// Returns the real time until the behaviors' clock reaches a time: zero if it has passed, `nil` while the clock is
    /// paused.
    package func behaviorDelay(until time: MonotonicInstant) -> Duration? {
        behaviors.clock.instant(showing: time).map { max(.zero, now.duration(to: $0)) }
    }

    /// Changes how time passes for the behaviors; the time of the protocol is not affected.
    ///
    /// ```swift
    /// await server.changeBehaviorClock { clock, now in clock.setScale(60, at: now) }
    /// ```
    ///
    /// If the change makes the clock jump, the events that become due are handled one after the other, as if the time
    /// had passed.
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
            reportBehaviorTime()
            advanceBehaviors()
        }
        behaviors.clock = changed
        reportBehaviorTime()
        behaviors.take()?.cancel()
        rescheduleBehaviors()
    }

    /// Reports the time on the behaviors' clock to the observer.
    func reportBehaviorTime() {
        let clock = behaviors.clock
        ports.observer?.observe(.behaviorTimeChanged(behaviorTime, scale: clock.isPaused ? 0 : clock.scale))
    }

    /// Handles what is due at a time or before, without waiting for its timer.
    package func handleDueEvents(through time: MonotonicInstant) {
        guard lifecycle.isServing, let due = nextBehaviorDeadline, due <= min(time, behaviorTime) else { return }
        advanceBehaviors(to: min(time, behaviorTime))
    }

    /// Handles everything that is due.
    func advanceBehaviors() {
        advanceBehaviors(to: behaviorTime)
    }

    private func advanceBehaviors(to time: MonotonicInstant) {
        publish(database.advanceBehaviors(to: time), by: .device)
        if database.hasConnectedBehaviors { performDeviceEffects() }
        guard let faultInjection = ports.faultInjection else { return }
        faultInjection.advance(to: time)
        if faultInjection.conditions != presence.conditions {
            enqueue(.applyConditions(nil))
        }
    }

    /// Schedules a timer for the next event of a behavior, and does what devices do to others.
    func rescheduleBehaviors() {
        if database.hasConnectedBehaviors { performDeviceEffects() }
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

extension MonotonicInstant {
    /// The present moment on the clock of all event loops, for a clock that begins before a server does.
    package static var now: MonotonicInstant { MonotonicInstant(NIODeadline.now()) }

    /// Creates the instant of a time of an event loop.
    init(_ time: NIODeadline) {
        self.init(nanoseconds: Int64(clamping: time.uptimeNanoseconds))
    }
}
