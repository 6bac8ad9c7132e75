internal import Synchronization

/// The point from which on an accessory may hold a pairing, so that whoever made it has to see it through.
///
/// Before it the pairing can be given up; behind it nobody can any more. Whichever comes first counts.
final class PointOfNoReturn: Sendable {
    private enum State {
        case ahead
        case givenUp
        case passed
    }

    private let state = Mutex(State.ahead)

    /// Goes past it; `false` when the pairing was given up before.
    func pass() -> Bool {
        state.withLock { state in
            switch state {
            case .ahead, .passed:
                state = .passed
                return true
            case .givenUp:
                return false
            }
        }
    }

    /// Gives the pairing up; `false` when it is too late for that.
    func giveUp() -> Bool {
        state.withLock { state in
            switch state {
            case .ahead, .givenUp:
                state = .givenUp
                return true
            case .passed:
                return false
            }
        }
    }
}
