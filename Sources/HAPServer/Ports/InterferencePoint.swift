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
