/// A controller's requests on one connection: sent in their order, one at a time, each answered before its time is up.
///
/// A value without IO: it says what to send, whose answer a message is, and until when it may be waited for. Events are
/// handed on whenever they come and bind nothing here. A fault, a request whose time is up and the end of the connection
/// are final, since nobody could tell any more which answer belongs to what.
///
/// HAP: §10, §14
package struct RequestQueue: ~Copyable, Sendable {
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

    /// A request that waits for those before it.
    private struct Entry: Sendable {
        var ticket: Ticket
        var request: HTTPRequest
        var patience: Duration
    }

    /// The request that was sent.
    private struct Sent: Sendable {
        var ticket: Ticket
        var deadline: MonotonicInstant
        var isWanted = true
    }

    private enum State: ~Copyable, Sendable {
        case idle
        case awaiting(Sent, waiting: ArraySlice<Entry>)
        case ended
    }

    private let state: State

    /// The fault of a response that nobody asked for.
    package static let unsolicited = ProtocolError(.sequence, "a response to no request", at: "HTTP response")

    /// Creates a queue in which nothing waits.
    package init() {
        self.init(.idle)
    }

    private init(_ state: consuming State) {
        self.state = state
    }

    /// Whether a request was sent that is not answered.
    package var isAwaiting: Bool {
        nextDeadline != nil
    }

    /// Until when the present request may be waited for, `nil` when none is under way.
    package var nextDeadline: MonotonicInstant? {
        switch state {
        case .awaiting(let sent, _): sent.deadline
        case .idle: nil
        case .ended: nil
        }
    }

    /// Takes a request; its time counts from the moment in which it is sent.
    package mutating func enqueue(
        _ request: HTTPRequest,
        as ticket: Ticket,
        within patience: Duration,
        at now: MonotonicInstant
    ) -> Action? {
        switch consume state {
        case .ended:
            preconditionFailure("a connection that has ended takes no request")
        case .awaiting(let sent, var waiting):
            waiting.append(Entry(ticket: ticket, request: request, patience: patience))
            self = Self(.awaiting(sent, waiting: waiting))
            return nil
        case .idle:
            self = Self(.awaiting(Sent(ticket: ticket, deadline: now.advanced(by: patience)), waiting: []))
            return .send(request)
        }
    }

    /// Takes what the accessory sent.
    ///
    /// - Throws: ``unsolicited`` for a response while no request is under way.
    package mutating func receive(_ message: HTTPMessage, at now: MonotonicInstant) throws(ProtocolError) -> [Action] {
        switch message.kind {
        case .event: return hasEnded ? [] : [.event(message.body)]
        case .response: return try answered(message, at: now)
        }
    }

    private var hasEnded: Bool {
        switch state {
        case .ended: true
        case .idle: false
        case .awaiting: false
        }
    }

    private mutating func answered(
        _ message: HTTPMessage,
        at now: MonotonicInstant
    ) throws(ProtocolError) -> [Action] {
        switch consume state {
        case .ended:
            self = Self(.ended)
            return []
        case .idle:
            self = Self(.ended)
            throw Self.unsolicited
        case .awaiting(let sent, let waiting):
            var actions: [Action] = sent.isWanted ? [.answer(sent.ticket, message)] : []
            if let next = waiting.first {
                let deadline = now.advanced(by: next.patience)
                self = Self(.awaiting(Sent(ticket: next.ticket, deadline: deadline), waiting: waiting.dropFirst()))
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
    package mutating func cancel(_ ticket: Ticket) -> Bool {
        switch consume state {
        case .idle:
            self = Self(.idle)
            return false
        case .ended:
            self = Self(.ended)
            return false
        case .awaiting(var sent, let waiting):
            if sent.ticket == ticket {
                let wasWanted = sent.isWanted
                sent.isWanted = false
                self = Self(.awaiting(sent, waiting: waiting))
                return wasWanted
            }
            let others = waiting.filter { $0.ticket != ticket }
            self = Self(.awaiting(sent, waiting: others[...]))
            return others.count < waiting.count
        }
    }

    /// Whether the present request's time is up.
    package func isOverdue(at now: MonotonicInstant) -> Bool {
        nextDeadline.map { $0 <= now } ?? false
    }

    /// Ends, and returns the requests that get no answer any more, in their order.
    package mutating func end() -> [Ticket] {
        switch consume state {
        case .idle:
            self = Self(.ended)
            return []
        case .ended:
            self = Self(.ended)
            return []
        case .awaiting(let sent, let waiting):
            self = Self(.ended)
            return (sent.isWanted ? [sent.ticket] : []) + waiting.map(\.ticket)
        }
    }
}
