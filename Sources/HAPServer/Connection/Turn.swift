internal import HAPCore

/// What waits until other connections have had their turn.
enum Turn: Sendable {
    /// A request of a connection without a session.
    case request(HTTPRequest, of: ConnectionID)
    /// What the channel of a connection has left for later: requests that have arrived, or parts of a long message.
    case rest(of: ConnectionID)
    /// The rest of a long work of the server.
    case work(@Sendable (isolated AccessoryServer) -> Void)
}
