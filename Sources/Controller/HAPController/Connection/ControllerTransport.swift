internal import Glibc
package import NIOCore
package import NIOPosix

/// Establishes the connections of a controller.
package protocol ControllerTransport: Sendable {
    /// Connects to an endpoint.
    ///
    /// The future fails with an error that ``ConnectFailure`` describes.
    ///
    /// - Parameters:
    ///   - bootstrap: The bootstrap on the event loop of the connection, with the handlers of the protocol.
    ///   - timeout: The time after which the future fails.
    func connect(
        _ bootstrap: ClientBootstrap,
        to endpoint: AccessoryEndpoint,
        within timeout: Duration
    ) -> EventLoopFuture<any Channel>
}

/// Connects over TCP.
struct TCPTransport: ControllerTransport {
    func connect(
        _ bootstrap: ClientBootstrap,
        to endpoint: AccessoryEndpoint,
        within timeout: Duration
    ) -> EventLoopFuture<any Channel> {
        bootstrap.connectTimeout(TimeAmount(timeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // An accessory that loses power does not close its connection. After a minute without an answer to
            // keep-alive probes, the connection counts as lost.
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: 30)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 10)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 3)
            .connect(host: endpoint.host, port: Int(endpoint.port))
    }
}

/// Connects to servers of this process over abstract Unix sockets, which need neither a port nor a file.
///
/// The host of an endpoint is the name of the socket.
package struct InProcessTransport: ControllerTransport {
    package init() {}

    package func connect(
        _ bootstrap: ClientBootstrap,
        to endpoint: AccessoryEndpoint,
        within timeout: Duration
    ) -> EventLoopFuture<any Channel> {
        bootstrap.connectTimeout(TimeAmount(timeout)).connect(unixDomainSocketPath: "\0\(endpoint.host)")
    }
}
