package import HAPCore

/// A movement at constant speed between two positions in percent, such as a door, a bolt or a lamp's output.
///
/// The position depends only on the time, so the number of queries does not affect it.
package struct LinearTravel: Sendable, Hashable {
    /// The start position, 0 to 100.
    package let origin: Double
    /// The end position, 0 to 100.
    package let destination: Double
    /// The time at which the movement begins.
    package let start: MonotonicInstant
    /// The time at which the movement ends, not before ``start``.
    package let end: MonotonicInstant

    /// Creates a movement that takes `duration`, whatever its distance.
    ///
    /// A negative duration counts as zero. Positions are clamped to 0 to 100; NaN becomes 0. An end beyond the clock's
    /// range is moved to the end of the range.
    package init(from origin: Double, to destination: Double, at start: MonotonicInstant, lasting duration: Duration) {
        self.origin = Self.clampedPercent(origin)
        self.destination = Self.clampedPercent(destination)
        self.start = start
        end = start.advanced(by: max(duration, .zero))
    }

    /// Creates a movement whose duration is proportional to its distance.
    ///
    /// - Parameter fullTravelTime: The duration of a movement from 0 to 100.
    package init(from origin: Double, to destination: Double, at start: MonotonicInstant, fullTravelTime: Duration) {
        let share = abs(Self.clampedPercent(destination) - Self.clampedPercent(origin)) / 100
        let nanoseconds = (Double(max(fullTravelTime, .zero).clampedNanoseconds) * share).rounded()
        self.init(
            from: origin,
            to: destination,
            at: start,
            lasting: .nanoseconds(Int64(exactly: nanoseconds) ?? .max)
        )
    }

    /// Returns the position at `now`, 0 to 100: the origin before the start, the destination from the end on.
    package func position(at now: MonotonicInstant) -> Double {
        guard now < end else { return destination }
        guard now > start else { return origin }
        let share = Self.nanoseconds(from: start, to: now) / Self.nanoseconds(from: start, to: end)
        return Self.clampedPercent(origin + (destination - origin) * share)
    }

    /// Returns the nearest position from 0 to 100.
    package static func clampedPercent(_ position: Double) -> Double {
        position.isNaN ? 0 : min(max(position, 0), 100)
    }

    /// Returns the distance between two ordered instants; the subtraction is unsigned, so that it cannot overflow.
    private static func nanoseconds(from start: MonotonicInstant, to end: MonotonicInstant) -> Double {
        Double(UInt64(bitPattern: end.nanoseconds &- start.nanoseconds))
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
