internal import HAPCore

extension Humidifier {
    /// What is in the tank, 0 to 100 %.
    enum Water: Sendable, Hashable {
        case still(Double)
        case flowing(SteppedTravel)

        /// The level in whole percent that was told last.
        var shown: Double {
            switch self {
            case .still(let level): level.rounded()
            case .flowing(let travel): travel.shown.rounded()
            }
        }

        /// When there is something to tell.
        var event: MonotonicInstant? {
            switch self {
            case .still: nil
            case .flowing(let travel): travel.next
            }
        }

        /// The level at an instant.
        func level(at now: MonotonicInstant) -> Double {
            switch self {
            case .still(let level): level
            case .flowing(let travel): travel.value(at: now)
            }
        }

        /// Begins to fall; does nothing when it does, or when there is none.
        mutating func flow(at now: MonotonicInstant, tank: Duration) {
            guard case .still(let level) = self, level > 0 else { return }
            self = .flowing(SteppedTravel(from: level, to: 0, at: now, way: (100, tank), step: 5))
        }

        /// Stays where it is.
        mutating func stop(at now: MonotonicInstant) {
            self = .still(level(at: now))
        }

        mutating func settle(at now: MonotonicInstant) {
            guard case .flowing(var travel) = self else { return }
            self = travel.settle(at: now) ? .still(0) : .flowing(travel)
        }
    }
}
