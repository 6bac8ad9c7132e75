public import HAPCore

/// The clock of behaviors, which runs in real time, faster or slower, or is paused.
///
/// It starts in real time and never goes back.
public struct BehaviorClock: Sendable, Hashable {
    /// The number of simulated seconds per real second while the clock runs, within ``scaleRange``.
    public private(set) var scale = 1.0
    /// Whether the clock is paused.
    public private(set) var isPaused = false
    /// A real instant; `timeAtOrigin` is the time that the clock showed then.
    private var origin = MonotonicInstant.zero
    private var timeAtOrigin = MonotonicInstant.zero

    /// The allowed values of ``scale``.
    public static let scaleRange = 0.001...1_000_000.0

    /// Creates a clock that runs in real time.
    public init() {}

    /// Returns the clock's time at a real instant.
    public func time(at now: MonotonicInstant) -> MonotonicInstant {
        guard !isPaused else { return timeAtOrigin }
        guard scale != 1 else { return timeAtOrigin.advanced(byDistanceFrom: origin, to: now) }
        return timeAtOrigin.advanced(by: origin.duration(to: now) * scale)
    }

    /// Returns the real instant at which the clock shows a time.
    ///
    /// If the clock had already passed the time at its last change, returns the instant of that change. While the clock
    /// is paused, returns `nil` for a later time.
    public func instant(showing time: MonotonicInstant) -> MonotonicInstant? {
        guard scale != 1 || isPaused else { return origin.advanced(byDistanceFrom: timeAtOrigin, to: time) }
        let ahead = timeAtOrigin.duration(to: time)
        guard ahead > .zero else { return origin }
        guard !isPaused else { return nil }
        // A nanosecond is added because a timer that fires a nanosecond early would find no due behavior.
        return origin.advanced(by: ahead / scale + .nanoseconds(1))
    }

    /// Changes the speed of the clock.
    ///
    /// - Parameter scale: The new ``scale``. It is clamped to ``scaleRange``; NaN is ignored.
    public mutating func setScale(_ scale: Double, at now: MonotonicInstant) {
        guard !scale.isNaN else { return }
        rebase(at: now)
        self.scale = min(max(scale, Self.scaleRange.lowerBound), Self.scaleRange.upperBound)
    }

    /// Pauses the clock.
    public mutating func pause(at now: MonotonicInstant) {
        rebase(at: now)
        isPaused = true
    }

    /// Resumes the clock.
    public mutating func resume(at now: MonotonicInstant) {
        rebase(at: now)
        isPaused = false
    }

    /// Moves the clock forward to a time; an earlier time is ignored.
    public mutating func jump(to time: MonotonicInstant, at now: MonotonicInstant) {
        rebase(at: now)
        timeAtOrigin = max(timeAtOrigin, time)
    }

    private mutating func rebase(at now: MonotonicInstant) {
        timeAtOrigin = time(at: now)
        origin = now
    }
}
