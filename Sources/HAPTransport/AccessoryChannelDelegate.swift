package import HAPCore
package import NIOCore

/// Who is told what arrives on a controller's connection.
///
/// Called on the connection's event loop.
package protocol AccessoryChannelDelegate: AnyObject, Sendable {
    /// The connection stands.
    func opened(_ channel: AccessoryChannelHandler, peer: SocketAddress?)

    /// A request has arrived whole; no other follows before it is answered.
    func received(_ request: HTTPRequest, on channel: AccessoryChannelHandler)

    /// More requests have arrived than are handed on in one turn, or a message has more parts:
    /// ``AccessoryChannelHandler/goOn()`` continues when others have had their turn.
    func yielded(_ channel: AccessoryChannelHandler)

    /// The connection is neither busy nor blocked any more, as it was asked to report.
    func free(_ channel: AccessoryChannelHandler)

    /// The connection has ended.
    func closed(_ channel: AccessoryChannelHandler, _ reason: ChannelCloseReason)
}
