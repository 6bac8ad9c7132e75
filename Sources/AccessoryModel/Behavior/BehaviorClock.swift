public import HAPCore

/// The clock that behaviors live on: as fast as the world's, faster or slower, or standing still.
///
/// It begins as the world's own, and never goes back.
public struct BehaviorClock: Sendable, Hashable {
    /// How many of its seconds pass in one of the world's while it goes, within ``scaleRange``.
    public private(set) var scale = 1.0
    /// Whether it stands still.
    public private(set) var isPaused = false
    /// A moment of the world's clock, and what this one showed then.
    private var origin = MonotonicInstant.zero
    private var timeAtOrigin = MonotonicInstant.zero

    /// What ``scale`` can be.
    public static let scaleRange = 0.001...1_000_000.0

    /// Creates the world's own clock.
    public init() {}

    /// What it shows at a moment of the world's clock.
    public func time(at now: MonotonicInstant) -> MonotonicInstant {
        guard !isPaused else { return timeAtOrigin }
        guard scale != 1 else { return timeAtOrigin.advanced(byDistanceFrom: origin, to: now) }
        return timeAtOrigin.advanced(by: origin.duration(to: now) * scale)
    }

    /// When the world's clock will have come so far that this one shows a time: the moment of the last change for one that
    /// has passed by then, `nil` while it stands still.
    public func instant(showing time: MonotonicInstant) -> MonotonicInstant? {
        guard scale != 1 || isPaused else { return origin.advanced(byDistanceFrom: timeAtOrigin, to: time) }
        let ahead = timeAtOrigin.duration(to: time)
        guard ahead > .zero else { return origin }
        guard !isPaused else { return nil }
        // Rounded up: a timer that goes off a nanosecond early would find nothing due.
        return origin.advanced(by: ahead / scale + .nanoseconds(1))
    }

    /// Goes on at another speed.
    ///
    /// - Parameter scale: Brought within ``scaleRange`` when it is not; what is no number changes nothing.
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
