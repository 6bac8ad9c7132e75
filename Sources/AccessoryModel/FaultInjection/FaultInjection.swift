public import HAPCore

/// Decides which faults are injected into a server.
///
/// Without one, each injection point costs a branch. Faults are injected nowhere else. Times are on the clock of the
/// server's behaviors, so that a simulated hour ends a fault of an hour.
public protocol FaultInjection: AnyObject, Sendable {
    /// Answers for one thing that is about to happen.
    ///
    /// Called on the server's event loop; it must return quickly.
    func decision(at point: FaultInjectionPoint, now: MonotonicInstant) -> FaultDecision

    /// The current conditions; read when the server starts, after ``advance(to:)``, and when the server is told of a
    /// change.
    var conditions: ServerConditions { get }

    /// The next time at which a condition begins or ends; `nil` if there is none.
    var nextDeadline: MonotonicInstant? { get }

    /// Moves on to `now`.
    func advance(to now: MonotonicInstant)
}

extension FaultInjection {
    /// Everything is as it should be.
    public var conditions: ServerConditions {
        ServerConditions()
    }

    /// Conditions do not begin or end by themselves.
    public var nextDeadline: MonotonicInstant? {
        nil
    }

    /// Nothing to do.
    public func advance(to now: MonotonicInstant) {}
}

/// A thing that is about to happen in a server and can be made to go wrong.
public enum FaultInjectionPoint: Sendable, Hashable {
    /// A connection is about to be accepted; with the number of open ones.
    case accept(openConnections: Int)
    /// A request is about to be acted on.
    case request(ConnectionID, RequestSummary)
    /// One characteristic is about to be read for a controller, or written or subscribed to by it.
    case characteristicAccess(ConnectionID, CharacteristicID, isWrite: Bool)
    /// A response is about to be sent, as it travels before framing.
    case response(ConnectionID, RequestSummary, [UInt8])
    /// A connection is about to be notified of a change, or not.
    case notification(ConnectionID, CharacteristicID, EventRecipient)
    /// An event about these characteristics is about to be sent, as it travels before framing.
    case eventMessage(ConnectionID, [CharacteristicID], [UInt8])
    /// The TXT record is about to be announced.
    case announcement
}

extension FaultInjectionPoint: CustomStringConvertible {
    /// The point in words; for a message only its length.
    public var description: String {
        switch self {
        case .accept: "accept"
        case .request(let id, let subject): "request \(id) \(subject)"
        case .characteristicAccess(let id, let characteristic, let isWrite):
            "\(isWrite ? "write" : "read") \(id) of \(characteristic)"
        case .response(let id, let subject, let message): "response \(id) to \(subject), \(message.count) bytes"
        case .notification(let id, let characteristic, _): "change \(id) of \(characteristic)"
        case .eventMessage(let id, _, let message): "event \(id), \(message.count) bytes"
        case .announcement: "announcement"
        }
    }
}

/// The relation of a connection to a change of a characteristic.
public enum EventRecipient: Sendable, Hashable {
    /// It has subscribed, and is notified.
    case subscriber
    /// It has subscribed and has written the value itself, so it is not notified.
    case writer
    /// It has unsubscribed, so it is not notified.
    case unsubscribed
}

/// A summary of a request, as far as faults distinguish requests.
public struct RequestSummary: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: HTTPMethod
    /// The path without its query.
    public var path: String
    /// The characteristics that are read or written; empty for requests of another kind, and for what cannot be read.
    public var characteristics: [CharacteristicID]

    /// Creates a subject.
    public init(_ method: HTTPMethod, path: String, characteristics: [CharacteristicID] = []) {
        self.method = method
        self.path = path
        self.characteristics = characteristics
    }
}

extension RequestSummary: CustomStringConvertible {
    /// Method and path.
    public var description: String {
        let method =
            switch method {
            case .get: "GET"
            case .post: "POST"
            case .put: "PUT"
            case .other: "another request for"
            }
        return "\(method) \(path)"
    }
}

/// One connection of one server, never used again.
public struct ConnectionID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package var subscriber: SubscriberID {
        SubscriberID(rawValue)
    }
}

extension ConnectionID: CustomStringConvertible {
    /// `#` and the number.
    public var description: String {
        "#\(rawValue)"
    }
}
