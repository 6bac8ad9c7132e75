public import HAPCore

/// A thing that is about to happen in a server and can be made to go wrong.
public enum InterferencePoint: Sendable, Hashable {
    /// A connection is about to be taken.
    case accept
    /// A request is about to be acted on.
    case request(ConnectionID, HTTPMethod, path: String)
    /// A response is about to be sent, as it travels before framing.
    case response(ConnectionID, [UInt8])
    /// An event is about to be sent, as it travels before framing.
    case event(ConnectionID, [UInt8])
    /// The TXT record is about to be announced.
    case announcement
}

extension InterferencePoint: CustomStringConvertible {
    /// Where it is; of a message only its length.
    public var description: String {
        switch self {
        case .accept: "accept"
        case .request(let id, let method, let path): "request \(id) \(method) \(path)"
        case .response(let id, let message): "response \(id), \(message.count) bytes"
        case .event(let id, let message): "event \(id), \(message.count) bytes"
        case .announcement: "announcement"
        }
    }
}
