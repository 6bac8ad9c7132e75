internal import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// Runs a function on the actor; called on its event loop.
    ///
    /// Passing a closure directly to `assumeIsolated` checks the executor a second time.
    fileprivate nonisolated func runIsolated(_ body: (isolated AccessoryServer) -> Void) {
        assumeIsolated(body)
    }
}

/// Passes the messages of one connection to its server without a hop: both are on one event loop.
final class ServerChannelDelegate: AccessoryChannelDelegate {
    private let server: AccessoryServer
    private let id: ConnectionID
    /// The server's state of the connection while it is open.
    private let connection: NIOLoopBoundBox<ServerConnection?>

    init(server: AccessoryServer, id: ConnectionID) {
        self.server = server
        self.id = id
        connection = NIOLoopBoundBox(nil, eventLoop: server.eventLoop)
    }

    func didOpen(_ channel: AccessoryChannelHandler, peer: SocketAddress?) {
        let bound = NIOLoopBound(channel, eventLoop: server.eventLoop)
        server.runIsolated { server in
            server.open(id, bound, peer: peer)
            connection.value = server.connections[id]
        }
    }

    func didReceive(_ request: HTTPRequest, on channel: AccessoryChannelHandler) {
        server.runIsolated { server in
            guard let connection = connection.value else { return }
            server.receive(request, on: connection)
        }
    }

    func didYield(_ channel: AccessoryChannelHandler) {
        server.runIsolated { server in
            server.deferWork(.resumeChannel(of: id), isSession: server.connections[id]?.session != nil)
        }
    }

    func didBecomeReady(_ channel: AccessoryChannelHandler) {
        server.runIsolated { _ = $0.sendDueEvents(to: id) }
    }

    func didClose(_ channel: AccessoryChannelHandler, _ reason: CloseReason) {
        server.runIsolated { server in
            connection.value = nil
            server.connectionClosed(id, reason)
        }
    }
}
