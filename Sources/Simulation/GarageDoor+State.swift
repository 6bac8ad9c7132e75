internal import HAPCore

extension GarageDoor {
    /// What a door is doing: Current Door State with what belongs to it, the target included.
    ///
    /// HAP: §20.1
    enum State: Sendable, Hashable {
        case open
        case closed
        case opening(LinearTravel)
        case closing(LinearTravel)
        /// Halted in mid-travel, on the way to `target`.
        case stopped(position: Double, target: Target)

        /// At rest where the target says.
        init(restingAt target: Target) {
            switch target {
            case .open: self = .open
            case .closed: self = .closed
            }
        }

        /// The value of Current Door State.
        var current: Int {
            switch self {
            case .open: 0
            case .closed: 1
            case .opening: 2
            case .closing: 3
            case .stopped: 4
            }
        }

        /// Where the door is to go, and goes unless it was stopped.
        var target: Target {
            switch self {
            case .open, .opening: .open
            case .closed, .closing: .closed
            case .stopped(_, let target): target
            }
        }

        /// When it arrives, `nil` while it rests.
        var arrival: MonotonicInstant? {
            switch self {
            case .open, .closed, .stopped: nil
            case .opening(let travel), .closing(let travel): travel.end
            }
        }

        /// How far it is open, 0 to 100.
        func position(at now: MonotonicInstant) -> Double {
            switch self {
            case .open: 100
            case .closed: 0
            case .opening(let travel), .closing(let travel): travel.position(at: now)
            case .stopped(let position, _): position
            }
        }

        /// Sends it to `target` from where it is; does nothing when it is there or on its way.
        mutating func drive(to target: Target, at now: MonotonicInstant, wholeWay: Duration) {
            switch self {
            case .open, .opening, .closed, .closing:
                guard self.target != target else { return }
            case .stopped:
                break
            }
            let travel = LinearTravel(from: position(at: now), to: target.position, at: now, wholeWay: wholeWay)
            switch target {
            case .open: self = .opening(travel)
            case .closed: self = .closing(travel)
            }
        }

        /// Halts it where it is; does nothing when it rests.
        mutating func stop(at now: MonotonicInstant) {
            switch self {
            case .open, .closed, .stopped: break
            case .opening, .closing: self = .stopped(position: position(at: now), target: target)
            }
        }

        /// Lets it rest when its travel has ended by `now`.
        mutating func settle(at now: MonotonicInstant) {
            if let arrival, arrival <= now {
                self = State(restingAt: target)
            }
        }
    }
}
