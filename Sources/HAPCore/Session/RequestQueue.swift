/// A controller's requests on one connection: sent in their order, one at a time, each answered before its time is up.
///
/// A value without IO: it says what to send, whose answer a message is, and until when it may be waited for. Events are
/// handed on whenever they come and bind nothing here. A fault, a request whose time is up and the end of the connection
/// are final, since nobody could tell any more which answer belongs to what.
///
/// HAP: §10, §14
package struct RequestQueue: ~Copyable, Sendable {
    /// One request, by a number that its owner gives it.
    package struct RequestID: Sendable, Hashable {
        package let number: UInt64

        package init(_ number: UInt64) {
            self.number = number
        }
    }

    /// What the caller does next.
    package enum Action: Sendable, Hashable {
        /// Sends this request.
        case send(HTTPRequest)
        /// Hands this response to whoever asked.
        case response(RequestID, HTTPMessage)
        /// Hands this event's body to whoever watches.
        case event([UInt8])
    }

    /// A request that waits for those before it.
    private struct QueuedRequest: Sendable {
        var id: RequestID
        var request: HTTPRequest
        var timeout: Duration
    }

    /// The request that was sent.
    private struct SentRequest: Sendable {
        var id: RequestID
        var deadline: MonotonicInstant
        var expectsResponse = true
    }

    private enum State: ~Copyable, Sendable {
        case idle
        case awaitingResponse(SentRequest, waiting: ArraySlice<QueuedRequest>)
        case closed
    }

    private let state: State

    /// The fault of a response that nobody asked for.
    package static let unsolicitedResponse = ProtocolError(.sequence, "a response to no request", at: "HTTP response")

    /// Creates a queue in which nothing waits.
    package init() {
        self.init(.idle)
    }

    private init(_ state: consuming State) {
        self.state = state
    }

    /// Whether a request was sent that is not answered.
    package var isAwaitingResponse: Bool {
        nextDeadline != nil
    }

    /// Until when the present request may be waited for, `nil` when none is under way.
    package var nextDeadline: MonotonicInstant? {
        switch state {
        case .awaitingResponse(let sent, _): sent.deadline
        case .idle: nil
        case .closed: nil
        }
    }

    /// Takes a request; its time counts from the moment in which it is sent.
    package mutating func enqueue(
        _ request: HTTPRequest,
        as ticket: RequestID,
        within patience: Duration,
        at now: MonotonicInstant
    ) -> Action? {
        switch consume state {
        case .closed:
            preconditionFailure("a connection that has ended takes no request")
        case .awaitingResponse(let sent, var waiting):
            waiting.append(QueuedRequest(id: ticket, request: request, timeout: patience))
            self = Self(.awaitingResponse(sent, waiting: waiting))
            return nil
        case .idle:
            self = Self(.awaitingResponse(SentRequest(id: ticket, deadline: now.advanced(by: patience)), waiting: []))
            return .send(request)
        }
    }

    /// Takes what the accessory sent.
    ///
    /// - Throws: ``unsolicitedResponse`` for a response while no request is under way.
    package mutating func receive(_ message: HTTPMessage, at now: MonotonicInstant) throws(ProtocolError) -> [Action] {
        switch message.kind {
        case .event: return isClosed ? [] : [.event(message.body)]
        case .response: return try receiveResponse(message, at: now)
        }
    }

    private var isClosed: Bool {
        switch state {
        case .closed: true
        case .idle: false
        case .awaitingResponse: false
        }
    }

    private mutating func receiveResponse(
        _ message: HTTPMessage,
        at now: MonotonicInstant
    ) throws(ProtocolError) -> [Action] {
        switch consume state {
        case .closed:
            self = Self(.closed)
            return []
        case .idle:
            self = Self(.closed)
            throw Self.unsolicitedResponse
        case .awaitingResponse(let sent, let waiting):
            var actions: [Action] = sent.expectsResponse ? [.response(sent.id, message)] : []
            if let next = waiting.first {
                let deadline = now.advanced(by: next.timeout)
                self = Self(
                    .awaitingResponse(SentRequest(id: next.id, deadline: deadline), waiting: waiting.dropFirst())
                )
                actions.append(.send(next.request))
            } else {
                self = Self(.idle)
            }
            return actions
        }
    }

    /// Gives a request up: one that was sent keeps its place, and its answer is passed over.
    ///
    /// - Returns: whether it was there, so that its owner hears nothing more of it.
    package mutating func cancel(_ ticket: RequestID) -> Bool {
        switch consume state {
        case .idle:
            self = Self(.idle)
            return false
        case .closed:
            self = Self(.closed)
            return false
        case .awaitingResponse(var sent, let waiting):
            if sent.id == ticket {
                let wasWanted = sent.expectsResponse
                sent.expectsResponse = false
                self = Self(.awaitingResponse(sent, waiting: waiting))
                return wasWanted
            }
            let others = waiting.filter { $0.id != ticket }
            self = Self(.awaitingResponse(sent, waiting: others[...]))
            return others.count < waiting.count
        }
    }

    /// Whether the present request's time is up.
    package func isOverdue(at now: MonotonicInstant) -> Bool {
        nextDeadline.map { $0 <= now } ?? false
    }

    /// Ends, and returns the requests that get no answer any more, in their order.
    package mutating func close() -> [RequestID] {
        switch consume state {
        case .idle:
            self = Self(.closed)
            return []
        case .closed:
            self = Self(.closed)
            return []
        case .awaitingResponse(let sent, let waiting):
            self = Self(.closed)
            return (sent.expectsResponse ? [sent.id] : []) + waiting.map(\.id)
        }
    }
}
