package import HAPCore

/// Decides when a lost session of an accessory that is watched is opened again.
///
/// A value on a clock that is passed in. The wait doubles at every failure; a session that stood for as long as the
/// longest wait begins anew with the shortest, so that an accessory which takes connections and drops them is not
/// asked without a pause. An accessory that announces itself is asked at once, but for the shortest wait.
package struct ReconnectMachine: ~Copyable, Sendable {
    /// What the owner does next.
    package enum Action: Sendable, Hashable {
        /// Opens a session, and reports ``didOpen(at:)`` or ``didFailToOpen(at:)``.
        case open
        /// Waits until then, and calls ``advance(to:)``.
        case wait(until: MonotonicInstant)
        /// Nothing.
        case none
    }

    private enum State: ~Copyable, Sendable {
        case stopped
        case open(since: MonotonicInstant)
        case waiting(since: MonotonicInstant, until: MonotonicInstant)
        case opening
    }

    /// The waits: the shortest and the longest one, and the next one.
    private struct Backoff: Sendable {
        let shortest: Duration
        let longest: Duration
        var next: Duration
    }

    private let backoff: Backoff
    private let state: State

    /// Creates a machine that rests.
    package init(shortest: Duration, longest: Duration) {
        self.init(Backoff(shortest: shortest, longest: max(shortest, longest), next: shortest), .stopped)
    }

    private init(_ waits: Backoff, _ state: consuming State) {
        self.backoff = waits
        self.state = state
    }

    /// A session stands.
    package mutating func didOpen(at now: MonotonicInstant) {
        self = Self(backoff, .open(since: now))
    }

    /// A session has ended, and is wanted again.
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

    /// A session could not be opened.
    package mutating func didFailToOpen(at now: MonotonicInstant) -> Action {
        wait(at: now)
    }

    /// The accessory has announced itself.
    ///
    /// However often it does, the shortest wait lies between two attempts.
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

    /// Time has passed.
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

    /// Nobody wants a session any more.
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
