/// A controller's requests on one connection: sent in order, one at a time, each with a timeout.
///
/// The queue is a value without IO. It returns the bytes to send, the request that a message answers, and the deadline.
/// Events are delivered at any time. A protocol error, a timeout and the end of the connection are final, since later
/// responses could not be matched with their requests.
///
/// HAP: §10, §14
package struct RequestQueue: ~Copyable, Sendable {
    /// The id of a request: a number that the owner of the queue assigns.
    package struct RequestID: Sendable, Hashable {
        package let number: UInt64

        package init(_ number: UInt64) {
            self.number = number
        }
    }

    /// The next action of the caller.
    package enum Action: Sendable, Hashable {
        /// Send this request.
        case send(HTTPRequest)
        /// Deliver this response to its caller.
        case response(RequestID, HTTPMessage)
        /// Deliver this event's body to the subscribers.
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

    /// The error for a response without a request.
    package static let unsolicitedResponse = ProtocolError(.sequence, "a response to no request", at: "HTTP response")

    /// Creates an empty queue.
    package init() {
        self.init(.idle)
    }

    private init(_ state: consuming State) {
        self.state = state
    }

    /// Whether a request was sent whose response has not arrived.
    package var isAwaitingResponse: Bool {
        nextDeadline != nil
    }

    /// The deadline of the current request; `nil` if there is none.
    package var nextDeadline: MonotonicInstant? {
        switch state {
        case .awaitingResponse(let sent, _): sent.deadline
        case .idle: nil
        case .closed: nil
        }
    }

    /// Adds a request; its timeout starts when it is sent.
    package mutating func enqueue(
        _ request: HTTPRequest,
        as ticket: RequestID,
        within patience: Duration,
        at now: MonotonicInstant
    ) -> Action? {
        switch consume state {
        case .closed:
            preconditionFailure("a connection that has ended accepts no requests")
        case .awaitingResponse(let sent, var waiting):
            waiting.append(QueuedRequest(id: ticket, request: request, timeout: patience))
            self = Self(.awaitingResponse(sent, waiting: waiting))
            return nil
        case .idle:
            self = Self(.awaitingResponse(SentRequest(id: ticket, deadline: now.advanced(by: patience)), waiting: []))
            return .send(request)
        }
    }

    /// Handles a message of the accessory.
    ///
    /// - Throws: ``unsolicitedResponse`` for a response without a request.
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

    /// Cancels a request.
    ///
    /// If it was sent, it keeps its place, and its response is ignored.
    ///
    /// - Returns: Whether the request was pending; its caller then gets no result.
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

    /// Returns whether the current request has timed out.
    package func isOverdue(at now: MonotonicInstant) -> Bool {
        nextDeadline.map { $0 <= now } ?? false
    }

    /// Closes the queue, and returns the requests without a response, in their order.
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
