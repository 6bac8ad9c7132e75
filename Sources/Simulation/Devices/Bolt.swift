internal import HAPCore

/// The bolt of a garage door's lock: 0 % drawn back, 100 % shot.
///
/// Lock Current State is the end that it was at last: it changes when the bolt arrives at the other one.
struct Bolt: Sendable, Hashable {
    private enum State: Hashable {
        case unsecured
        case secured
        case moving(LinearTravel, wasSecured: Bool)
    }

    private var state: State

    /// Creates a bolt at rest.
    init(isSecured: Bool) {
        state = isSecured ? .secured : .unsecured
    }

    /// Whether Lock Current State is 1.
    var isSecured: Bool {
        switch state {
        case .unsecured: false
        case .secured: true
        case .moving(_, let wasSecured): wasSecured
        }
    }

    /// When it arrives, `nil` while it rests.
    var arrival: MonotonicInstant? {
        switch state {
        case .unsecured, .secured: nil
        case .moving(let travel, _): travel.end
        }
    }

    /// How far it is out, 0 to 100.
    func position(at now: MonotonicInstant) -> Double {
        switch state {
        case .unsecured: 0
        case .secured: 100
        case .moving(let travel, _): travel.position(at: now)
        }
    }

    /// Sends it to one end, from where it is; does nothing when it is there or on its way.
    mutating func drive(toSecured secured: Bool, at now: MonotonicInstant, wholeWay: Duration) {
        guard isHeadingForSecured != secured else { return }
        let travel = LinearTravel(from: position(at: now), to: secured ? 100 : 0, at: now, wholeWay: wholeWay)
        state = .moving(travel, wasSecured: isSecured)
    }

    /// Lets it rest when its travel has ended by `now`.
    mutating func settle(at now: MonotonicInstant) {
        switch state {
        case .unsecured, .secured:
            break
        case .moving(let travel, _):
            if travel.end <= now {
                state = travel.destination == 100 ? .secured : .unsecured
            }
        }
    }

    private var isHeadingForSecured: Bool {
        switch state {
        case .unsecured: false
        case .secured: true
        case .moving(let travel, _): travel.destination == 100
        }
    }
}
