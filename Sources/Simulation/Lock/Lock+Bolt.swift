internal import HAPCore

extension Lock {
    /// What the bolt of a lock is doing: 0 % drawn back, 100 % shot.
    enum Bolt: Sendable, Hashable {
        case resting(isSecured: Bool)
        /// On its way; it jams at `jam`, if at all.
        case moving(LinearTravel, wasSecured: Bool, jam: MonotonicInstant?)
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

        /// How far it is out, 0 to 100.
        func position(at now: MonotonicInstant) -> Double {
            switch self {
            case .resting(let isSecured): isSecured ? 100 : 0
            case .moving(let travel, _, _): travel.position(at: now)
            case .jammed(let position): position
            }
        }

        /// When it arrives or jams, `nil` while it rests.
        var event: MonotonicInstant? {
            switch self {
            case .resting, .jammed: nil
            case .moving(let travel, _, let jam): jam ?? travel.end
            }
        }
    }
}
