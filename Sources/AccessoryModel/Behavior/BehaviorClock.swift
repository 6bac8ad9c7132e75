public import HAPCore

/// The clock of behaviors: in real time, faster, slower or paused.
///
/// It starts in real time, and never goes back.
public struct BehaviorClock: Sendable, Hashable {
    /// The number of its seconds per real second while it runs, within ``scaleRange``.
    public private(set) var scale = 1.0
    /// Whether it is paused.
    public private(set) var isPaused = false
    /// A real instant, and the time that this clock showed then.
    private var origin = MonotonicInstant.zero
    private var timeAtOrigin = MonotonicInstant.zero

    /// The allowed values of ``scale``.
    public static let scaleRange = 0.001...1_000_000.0

    /// Creates a clock in real time.
    public init() {}

    /// Returns its time at a real instant.
    public func time(at now: MonotonicInstant) -> MonotonicInstant {
        guard !isPaused else { return timeAtOrigin }
        guard scale != 1 else { return timeAtOrigin.advanced(byDistanceFrom: origin, to: now) }
        return timeAtOrigin.advanced(by: origin.duration(to: now) * scale)
    }

    /// Returns the real instant at which it shows a time: the instant of the last change if the time has passed by
    /// then, `nil` while it is paused.
    public func instant(showing time: MonotonicInstant) -> MonotonicInstant? {
        guard scale != 1 || isPaused else { return origin.advanced(byDistanceFrom: timeAtOrigin, to: time) }
        let ahead = timeAtOrigin.duration(to: time)
        guard ahead > .zero else { return origin }
        guard !isPaused else { return nil }
        // Rounded up: a timer that fires a nanosecond early would find nothing due.
        return origin.advanced(by: ahead / scale + .nanoseconds(1))
    }

    /// Changes the speed.
    ///
    /// - Parameter scale: Clamped to ``scaleRange``; a value that is not a number changes nothing.
    public mutating func setScale(_ scale: Double, at now: MonotonicInstant) {
        guard !scale.isNaN else { return }
        rebase(at: now)
        self.scale = min(max(scale, Self.scaleRange.lowerBound), Self.scaleRange.upperBound)
    }

    /// Stands still.
    public mutating func pause(at now: MonotonicInstant) {
        rebase(at: now)
        isPaused = true
    }

    /// Goes on.
    public mutating func resume(at now: MonotonicInstant) {
        rebase(at: now)
        isPaused = false
    }

    /// Shows a later time from now on; an earlier one changes nothing.
    public mutating func jump(to time: MonotonicInstant, at now: MonotonicInstant) {
        rebase(at: now)
        timeAtOrigin = max(timeAtOrigin, time)
    }

    private mutating func rebase(at now: MonotonicInstant) {
        timeAtOrigin = time(at: now)
        origin = now
    }
}
