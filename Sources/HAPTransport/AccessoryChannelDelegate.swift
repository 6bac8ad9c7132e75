package import HAPCore
package import NIOCore

/// Who is told what arrives on a controller's connection.
///
/// Called on the connection's event loop.
package protocol AccessoryChannelDelegate: AnyObject, Sendable {
    /// The connection stands.
    func didOpen(_ channel: AccessoryChannelHandler, peer: SocketAddress?)

    /// A request has arrived whole; no other follows before it is answered.
    func didReceive(_ request: HTTPRequest, on channel: AccessoryChannelHandler)

    /// More requests have arrived than are handed on in one turn, or a message has more parts:
    /// ``AccessoryChannelHandler/resume()`` continues when others have had their turn.
    func didYield(_ channel: AccessoryChannelHandler)

    /// The connection is neither busy nor blocked any more, as it was asked to report.
    func didBecomeReady(_ channel: AccessoryChannelHandler)

    /// The connection has ended.
    func didClose(_ channel: AccessoryChannelHandler, _ reason: ChannelCloseReason)
}

/// Why a connection ended, as far as the transport knows.
package enum ChannelCloseReason: Sendable, Hashable {
    /// The peer closed it.
    case peer
    /// The peer sent what the protocol does not allow.
    case protocolError(ProtocolError)
    /// The network reported an error.
    case network(String)
    /// The pairing was removed, and the removal has been answered.
    case pairingRemoved
    /// Whoever owns the connection ended it.
    case local
}

/// What follows a response.
package struct ResponseCompletion: Sendable {
    /// What everything behind the response is sealed with; the response itself still leaves as before.
    ///
    /// HAP: §8
    package var keys: SessionKeys?
    /// Whether the connection ends when the response has left.
    ///
    /// HAP: §9 (remove)
    package var closesConnection: Bool
    /// Called once, on the event loop: when the response has left, or cannot leave any more.
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
