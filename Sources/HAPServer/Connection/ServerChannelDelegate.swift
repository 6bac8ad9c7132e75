internal import HAPCore
internal import HAPTransport
internal import NIOCore
internal import Synchronization

/// Brings what arrives on one connection to its server, without a hop: both live on one event loop.
final class ServerChannelDelegate: AccessoryChannelDelegate {
    private let server: AccessoryServer
    private let id: ConnectionID

    init(server: AccessoryServer, id: ConnectionID) {
        self.server = server
        self.id = id
    }

    func opened(_ channel: AccessoryChannelHandler, peer: SocketAddress?) {
        let bound = NIOLoopBound(channel, eventLoop: server.eventLoop)
        server.assumeIsolated { $0.open(id, bound, peer: peer) }
    }

    func received(_ request: HTTPRequest, on channel: AccessoryChannelHandler) {
        server.assumeIsolated { $0.receive(request, on: id) }
    }

    func yielded(_ channel: AccessoryChannelHandler) {
        server.assumeIsolated { $0.waitForTurn(.rest(of: id)) }
    }

    func free(_ channel: AccessoryChannelHandler) {
        server.assumeIsolated { $0.sendDueEvents(to: id) }
    }

    func closed(_ channel: AccessoryChannelHandler, _ reason: ChannelCloseReason) {
        server.assumeIsolated { $0.connectionClosed(id, reason) }
    }
}
