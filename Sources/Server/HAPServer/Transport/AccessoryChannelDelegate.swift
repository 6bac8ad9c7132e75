internal import HAPCore
internal import NIOCore

/// Receives the requests and state changes of a controller's connection.
///
/// Called on the connection's event loop.
protocol AccessoryChannelDelegate: AnyObject, Sendable {
    /// The connection is open.
    func didOpen(_ channel: AccessoryChannelHandler, peer: SocketAddress?)

    /// A complete request has arrived. The next one is delivered only after this one has been answered.
    func didReceive(_ request: HTTPRequest, on channel: AccessoryChannelHandler)

    /// The connection has more requests or more parts of a long message than one turn allows. After other connections
    /// have had their turn, call ``AccessoryChannelHandler/resume()`` to continue.
    func didYield(_ channel: AccessoryChannelHandler)

    /// The connection is no longer busy or blocked; reported once if ``AccessoryChannelHandler/reportsWhenReady`` is
    /// set.
    func didBecomeReady(_ channel: AccessoryChannelHandler)

    /// The connection has ended, for the reason that the transport knows.
    func didClose(_ channel: AccessoryChannelHandler, _ reason: CloseReason)
}

/// The actions after a response.
struct ResponseCompletion: Sendable {
    /// The keys for everything after the response; the response itself is sent with the previous keys, or unencrypted.
    ///
    /// HAP: §8
    var keys: SessionKeys?
    /// Whether the connection is closed after the response.
    ///
    /// HAP: §9 (remove)
    var closesConnection = false
    /// Called once, on the event loop, when the response was sent or cannot be sent.
    var onWritten: (@Sendable () -> Void)?
}
