package import HAPCore

/// A movement at constant speed between two positions, such as a door, a bolt or a lamp's output.
///
/// Positions are in percent, unless a movement has other limits.
///
/// The position depends only on the time, so the number of queries does not affect it.
package struct LinearTravel: Sendable, Hashable {
    /// The start position, within the limits.
    package let origin: Double
    /// The end position, within the limits.
    package let destination: Double
    /// The time at which the movement begins.
    package let start: MonotonicInstant
    /// The time at which the movement ends, not before ``start``.
    package let end: MonotonicInstant
    private let limits: ClosedRange<Double>

    /// Creates a movement that takes `duration`, whatever its distance.
    ///
    /// A negative duration counts as zero. Positions are clamped to the limits; NaN becomes the lower one. An end
    /// beyond the clock's range is moved to the end of the range.
    package init(
        from origin: Double,
        to destination: Double,
        at start: MonotonicInstant,
        lasting duration: Duration,
        limits: ClosedRange<Double> = 0...100
    ) {
        self.origin = origin.clamped(to: limits)
        self.destination = destination.clamped(to: limits)
        self.start = start
        self.limits = limits
        end = start.advanced(by: max(duration, .zero))
    }

    /// Creates a movement whose duration is proportional to its distance.
    ///
    /// - Parameter rate: A distance and the duration of a movement over this distance.
    init(
        from origin: Double,
        to destination: Double,
        at start: MonotonicInstant,
        rate: (length: Double, duration: Duration),
        limits: ClosedRange<Double> = 0...100
    ) {
        let distance = abs(destination.clamped(to: limits) - origin.clamped(to: limits))
        let share = rate.length > 0 ? distance / rate.length : 0
        let nanoseconds = (Double(max(rate.duration, .zero).clampedNanoseconds) * share).rounded()
        self.init(
            from: origin,
            to: destination,
            at: start,
            lasting: .nanoseconds(Int64(exactly: nanoseconds) ?? .max),
            limits: limits
        )
    }

    /// Creates a movement whose duration is proportional to its distance.
    ///
    /// - Parameter fullTravelTime: The duration of a movement from 0 to 100.
    package init(from origin: Double, to destination: Double, at start: MonotonicInstant, fullTravelTime: Duration) {
        self.init(from: origin, to: destination, at: start, rate: (100, fullTravelTime))
    }

    /// Returns the position at `now`: the origin before the start, the destination from the end on.
    package func position(at now: MonotonicInstant) -> Double {
        guard now < end else { return destination }
        guard now > start else { return origin }
        let share = Double(start.nanoseconds(to: now)) / Double(start.nanoseconds(to: end))
        return (origin + (destination - origin) * share).clamped(to: limits)
    }

    /// Returns the first time at which a position is reached; `nil` if it is not on the way.
    func instant(ofReaching position: Double) -> MonotonicInstant? {
        let share = (position - origin) / (destination - origin)
        guard share >= 0, share <= 1 else { return nil }
        let whole = start.nanoseconds(to: end)
        let ahead = (share * Double(whole)).rounded(.up)
        return start.advanced(byNanoseconds: min(UInt64(exactly: ahead) ?? whole, whole))
    }
}

/// A level from 0 to 100 % that may be fading, such as a lamp's output or the speed of a fan.
enum FadingLevel: Sendable, Hashable {
    case steady(Double)
    case fading(LinearTravel)

    /// The level after any fade.
    var goal: Double {
        switch self {
        case .steady(let level): level
        case .fading(let travel): travel.destination
        }
    }

    /// The end of the fade; `nil` without a fade.
    var end: MonotonicInstant? {
        switch self {
        case .steady: nil
        case .fading(let travel): travel.end
        }
    }

    /// Returns the level at `now`, 0 to 100.
    func level(at now: MonotonicInstant) -> Double {
        switch self {
        case .steady(let level): level
        case .fading(let travel): travel.position(at: now)
        }
    }

    /// Starts a fade to another goal from the current level, and ends a fade that is over by `now`.
    mutating func fade(to goal: Double, at now: MonotonicInstant, lasting duration: Duration) {
        if goal != self.goal {
            let level = level(at: now)
            let travel = LinearTravel(from: level, to: goal, at: now, lasting: duration)
            self = level == goal ? .steady(goal) : .fading(travel)
        }
        settle(at: now)
    }

    /// Becomes steady if the fade is over by `now`.
    mutating func settle(at now: MonotonicInstant) {
        if let end, end <= now {
            self = .steady(goal)
        }
    }
}
