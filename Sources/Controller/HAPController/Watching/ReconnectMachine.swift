package import HAPCore

/// Decides when to reopen a lost session of a watched accessory.
///
/// The current time is passed in. The delay doubles with every failure. It is reset to the shortest one only after a
/// session that lasted for the longest delay. Therefore an accessory that accepts connections and drops them at once is
/// not contacted in a busy loop. When an accessory announces itself, it is contacted after the shortest delay.
package struct ReconnectMachine: ~Copyable, Sendable {
    /// The next action of the owner.
    package enum Action: Sendable, Hashable {
        /// Opens a session, and reports ``didOpen(at:)`` or ``didFailToOpen(at:)``.
        case open
        /// Waits until then, and calls ``advance(to:)``.
        case wait(until: MonotonicInstant)
        /// Does nothing.
        case none
    }

    private enum State: ~Copyable, Sendable {
        case stopped
        case open(since: MonotonicInstant)
        case waiting(since: MonotonicInstant, until: MonotonicInstant)
        case opening
    }

    /// The shortest, the longest and the next delay.
    private struct Backoff: Sendable {
        let shortest: Duration
        let longest: Duration
        var next: Duration
    }

    private let backoff: Backoff
    private let state: State

    /// Creates an idle machine.
    package init(shortest: Duration, longest: Duration) {
        self.init(Backoff(shortest: shortest, longest: max(shortest, longest), next: shortest), .stopped)
    }

    private init(_ waits: Backoff, _ state: consuming State) {
        self.backoff = waits
        self.state = state
    }

    /// Handles that a session is open.
    package mutating func didOpen(at now: MonotonicInstant) {
        self = Self(backoff, .open(since: now))
    }

    /// Handles the end of a session that is still needed.
    package mutating func didLoseSession(at now: MonotonicInstant) -> Action {
        var waits = backoff
        switch consume state {
        case .open(let since):
            if since.advanced(by: waits.longest) <= now {
                waits.next = waits.shortest
            }
            self = Self(waits, .stopped)
            return wait(at: now)
        case .stopped:
            self = Self(waits, .stopped)
            return wait(at: now)
        case .waiting(let since, let deadline):
            self = Self(waits, .waiting(since: since, until: deadline))
            return .wait(until: deadline)
        case .opening:
            self = Self(waits, .opening)
            return .none
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
        let waits = backoff
        switch consume state {
        case .waiting(let since, let deadline):
            self = Self(waits, .waiting(since: since, until: min(deadline, since.advanced(by: waits.shortest))))
            return advance(to: now)
        case .stopped:
            self = Self(waits, .stopped)
            return .none
        case .open(let since):
            self = Self(waits, .open(since: since))
            return .none
        case .opening:
            self = Self(waits, .opening)
            return .none
        }
    }

    /// Handles that time has passed.
    package mutating func advance(to now: MonotonicInstant) -> Action {
        let waits = backoff
        switch consume state {
        case .waiting(let since, let deadline):
            guard deadline <= now else {
                self = Self(waits, .waiting(since: since, until: deadline))
                return .wait(until: deadline)
            }
            self = Self(waits, .opening)
            return .open
        case .stopped:
            self = Self(waits, .stopped)
            return .none
        case .open(let since):
            self = Self(waits, .open(since: since))
            return .none
        case .opening:
            self = Self(waits, .opening)
            return .none
        }
    }

    /// Handles that no session is needed any longer.
    package mutating func stop() {
        var waits = backoff
        waits.next = waits.shortest
        self = Self(waits, .stopped)
    }

    private mutating func wait(at now: MonotonicInstant) -> Action {
        let deadline = now.advanced(by: backoff.next)
        var waits = backoff
        waits.next = min(waits.next * 2, waits.longest)
        self = Self(waits, .waiting(since: now, until: deadline))
        return .wait(until: deadline)
    }
}
