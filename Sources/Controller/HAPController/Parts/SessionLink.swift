internal import AsyncPrimitives
internal import HAPCore

/// The session with an accessory, and the callers that wait while it is being opened.
struct SessionLink {
    /// The state of the session.
    enum State {
        case idle
        case opening(Opening)
        case open(AccessorySession)
        case closed
    }

    /// An attempt to open a session.
    struct Opening: Sendable {
        /// The number that the session gets if the attempt succeeds.
        let number: UInt64
        /// The outcome of the attempt, for all waiting callers.
        let result = OneShot<Result<AccessorySession, ControllerError>>()
        fileprivate(set) var task: Task<Void, Never>?
        fileprivate var waiters = 0
    }

    /// The result of a caller's request for the session.
    enum JoinResult {
        case open(AccessorySession)
        /// The caller waits for the result; the owner starts the attempt if it is new.
        case opening(Opening, isNew: Bool)
    }

    private(set) var state = State.idle
    private var lastNumber: UInt64 = 0

    /// The current session; `nil` if there is none.
    var session: AccessorySession? {
        if case .open(let session) = state { session } else { nil }
    }

    /// Whether no more sessions are opened.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Returns whether a session is the current one.
    func isCurrent(_ session: AccessorySession) -> Bool {
        self.session?.number == session.number
    }

    /// Returns whether callers wait for an attempt.
    func isOpening(_ number: UInt64) -> Bool {
        if case .opening(let opening) = state { opening.number == number } else { false }
    }

    /// Returns a number that no other session or attempt has.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Returns the session, or lets the caller wait for the one that is being opened.
    ///
    /// - Throws: ``ControllerError/closed``.
    mutating func join() throws(ControllerError) -> JoinResult {
        var (opening, isNew): (Opening, Bool)
        switch state {
        case .open(let session): return .open(session)
        case .closed: throw .closed
        case .opening(let present): (opening, isNew) = (present, false)
        case .idle: (opening, isNew) = (Opening(number: nextNumber()), true)
        }
        opening.waiters += 1
        state = .opening(opening)
        return .opening(opening, isNew: isNew)
    }

    /// Stores the task of an attempt.
    mutating func attach(_ task: Task<Void, Never>, to number: UInt64) {
        guard case .opening(var opening) = state, opening.number == number else { return }
        opening.task = task
        state = .opening(opening)
    }

    /// Records that a caller has stopped waiting; returns the attempt to cancel if it was the last one.
    mutating func leave(_ number: UInt64) -> Opening? {
        guard case .opening(var opening) = state, opening.number == number else { return nil }
        opening.waiters -= 1
        state = opening.waiters == 0 ? .idle : .opening(opening)
        return opening.waiters == 0 ? opening : nil
    }

    /// Ends an attempt without a session; returns whether callers wait for its result.
    mutating func fail(_ number: UInt64) -> Bool {
        guard isOpening(number) else { return false }
        state = .idle
        return true
    }

    /// Sets the current session.
    mutating func setSession(_ session: AccessorySession) {
        state = .open(session)
    }

    /// Records the end of a session; returns it if it was the current one.
    mutating func removeSession(_ number: UInt64) -> AccessorySession? {
        guard let session, session.number == number else { return nil }
        state = .idle
        return session
    }

    /// Prevents further sessions; returns the last state.
    mutating func close() -> State {
        defer { state = .closed }
        return state
    }
}
