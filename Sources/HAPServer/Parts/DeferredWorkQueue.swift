internal import HAPCore
internal import NIOCore

/// What waits until other connections have had their turn, in two lines: sessions do not wait behind connections that
/// have not been verified.
///
/// The queue has one timer at a time. With one timer for each connection, some timer would always be due, and the event
/// loop would never read its sockets.
struct DeferredWorkQueue: Sendable {
    /// A timer that the server sets for the next turn.
    struct TimerRequest: Sendable, Hashable {
        /// Given to ``timerFired(_:)``: a timer that is cancelled when it is due runs all the same.
        let number: UInt64
        let delay: Duration
    }

    private var sessions = CircularBuffer<DeferredWork>()
    private var unverified = CircularBuffer<DeferredWork>()
    private var scheduled: UInt64?
    private var lastNumber: UInt64 = 0
    private var limiter = UnverifiedRateLimiter()

    /// Whether a request of a connection that has not been verified has to wait.
    func isUnverifiedDeferred(at now: MonotonicInstant) -> Bool {
        !unverified.isEmpty || now < limiter.nextStart
    }

    /// Whether an answer to `GET /accessories` is being composed.
    var isComposing: Bool {
        sessions.contains { if case .accessories = $0 { true } else { false } }
    }

    /// Adds a turn to its line; returns the timer to set, `nil` when one is set already.
    mutating func add(_ turn: DeferredWork, isSession: Bool, at now: MonotonicInstant) -> TimerRequest? {
        if isSession {
            sessions.append(turn)
            // The timer may be set for an unverified connection, which is later.
            if sessions.count == 1 { scheduled = nil }
        } else {
            unverified.append(turn)
        }
        return nextTimerRequest(at: now)
    }

    /// Returns the timer to set for what waits; `nil` when nothing waits or a timer is set already.
    mutating func nextTimerRequest(at now: MonotonicInstant) -> TimerRequest? {
        guard scheduled == nil, !sessions.isEmpty || !unverified.isEmpty else { return nil }
        lastNumber += 1
        scheduled = lastNumber
        let pause = sessions.isEmpty ? now.duration(to: limiter.nextStart) : UnverifiedRateLimiter.minimumPause
        return TimerRequest(number: lastNumber, delay: max(UnverifiedRateLimiter.minimumPause, pause))
    }

    /// Begins the turns of a timer that has fired; returns `false` when another one has taken its place.
    mutating func timerFired(_ number: UInt64) -> Bool {
        guard scheduled == number else { return false }
        scheduled = nil
        return true
    }

    /// Takes the next turn of a session.
    mutating func dequeueSession() -> DeferredWork? {
        sessions.popFirst()
    }

    /// Takes the next turn of an unverified connection, if one is allowed now.
    mutating func dequeueUnverified(at now: MonotonicInstant) -> DeferredWork? {
        now >= limiter.nextStart ? unverified.popFirst() : nil
    }

    /// Notes how long a request of an unverified connection has taken.
    mutating func recordUnverifiedWork(from begin: MonotonicInstant, to end: MonotonicInstant) {
        limiter.recordWork(from: begin, to: end)
    }
}

/// One thing that waits for its turn.
enum DeferredWork: Sendable {
    /// A request of a connection without a session.
    case request(HTTPRequest, of: ConnectionID)
    /// What the channel of a connection has left for later: requests that have arrived, or parts of a long message.
    case resumeChannel(of: ConnectionID)
    /// The rest of a database that is being composed for a connection, after this many turns.
    case accessories(of: ConnectionID, turns: Int)
    /// The events that are due to the connections in line.
    case events
}

/// Gives the requests of connections without a session half of the event loop's time at most, one after the other, so
/// that sessions are answered in between.
///
/// A pair-verify costs ten times as much as a read, and every host may begin one.
struct UnverifiedRateLimiter: Sendable {
    /// When the next request may be taken.
    private(set) var nextStart = MonotonicInstant(nanoseconds: .min)

    /// The least time between two requests, in which the event loop looks at its connections.
    static let minimumPause = Duration.microseconds(50)

    /// Notes that a request was worked on.
    mutating func recordWork(from begin: MonotonicInstant, to end: MonotonicInstant) {
        nextStart = end.advanced(by: max(begin.duration(to: end), Self.minimumPause))
    }
}
