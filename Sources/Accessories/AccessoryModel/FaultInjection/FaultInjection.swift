public import HAPCore

/// A source of decisions about the faults that are injected into a server.
///
/// A server without fault injection spends only a branch at each injection point. Faults are injected only at these
/// points. Times are on the clock of the server's behaviors, so that a fault of one hour ends after one simulated hour.
public protocol FaultInjection: AnyObject, Sendable {
    /// Returns the decision for an operation that is about to be performed.
    ///
    /// The server calls it on its event loop, so it must return quickly.
    func decision(at point: FaultInjectionPoint, now: MonotonicInstant) -> FaultDecision

    /// Whether a fault was ever added; before that, the server does not ask for decisions.
    ///
    /// The server reads it for each operation, so it must be fast. It must be `true` before an added fault may act.
    /// Conditions and deadlines are read in any case.
    var isActive: Bool { get }

    /// The current conditions.
    ///
    /// The server reads them when it starts, after ``advance(to:)``, and when it is notified of a change.
    var conditions: ServerConditions { get }

    /// The next time at which a condition begins or ends, or `nil` if there is none.
    var nextDeadline: MonotonicInstant? { get }

    /// Advances to `now`.
    func advance(to now: MonotonicInstant)
}

extension FaultInjection {
    /// `true`: by default, the server asks for each operation.
    public var isActive: Bool {
        true
    }

    /// The normal conditions, without faults.
    public var conditions: ServerConditions {
        ServerConditions()
    }

    /// No deadline: by default, conditions do not begin or end by themselves.
    public var nextDeadline: MonotonicInstant? {
        nil
    }

    /// Does nothing.
    public func advance(to now: MonotonicInstant) {}
}

/// An operation of a server that can be made to fail.
public enum FaultInjectionPoint: Sendable, Hashable {
    /// A connection is about to be accepted; the value is the number of open connections.
    case accept(openConnections: Int)
    /// A request is about to be handled.
    case request(ConnectionID, RequestSummary)
    /// A controller is about to read, write or subscribe to one characteristic.
    case characteristicAccess(ConnectionID, CharacteristicID, isWrite: Bool)
    /// A response is about to be sent; the bytes are those before framing.
    case response(ConnectionID, RequestSummary, [UInt8])
    /// The server is about to decide whether it notifies a connection of a change.
    case notification(ConnectionID, CharacteristicID, EventRecipient)
    /// An event message for these characteristics is about to be sent; the bytes are those before framing.
    case eventMessage(ConnectionID, [CharacteristicID], [UInt8])
    /// The TXT record is about to be announced.
    case announcement
}

extension FaultInjectionPoint: CustomStringConvertible {
    /// The operation in words; of a message, only the length.
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
    /// The connection has subscribed, so it is notified.
    case subscriber
    /// The connection has subscribed but has written the value itself, so it is not notified.
    case writer
    /// The connection has unsubscribed, so it is not notified.
    case unsubscribed
}

/// The properties of a request by which faults distinguish requests.
public struct RequestSummary: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: HTTPMethod
    /// The path without its query.
    public var path: String
    /// The characteristics that are read or written; empty for other requests and for requests that cannot be parsed.
    public var characteristics: [CharacteristicID]
    /// The items of a write; empty for other requests.
    package var writes: [CharacteristicWriteItem] = []
    /// The form in which the request was sent.
    package var form = HTTPRequestForm()

    /// Creates a summary.
    public init(_ method: HTTPMethod, path: String, characteristics: [CharacteristicID] = []) {
        self.method = method
        self.path = path
        self.characteristics = characteristics
    }
}

extension RequestSummary: CustomStringConvertible {
    /// The method and the path.
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

/// The identity of one connection of one server; it is never used again.
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
    /// The number after a `#`.
    public var description: String {
        "#\(rawValue)"
    }
}
