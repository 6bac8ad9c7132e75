package import HAPCore

/// A movement at an even pace between two positions in percent: a door's, a bolt's, a lamp's output.
///
/// The position follows from the instant alone, so that looking often and looking once give the same answer.
package struct LinearTravel: Sendable, Hashable {
    /// Where it begins, 0 to 100.
    package let origin: Double
    /// Where it ends, 0 to 100.
    package let destination: Double
    /// When it begins.
    package let start: MonotonicInstant
    /// When it ends, not before ``start``.
    package let end: MonotonicInstant

    /// Creates a movement that takes `duration`, however far it goes.
    ///
    /// A negative duration counts as none; positions are brought into 0 to 100, not a number becomes 0. An end beyond
    /// the clock's range is brought to the end of the range.
    package init(from origin: Double, to destination: Double, at start: MonotonicInstant, lasting duration: Duration) {
        self.origin = Self.clampedPercent(origin)
        self.destination = Self.clampedPercent(destination)
        self.start = start
        end = start.advanced(by: max(duration, .zero))
    }

    /// Creates a movement that takes its share of what the whole way from 0 to 100 takes.
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

    /// The position at `now`, 0 to 100: the origin before the start, the destination from the end on.
    package func position(at now: MonotonicInstant) -> Double {
        guard now < end else { return destination }
        guard now > start else { return origin }
        let share = Self.nanoseconds(from: start, to: now) / Self.nanoseconds(from: start, to: end)
        return Self.clampedPercent(origin + (destination - origin) * share)
    }

    /// The nearest position that exists.
    package static func clampedPercent(_ position: Double) -> Double {
        position.isNaN ? 0 : min(max(position, 0), 100)
    }

    /// The distance between two instants in order: as unsigned it always fits.
    private static func nanoseconds(from start: MonotonicInstant, to end: MonotonicInstant) -> Double {
        Double(UInt64(bitPattern: end.nanoseconds &- start.nanoseconds))
    }

    /// The first instant at which it is at or beyond a position on its way; `nil` for one that it does not pass.
    func instant(ofReaching position: Double) -> MonotonicInstant? {
        let share = (position - origin) / (destination - origin)
        guard share >= 0, share <= 1 else { return nil }
        let whole = start.nanoseconds(to: end)
        let ahead = (share * Double(whole)).rounded(.up)
        return start.advanced(byNanoseconds: min(UInt64(exactly: ahead) ?? whole, whole))
    }
}

/// How far something is turned up at the moment, 0 to 100 %: a lamp's output, the blades of a fan.
enum FadingLevel: Sendable, Hashable {
    case steady(Double)
    case fading(LinearTravel)

    /// Where it stays, or will be when it has faded.
    var goal: Double {
        switch self {
        case .steady(let level): level
        case .fading(let travel): travel.destination
        }
    }

    /// When it has faded, `nil` while it is steady.
    var end: MonotonicInstant? {
        switch self {
        case .steady: nil
        case .fading(let travel): travel.end
        }
    }

    /// The level at `now`, 0 to 100.
    func level(at now: MonotonicInstant) -> Double {
        switch self {
        case .steady(let level): level
        case .fading(let travel): travel.position(at: now)
        }
    }

    /// Fades from where it is, unless it is there or on its way, and becomes steady when that ends by `now`.
    mutating func fade(to goal: Double, at now: MonotonicInstant, lasting duration: Duration) {
        if goal != self.goal {
            let level = level(at: now)
            let travel = LinearTravel(from: level, to: goal, at: now, lasting: duration)
            self = level == goal ? .steady(goal) : .fading(travel)
        }
        settle(at: now)
    }

    /// Becomes steady when its fade has ended by `now`.
    mutating func settle(at now: MonotonicInstant) {
        if let end, end <= now {
            self = .steady(goal)
        }
    }
}
