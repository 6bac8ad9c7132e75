internal import HAPCore
internal import NIOCore

/// Work that waits until other connections have had their turn.
///
/// It waits in two lines, so that sessions do not wait for unverified connections.
///
/// The queue has one timer at a time. With one timer for each connection, some timer would always be due, and the event
/// loop would never read its sockets.
struct DeferredWorkQueue: Sendable {
    /// A timer that the server sets for the next turn.
    struct TimerRequest: Sendable, Hashable {
        /// The number to pass to ``timerFired(_:)``, because a timer that is canceled when it is already due still
        /// fires.
        let number: UInt64
        let delay: Duration
    }

    private var sessions = CircularBuffer<DeferredWork>()
    private var unverified = CircularBuffer<DeferredWork>()
    private var scheduled: UInt64?
    private var lastNumber: UInt64 = 0
    private var limiter = UnverifiedRateLimiter()

    /// Returns whether a request of an unverified connection has to wait.
    func isUnverifiedDeferred(at now: MonotonicInstant) -> Bool {
        !unverified.isEmpty || now < limiter.nextStart
    }

    /// Whether a response to `GET /accessories` is being encoded.
    var isComposing: Bool {
        sessions.contains { if case .accessories = $0 { true } else { false } }
    }

    /// Adds a turn to its line; returns the timer to set, `nil` when one is set already.
    mutating func add(_ turn: DeferredWork, isSession: Bool, at now: MonotonicInstant) -> TimerRequest? {
        if isSession {
            sessions.append(turn)
            // The current timer may be set for an unverified connection, and would fire too late for a session.
            if sessions.count == 1 { scheduled = nil }
        } else {
            unverified.append(turn)
        }
        return nextTimerRequest(at: now)
    }

    /// Returns the timer to set for the waiting work; `nil` if nothing waits or a timer is already set.
    mutating func nextTimerRequest(at now: MonotonicInstant) -> TimerRequest? {
        guard scheduled == nil, !sessions.isEmpty || !unverified.isEmpty else { return nil }
        lastNumber += 1
        scheduled = lastNumber
        let pause = sessions.isEmpty ? now.duration(to: limiter.nextStart) : UnverifiedRateLimiter.minimumPause
        return TimerRequest(number: lastNumber, delay: max(UnverifiedRateLimiter.minimumPause, pause))
    }

    /// Handles that a timer has fired; returns `false` if another timer has replaced it.
    mutating func timerFired(_ number: UInt64) -> Bool {
        guard scheduled == number else { return false }
        scheduled = nil
        return true
    }

    /// Removes the next work of a session.
    mutating func dequeueSession() -> DeferredWork? {
        sessions.popFirst()
    }

    /// Removes the next work of an unverified connection, if it may run now.
    mutating func dequeueUnverified(at now: MonotonicInstant) -> DeferredWork? {
        now >= limiter.nextStart ? unverified.popFirst() : nil
    }

    /// Records the time that a request of an unverified connection has taken.
    mutating func recordUnverifiedWork(from begin: MonotonicInstant, to end: MonotonicInstant) {
        limiter.recordWork(from: begin, to: end)
    }
}

/// An item of work that waits for its turn.
enum DeferredWork: Sendable {
    /// Handles a request of an unverified connection.
    case request(HTTPRequest, of: ConnectionID)
    /// Continues with requests that have arrived on a channel, or with parts of a long message.
    case resumeChannel(of: ConnectionID)
    /// Continues to encode the database for a connection, after this many turns.
    case accessories(of: ConnectionID, turns: Int)
    /// Sends due events to the connections of the ``EventSendQueue``.
    case events
}

/// Limits the requests of unverified connections to half of the event loop's time.
///
/// They are handled one at a time, and sessions are answered in between.
///
/// A pair-verify costs ten times as much as a read, and every host may start one.
struct UnverifiedRateLimiter: Sendable {
    /// The earliest time for the next request.
    private(set) var nextStart = MonotonicInstant(nanoseconds: .min)

    /// The minimum time between two requests, in which the event loop handles its connections.
    static let minimumPause = Duration.microseconds(50)

    /// Records that a request was handled.
    mutating func recordWork(from begin: MonotonicInstant, to end: MonotonicInstant) {
        nextStart = end.advanced(by: max(begin.duration(to: end), Self.minimumPause))
    }
}
