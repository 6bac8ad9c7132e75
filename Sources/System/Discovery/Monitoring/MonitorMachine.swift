package import HAPCore

/// Decides when to open and close the connection over which services are watched.
///
/// It performs no action itself.
package struct MonitorMachine: ~Copyable {
    /// The next action of the owner.
    package enum Action: Sendable, Hashable {
        /// Nothing, until the next event or deadline.
        case wait
        /// Connect; if that fails at once, report ``MonitorMachine/openFailed(at:)``.
        case open
        /// Look for services over the open connection; if that fails at once, report ``MonitorMachine/connectionLost(at:)``.
        case browse
        /// Close the connection.
        case close
    }

    private enum State {
        case idle
        /// The connection is open, but no daemon has answered yet.
        case connecting(failures: Int)
        case watching
        case waitingToRetry(failures: Int, until: MonotonicInstant)
    }

    /// The maximum pause between two attempts, and therefore the maximum time until a daemon that is back is noticed.
    package static let maximumRetryDelay = Duration.seconds(5)

    private var state = State.idle

    /// Creates a machine that does nothing yet.
    package init() {}
}

extension MonitorMachine {
    /// The time at which to call ``advance(to:)``, if any.
    package var nextDeadline: MonotonicInstant? {
        switch state {
        case .waitingToRetry(_, let until): until
        case .idle, .connecting, .watching: nil
        }
    }

    /// Handles that services are to be watched.
    package mutating func start() -> Action {
        guard case .idle = state else { return .wait }
        state = .connecting(failures: 0)
        return .open
    }

    /// Handles that no service is to be watched any longer.
    package mutating func stop() -> Action {
        switch state {
        case .idle:
            return .wait
        case .waitingToRetry:
            state = .idle
            return .wait
        case .connecting, .watching:
            state = .idle
            return .close
        }
    }

    /// Handles that a daemon answers on the bus.
    package mutating func daemonAvailable() -> Action {
        guard case .connecting = state else { return .wait }
        state = .watching
        return .browse
    }

    /// Handles that the connection could not be opened, so there is nothing to close.
    package mutating func openFailed(at now: MonotonicInstant) -> Action {
        guard case .connecting(let failures) = state else { return .wait }
        waitToRetry(failures: failures + 1, at: now)
        return .wait
    }

    /// Handles the loss of the connection: the daemon or the bus has ended.
    package mutating func connectionLost(at now: MonotonicInstant) -> Action {
        switch state {
        case .idle, .waitingToRetry:
            return .wait
        case .connecting(let failures):
            waitToRetry(failures: failures + 1, at: now)
            return .close
        case .watching:
            waitToRetry(failures: 1, at: now)
            return .close
        }
    }

    /// Handles that time has passed.
    package mutating func advance(to now: MonotonicInstant) -> Action {
        guard case .waitingToRetry(let failures, let until) = state, until <= now else { return .wait }
        state = .connecting(failures: failures)
        return .open
    }

    private mutating func waitToRetry(failures: Int, at now: MonotonicInstant) {
        let delay = RetryDelay.after(failures: failures, longest: Self.maximumRetryDelay)
        state = .waitingToRetry(failures: failures, until: now.advanced(by: delay))
    }
}
