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

    /// The request that was sent, and whose response has not arrived.
    private var current: SentRequest?
    /// The requests that wait for the current one, in order.
    private var waiting: ArraySlice<QueuedRequest> = []
    private var isClosed = false

    /// The error for a response without a request.
    package static let unsolicitedResponse = ProtocolError(.sequence, "a response to no request", at: "HTTP response")

    /// Creates an empty queue.
    package init() {}

    /// Whether a request was sent whose response has not arrived.
    package var isAwaitingResponse: Bool {
        nextDeadline != nil
    }

    /// The deadline of the current request; `nil` if there is none.
    package var nextDeadline: MonotonicInstant? {
        current?.deadline
    }

    /// Adds a request; its timeout starts when it is sent.
    package mutating func enqueue(
        _ request: HTTPRequest,
        as ticket: RequestID,
        within patience: Duration,
        at now: MonotonicInstant
    ) -> Action? {
        guard !isClosed else { preconditionFailure("a connection that has ended accepts no requests") }
        let queued = QueuedRequest(id: ticket, request: request, timeout: patience)
        guard current == nil else {
            waiting.append(queued)
            return nil
        }
        return send(queued, at: now)
    }

    private mutating func send(_ next: QueuedRequest, at now: MonotonicInstant) -> Action {
        current = SentRequest(id: next.id, deadline: now.advanced(by: next.timeout))
        return .send(next.request)
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

    private mutating func receiveResponse(
        _ message: HTTPMessage,
        at now: MonotonicInstant
    ) throws(ProtocolError) -> [Action] {
        guard !isClosed else { return [] }
        guard let sent = current else {
            isClosed = true
            throw Self.unsolicitedResponse
        }
        current = nil
        var actions: [Action] = sent.expectsResponse ? [.response(sent.id, message)] : []
        if let next = waiting.popFirst() {
            actions.append(send(next, at: now))
        }
        return actions
    }

    /// Cancels a request.
    ///
    /// If it was sent, it keeps its place, and its response is ignored.
    ///
    /// - Returns: Whether the request was pending; its caller then gets no result.
    package mutating func cancel(_ ticket: RequestID) -> Bool {
        if let sent = current, sent.id == ticket {
            current?.expectsResponse = false
            return sent.expectsResponse
        }
        let count = waiting.count
        waiting.removeAll { $0.id == ticket }
        return waiting.count < count
    }

    /// Returns whether the current request has timed out.
    package func isOverdue(at now: MonotonicInstant) -> Bool {
        nextDeadline.map { $0 <= now } ?? false
    }

    /// Closes the queue, and returns the requests without a response, in their order.
    package mutating func close() -> [RequestID] {
        var pending = waiting.map(\.id)
        if let current, current.expectsResponse {
            pending.insert(current.id, at: 0)
        }
        (current, waiting, isClosed) = (nil, [], true)
        return pending
    }
}
