internal import HAPCore

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

    /// Begins to fade from where it is; does nothing when it is there or on its way.
    mutating func fade(to goal: Double, at now: MonotonicInstant, lasting duration: Duration) {
        guard goal != self.goal else { return }
        let level = level(at: now)
        self =
            level == goal
            ? .steady(goal)
            : .fading(LinearTravel(from: level, to: goal, at: now, lasting: duration))
    }

    /// Becomes steady when its fade has ended by `now`.
    mutating func settle(at now: MonotonicInstant) {
        switch self {
        case .steady:
            break
        case .fading(let travel):
            if travel.end <= now {
                self = .steady(travel.destination)
            }
        }
    }
}
