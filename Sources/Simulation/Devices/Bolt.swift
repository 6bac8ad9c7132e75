internal import HAPCore

/// The bolt of a lock: 0 % drawn back, 100 % shot.
enum Bolt: Sendable, Hashable {
    case resting(isSecured: Bool)
    /// On its way; it jams at `jam`, if at all.
    case moving(LinearTravel, wasSecured: Bool, jam: MonotonicInstant? = nil)
    /// Stuck, at an end or on its way.
    case jammed(position: Double)

    /// The value of Lock Current State: while it moves, the end that it was at last.
    ///
    /// HAP: §20.2
    var current: Int {
        switch self {
        case .resting(let isSecured): isSecured ? 1 : 0
        case .moving(_, let wasSecured, _): wasSecured ? 1 : 0
        case .jammed: 2
        }
    }

    /// Whether it is at an end or on its way to it, which ``current`` does not tell; `nil` when it is jammed.
    var isSecuredOrSecuring: Bool? {
        switch self {
        case .resting(let isSecured): isSecured
        case .moving(let travel, _, _): travel.destination == 100
        case .jammed: nil
        }
    }

    /// How far it is out, 0 to 100.
    func position(at now: MonotonicInstant) -> Double {
        switch self {
        case .resting(let isSecured): isSecured ? 100 : 0
        case .moving(let travel, _, _): travel.position(at: now)
        case .jammed(let position): position
        }
    }

    /// When it arrives or jams, `nil` while it rests.
    var nextEvent: MonotonicInstant? {
        switch self {
        case .resting, .jammed: nil
        case .moving(let travel, _, let jam): jam ?? travel.end
        }
    }

    /// The travel to one end, from where it is.
    func travel(toSecured isSecured: Bool, at now: MonotonicInstant, fullTravelTime: Duration) -> LinearTravel {
        LinearTravel(from: position(at: now), to: isSecured ? 100 : 0, at: now, fullTravelTime: fullTravelTime)
    }

    /// Rests or jams when that is due by `now`.
    mutating func settle(at now: MonotonicInstant) {
        guard case .moving(let travel, _, let jam) = self, let nextEvent, nextEvent <= now else { return }
        self =
            jam == nil
            ? .resting(isSecured: travel.destination == 100) : .jammed(position: travel.position(at: nextEvent))
    }
}
