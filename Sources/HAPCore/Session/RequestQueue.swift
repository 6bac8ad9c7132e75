/// A controller's requests on one connection: sent in their order, one at a time, each answered before its time is up.
///
/// A value without IO: it says what to send, whose answer a message is, and until when it may be waited for. Events are
/// handed on whenever they come and bind nothing here. A fault, a request whose time is up and the end of the connection
/// are final, since nobody could tell any more which answer belongs to what.
///
/// HAP: §10, §14
package struct RequestQueue: Sendable {
    /// One request, by a number that its owner gives it.
    package struct Ticket: Sendable, Hashable {
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
        case answer(Ticket, HTTPMessage)
        /// Hands this event's body to whoever watches.
        case event([UInt8])
    }

    private struct Entry: Sendable {
        var ticket: Ticket
        var request: HTTPRequest
        var patience: Duration
    }

    private enum State: Sendable {
        case idle
        case awaiting(Ticket, until: MonotonicInstant, isWanted: Bool)
        case ended
    }

    private var state = State.idle
    private var waiting: [Entry] = []

    /// The fault of a response that nobody asked for.
    package static let unsolicited = ProtocolError(.sequence, "a response to no request", at: "HTTP response")

    package init() {}

    /// Whether a request was sent that is not answered.
    package var isAwaiting: Bool {
        if case .awaiting = state { true } else { false }
    }

    /// Until when the present request may be waited for, `nil` when none is under way.
    package var nextDeadline: MonotonicInstant? {
        if case .awaiting(_, let deadline, _) = state { deadline } else { nil }
    }

    /// Takes a request; its time counts from the moment in which it is sent.
    package mutating func enqueue(
        _ request: HTTPRequest,
        as ticket: Ticket,
        within patience: Duration,
        at now: MonotonicInstant
    ) -> Action? {
        switch state {
        case .ended:
            preconditionFailure("a connection that has ended takes no request")
        case .awaiting:
            waiting.append(Entry(ticket: ticket, request: request, patience: patience))
            return nil
        case .idle:
            state = .awaiting(ticket, until: now.advanced(by: patience), isWanted: true)
            return .send(request)
        }
    }

    /// Takes what the accessory sent.
    ///
    /// - Throws: ``unsolicited`` for a response while no request is under way.
    package mutating func receive(_ message: HTTPMessage, at now: MonotonicInstant) throws(ProtocolError) -> [Action] {
        switch (message.kind, state) {
        case (_, .ended):
            return []
        case (.event, .idle), (.event, .awaiting):
            return [.event(message.body)]
        case (.response, .idle):
            state = .ended
            throw Self.unsolicited
        case (.response, .awaiting(let ticket, _, let isWanted)):
            state = .idle
            var actions: [Action] = isWanted ? [.answer(ticket, message)] : []
            if !waiting.isEmpty {
                let next = waiting.removeFirst()
                state = .awaiting(next.ticket, until: now.advanced(by: next.patience), isWanted: true)
                actions.append(.send(next.request))
            }
            return actions
        }
    }

    /// Gives a request up: one that was sent keeps its place, and its answer is passed over.
    ///
    /// - Returns: whether it was there, so that its owner hears nothing more of it.
    package mutating func cancel(_ ticket: Ticket) -> Bool {
        if case .awaiting(ticket, let deadline, true) = state {
            state = .awaiting(ticket, until: deadline, isWanted: false)
            return true
        }
        guard let position = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting.remove(at: position)
        return true
    }

    /// Whether the present request's time is up.
    package func isOverdue(at now: MonotonicInstant) -> Bool {
        nextDeadline.map { $0 <= now } ?? false
    }

    /// Ends, and returns the requests that get no answer any more, in their order.
    package mutating func end() -> [Ticket] {
        var tickets = waiting.map(\.ticket)
        if case .awaiting(let ticket, _, true) = state {
            tickets.insert(ticket, at: 0)
        }
        state = .ended
        waiting = []
        return tickets
    }
}
