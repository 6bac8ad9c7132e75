internal import HAPCore

/// The bolt of a lock: 0 % is retracted, 100 % extended.
enum Bolt: Sendable, Hashable {
    case resting(isSecured: Bool)
    /// The bolt moves; `jam` is the time at which it jams, if any.
    case moving(LinearTravel, wasSecured: Bool, jam: MonotonicInstant? = nil)
    /// The bolt is jammed, at an end or in between.
    case jammed(position: Double)

    /// The value of Lock Current State; while the bolt moves, it is the state from which the bolt started.
    ///
    /// HAP: §20.2
    var current: Int {
        switch self {
        case .resting(let isSecured): isSecured ? 1 : 0
        case .moving(_, let wasSecured, _): wasSecured ? 1 : 0
        case .jammed: 2
        }
    }

    /// Whether the bolt is extended or extends, which ``current`` does not show; `nil` if it is jammed.
    var isSecuredOrSecuring: Bool? {
        switch self {
        case .resting(let isSecured): isSecured
        case .moving(let travel, _, _): travel.destination == 100
        case .jammed: nil
        }
    }

    /// Returns how far the bolt is extended, 0 to 100.
    func position(at now: MonotonicInstant) -> Double {
        switch self {
        case .resting(let isSecured): isSecured ? 100 : 0
        case .moving(let travel, _, _): travel.position(at: now)
        case .jammed(let position): position
        }
    }

    /// The time at which the bolt arrives or jams; `nil` at rest.
    var nextEvent: MonotonicInstant? {
        switch self {
        case .resting, .jammed: nil
        case .moving(let travel, _, let jam): jam ?? travel.end
        }
    }

    /// Returns the travel from the current position to one end.
    func travel(toSecured isSecured: Bool, at now: MonotonicInstant, fullTravelTime: Duration) -> LinearTravel {
        LinearTravel(from: position(at: now), to: isSecured ? 100 : 0, at: now, fullTravelTime: fullTravelTime)
    }

    /// Ends a travel that arrives or jams by `now`.
    mutating func settle(at now: MonotonicInstant) {
        guard case .moving(let travel, _, let jam) = self, let nextEvent, nextEvent <= now else { return }
        self =
            jam == nil
            ? .resting(isSecured: travel.destination == 100) : .jammed(position: travel.position(at: nextEvent))
    }
}
