package import HAPCore
package import NIOCore

/// Receives what arrives on a controller's connection.
///
/// Called on the connection's event loop.
package protocol AccessoryChannelDelegate: AnyObject, Sendable {
    /// The connection is open.
    func didOpen(_ channel: AccessoryChannelHandler, peer: SocketAddress?)

    /// A request has arrived whole; no other follows before it is answered.
    func didReceive(_ request: HTTPRequest, on channel: AccessoryChannelHandler)

    /// More requests have arrived than are handed on in one turn, or a message has more parts:
    /// ``AccessoryChannelHandler/resume()`` continues when others have had their turn.
    func didYield(_ channel: AccessoryChannelHandler)

    /// The connection is no longer busy or blocked, as requested.
    func didBecomeReady(_ channel: AccessoryChannelHandler)

    /// The connection has ended.
    func didClose(_ channel: AccessoryChannelHandler, _ reason: ChannelCloseReason)
}

/// The reason for which a connection ended, as far as the transport knows.
package enum ChannelCloseReason: Sendable, Hashable {
    /// The peer closed it.
    case peer
    /// The peer sent what the protocol does not allow.
    case protocolError(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The pairing was removed, and the removal has been answered.
    case pairingRemoved
    /// The owner of the connection closed it.
    case local
}

/// The actions after a response.
package struct ResponseCompletion: Sendable {
    /// The keys for everything after the response; the response itself is still sent as before.
    ///
    /// HAP: §8
    package var keys: SessionKeys?
    /// Whether the connection is closed after the response.
    ///
    /// HAP: §9 (remove)
    package var closesConnection: Bool
    /// Called once, on the event loop, when the response was sent or cannot be sent.
    package var onWritten: (@Sendable () -> Void)?

    package init(
        keys: SessionKeys? = nil,
        closesConnection: Bool = false,
        onWritten: (@Sendable () -> Void)? = nil
    ) {
        self.keys = keys
        self.closesConnection = closesConnection
        self.onWritten = onWritten
    }
}
