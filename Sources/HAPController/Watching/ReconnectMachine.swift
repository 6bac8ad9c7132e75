package import HAPCore

/// Decides when a lost session of an accessory that is watched is opened again.
///
/// A value on a clock that is passed in. The wait doubles at every failure; a session that stood for as long as the
/// longest wait begins anew with the shortest, so that an accessory which takes connections and drops them is not
/// asked without a pause.
package struct ReconnectMachine: Sendable {
    /// What the owner does next.
    package enum Action: Sendable, Hashable {
        /// Opens a session, and reports ``opened(at:)`` or ``failed(at:)``.
        case open
        /// Waits until then, and calls ``advance(to:)``.
        case wait(until: MonotonicInstant)
        /// Nothing.
        case rest
    }

    private enum State: Sendable {
        case resting
        case open(since: MonotonicInstant)
        case waiting(until: MonotonicInstant)
        case opening
    }

    private let shortest: Duration
    private let longest: Duration
    private var delay: Duration
    private var state = State.resting

    /// Creates a machine that rests.
    package init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = max(shortest, longest)
        delay = shortest
    }

    /// A session stands.
    package mutating func opened(at now: MonotonicInstant) {
        state = .open(since: now)
    }

    /// A session has ended, and is wanted again.
    package mutating func lost(at now: MonotonicInstant) -> Action {
        switch state {
        case .open(let since):
            if since.advanced(by: longest) <= now {
                delay = shortest
            }
            return wait(at: now)
        case .resting: return wait(at: now)
        case .waiting(let deadline): return .wait(until: deadline)
        case .opening: return .rest
        }
    }

    /// A session could not be opened.
    package mutating func failed(at now: MonotonicInstant) -> Action {
        wait(at: now)
    }

    /// Time has passed.
    package mutating func advance(to now: MonotonicInstant) -> Action {
        switch state {
        case .waiting(let deadline) where deadline <= now:
            state = .opening
            return .open
        case .waiting(let deadline): return .wait(until: deadline)
        case .resting, .open, .opening: return .rest
        }
    }

    /// Nobody wants a session any more.
    package mutating func rest() {
        state = .resting
        delay = shortest
    }

    private mutating func wait(at now: MonotonicInstant) -> Action {
        let deadline = now.advanced(by: delay)
        delay = min(delay * 2, longest)
        state = .waiting(until: deadline)
        return .wait(until: deadline)
    }
}
