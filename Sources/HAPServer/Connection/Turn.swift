internal import HAPCore

/// What waits until other connections have had their turn.
enum Turn: Sendable {
    /// A request of a connection without a session.
    case request(HTTPRequest, of: ConnectionID)
    /// What the channel of a connection has left for later: requests that have arrived, or parts of a long message.
    case rest(of: ConnectionID)
    /// The rest of a database that is being composed for a connection, after this many turns.
    case accessories(of: ConnectionID, turns: Int)
    /// The events that are due to the connections in line.
    case events
}
