package import HAPCore

/// Decides when a lost session of an accessory that is watched is opened again.
///
/// A value on a clock that is passed in. The wait doubles at every failure; a session that stood for as long as the
/// longest wait begins anew with the shortest, so that an accessory which takes connections and drops them is not
/// asked without a pause. An accessory that announces itself is asked at once, but for the shortest wait.
package struct ReconnectMachine: ~Copyable, Sendable {
    /// What the owner does next.
    package enum Action: Sendable, Hashable {
        /// Opens a session, and reports ``opened(at:)`` or ``failed(at:)``.
        case open
        /// Waits until then, and calls ``advance(to:)``.
        case wait(until: MonotonicInstant)
        /// Nothing.
        case rest
    }

    private enum State: ~Copyable, Sendable {
        case resting
        case open(since: MonotonicInstant)
        case waiting(since: MonotonicInstant, until: MonotonicInstant)
        case opening
    }

    /// The waits: the shortest and the longest one, and the next one.
    private struct Waits: Sendable {
        let shortest: Duration
        let longest: Duration
        var next: Duration
    }

    private let waits: Waits
    private let state: State

    /// Creates a machine that rests.
    package init(shortest: Duration, longest: Duration) {
        self.init(Waits(shortest: shortest, longest: max(shortest, longest), next: shortest), .resting)
    }

    private init(_ waits: Waits, _ state: consuming State) {
        self.waits = waits
        self.state = state
    }

    /// A session stands.
    package mutating func opened(at now: MonotonicInstant) {
        self = Self(waits, .open(since: now))
    }

    /// A session has ended, and is wanted again.
    package mutating func lost(at now: MonotonicInstant) -> Action {
        var waits = waits
        switch consume state {
        case .open(let since):
            if since.advanced(by: waits.longest) <= now {
                waits.next = waits.shortest
            }
            self = Self(waits, .resting)
            return wait(at: now)
        case .resting:
            self = Self(waits, .resting)
            return wait(at: now)
        case .waiting(let since, let deadline):
            self = Self(waits, .waiting(since: since, until: deadline))
            return .wait(until: deadline)
        case .opening:
            self = Self(waits, .opening)
            return .rest
        }
    }

    /// A session could not be opened.
    package mutating func failed(at now: MonotonicInstant) -> Action {
        wait(at: now)
    }

    /// The accessory has announced itself.
    ///
    /// However often it does, the shortest wait lies between two attempts.
    package mutating func announced(at now: MonotonicInstant) -> Action {
        let waits = waits
        switch consume state {
        case .waiting(let since, let deadline):
            self = Self(waits, .waiting(since: since, until: min(deadline, since.advanced(by: waits.shortest))))
            return advance(to: now)
        case .resting:
            self = Self(waits, .resting)
            return .rest
        case .open(let since):
            self = Self(waits, .open(since: since))
            return .rest
        case .opening:
            self = Self(waits, .opening)
            return .rest
        }
    }

    /// Time has passed.
    package mutating func advance(to now: MonotonicInstant) -> Action {
        let waits = waits
        switch consume state {
        case .waiting(let since, let deadline):
            guard deadline <= now else {
                self = Self(waits, .waiting(since: since, until: deadline))
                return .wait(until: deadline)
            }
            self = Self(waits, .opening)
            return .open
        case .resting:
            self = Self(waits, .resting)
            return .rest
        case .open(let since):
            self = Self(waits, .open(since: since))
            return .rest
        case .opening:
            self = Self(waits, .opening)
            return .rest
        }
    }

    /// Nobody wants a session any more.
    package mutating func rest() {
        var waits = waits
        waits.next = waits.shortest
        self = Self(waits, .resting)
    }

    private mutating func wait(at now: MonotonicInstant) -> Action {
        let deadline = now.advanced(by: waits.next)
        var waits = waits
        waits.next = min(waits.next * 2, waits.longest)
        self = Self(waits, .waiting(since: now, until: deadline))
        return .wait(until: deadline)
    }
}
