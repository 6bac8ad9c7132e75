package import HAPCore

/// Decides when to reopen a lost session of a watched accessory.
///
/// The current time is passed in. The delay doubles with every failure. It is reset to the shortest one only after a
/// session that lasted for the longest delay. Therefore an accessory that accepts connections and drops them at once is
/// not contacted in a busy loop. When an accessory announces itself, it is contacted after the shortest delay.
package struct ReconnectMachine: Sendable {
    /// The next action of the owner.
    package enum Action: Sendable, Hashable {
        /// Opens a session, and reports ``didOpen(at:)`` or ``didFailToOpen(at:)``.
        case open
        /// Waits until then, and calls ``advance(to:)``.
        case wait(until: MonotonicInstant)
        /// Does nothing.
        case none
    }

    private enum State: Sendable {
        case stopped
        case open(since: MonotonicInstant)
        case waiting(since: MonotonicInstant, until: MonotonicInstant)
        case opening
    }

    private let shortestDelay: Duration
    private let longestDelay: Duration
    private var nextDelay: Duration
    private var state = State.stopped

    /// Creates an idle machine.
    package init(shortest: Duration, longest: Duration) {
        shortestDelay = shortest
        longestDelay = max(shortest, longest)
        nextDelay = shortest
    }

    /// Handles that a session is open.
    package mutating func didOpen(at now: MonotonicInstant) {
        state = .open(since: now)
    }

    /// Handles the end of a session that is still needed.
    package mutating func didLoseSession(at now: MonotonicInstant) -> Action {
        switch state {
        case .open(let since):
            if since.advanced(by: longestDelay) <= now {
                nextDelay = shortestDelay
            }
            return wait(at: now)
        case .stopped: return wait(at: now)
        case .waiting(_, let deadline): return .wait(until: deadline)
        case .opening: return .none
        }
    }

    /// Handles that a session could not be opened.
    package mutating func didFailToOpen(at now: MonotonicInstant) -> Action {
        wait(at: now)
    }

    /// Handles that the accessory has announced itself.
    ///
    /// However often that happens, there is at least the shortest delay between two attempts.
    package mutating func didReceiveAnnouncement(at now: MonotonicInstant) -> Action {
        guard case .waiting(let since, let deadline) = state else { return .none }
        state = .waiting(since: since, until: min(deadline, since.advanced(by: shortestDelay)))
        return advance(to: now)
    }

    /// Handles that time has passed.
    package mutating func advance(to now: MonotonicInstant) -> Action {
        guard case .waiting(_, let deadline) = state else { return .none }
        guard deadline <= now else { return .wait(until: deadline) }
        state = .opening
        return .open
    }

    /// Handles that no session is needed any longer.
    package mutating func stop() {
        nextDelay = shortestDelay
        state = .stopped
    }

    private mutating func wait(at now: MonotonicInstant) -> Action {
        let deadline = now.advanced(by: nextDelay)
        nextDelay = min(nextDelay * 2, longestDelay)
        state = .waiting(since: now, until: deadline)
        return .wait(until: deadline)
    }
}
