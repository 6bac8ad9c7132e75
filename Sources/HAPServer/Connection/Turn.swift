internal import HAPCore

/// What waits until other connections have had their turn.
enum Turn: Sendable {
    /// A request of a connection without a session.
    case request(HTTPRequest, of: ConnectionID)
    /// The requests that have arrived behind those that were answered in one go.
    case rest(of: ConnectionID)
}
