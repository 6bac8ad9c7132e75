internal import ByteChannels
internal import HAPServer
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// The limits of a listener, and of each of its connections.
package struct ListenerLimits: Sendable, Hashable {
    /// The maximum number of connections at a time; further ones are closed.
    package var connections = 128
    /// The maximum number of connections of one host, except this one; further ones are closed.
    ///
    /// So a host cannot take the places of others.
    package var connectionsOfHost: Int { max(connections / 2, 1) }
    /// The maximum number of connections that have not sent anything yet; further ones are closed.
    package var silentConnections = 64
    /// The maximum number of connections of one host that have not sent anything yet; further ones are closed.
    ///
    /// There may be several peers on a host, such as browsers, and some of them open several connections.
    package var silentConnectionsOfHost = 32
    /// The time from the acceptance of a connection to its first bytes, which with TLS follow its handshake.
    package var silence = Duration.seconds(10)
    /// The maximum number of bytes that wait until a peer reads.
    package var unsentBytes = 256 << 10
    /// The maximum time until the system has taken bytes that are sent.
    package var sendTime = Duration.seconds(10)
    /// Whether the address is one by which peers find the driver, so that users see it.
    package var isListed = true

    /// The size of the buffer in which the system keeps what a peer has sent; it takes twice as much.
    ///
    /// When a peer closes its end, everything that is in the buffer is read at once.
    fileprivate static let receiveBuffer = 64 << 10
    /// The maximum number of bytes that are read at a time; the handler of TLS keeps as much memory.
    fileprivate static let readSize = 16 << 10

    package init() {}
}

/// A socket on which a driver listens until the end of its run.
package final class DriverListener: Sendable {
    /// The address, with the port that was chosen if any was asked for.
    package let endpoint: DriverEndpoint
    /// The connections in the order in which they were accepted, or with TLS, in which their handshakes were complete.
    package let connections: AsyncStream<DriverConnection>

    private let channel: any Channel

    private init(
        _ endpoint: DriverEndpoint,
        _ connections: AsyncStream<DriverConnection>,
        _ channel: any Channel
    ) {
        (self.endpoint, self.connections, self.channel) = (endpoint, connections, channel)
    }

    /// Accepts no more connections; those that exist go on.
    package func close() { channel.close(promise: nil) }

    /// - Parameter tls: The certificate for TLS; `nil` for connections without it.
    static func listen(
        on endpoint: DriverEndpoint,
        tls: TLSIdentity? = nil,
        limits: ListenerLimits = ListenerLimits(),
        for run: DriverRun
    ) async throws -> DriverListener {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DriverConnection.self,
            bufferingPolicy: .bufferingOldest(limits.connections)
        )
        let acceptor = ConnectionAcceptor(run, tls, limits, continuation)
        let listener = try await ServerBootstrap(group: ServiceThread.group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2_048, maximum: ListenerLimits.readSize)
            )
            .childChannelOption(.socketOption(.so_rcvbuf), value: .init(ListenerLimits.receiveBuffer))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ByteChannelHandler(didOpen: acceptor.accept)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: endpoint.host, port: Int(endpoint.port)).get()
        let bound = DriverEndpoint(
            host: endpoint.host,
            port: UInt16(clamping: listener.localAddress?.port ?? 0),
            certificate: endpoint.certificate,
            pin: endpoint.pin
        )
        let forget = run.own(listeningOn: limits.isListed ? bound : nil) { listener.close(promise: nil) }
        listener.closeFuture.whenComplete { _ in
            continuation.finish()
            forget()
        }
        return DriverListener(bound, stream, listener)
    }
}

/// Accepts the connections of a listener within its limits.
private final class ConnectionAcceptor: Sendable {
    private let run: DriverRun
    private let tls: TLSIdentity?
    private let limits: ListenerLimits
    private let connections: AsyncStream<DriverConnection>.Continuation
    private let places: Mutex<ConnectionPlaces>

    init(
        _ run: DriverRun,
        _ tls: TLSIdentity?,
        _ limits: ListenerLimits,
        _ connections: AsyncStream<DriverConnection>.Continuation
    ) {
        (self.run, self.tls, self.limits, self.connections) = (run, tls, limits, connections)
        places = Mutex(ConnectionPlaces(limits))
    }

    /// Takes over a channel that is open, on its event loop.
    func accept(_ channel: any Channel, _ handler: ByteChannelHandler) throws {
        let host = PeerHost(channel.remoteAddress)
        guard places.withLock({ $0.add(host) }) else {
            channel.close(promise: nil)
            return
        }
        let identity = tls?.current
        let connection = DriverConnection(channel, handler, limits, certificate: identity?.certificate)
        let forget = run.own { connection.close() }
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(limits.silence)) { connection.close() }
        handler.observer = { [self] event in
            switch event {
            case .secured: deliver(connection)
            case .receivedFirstBytes:
                timeout.cancel()
                places.withLock { $0.didReceive(from: host) }
            case .ended(let hasReceived):
                timeout.cancel()
                forget()
                places.withLock { $0.remove(host, hasReceived: hasReceived) }
            }
        }
        if let identity {
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(context: identity.context),
                position: .first
            )
        } else {
            deliver(connection)
        }
        // The driver asks for bytes when it has the connection; the limits are there before that.
        channel.read()
    }

    private func deliver(_ connection: DriverConnection) {
        guard case .enqueued = connections.yield(connection) else { return connection.close() }
    }
}

/// How many connections of a listener there are.
struct ConnectionPlaces {
    private let limits: ListenerLimits
    private var count = 0
    private var hosts: [PeerHost: Int] = [:]
    /// The number of connections that have not sent anything yet.
    private var silent: [PeerHost: Int] = [:]
    private var silentCount = 0

    init(_ limits: ListenerLimits) {
        self.limits = limits
    }

    /// Adds a connection that has not sent anything yet; returns `false`, and adds nothing, at a limit.
    mutating func add(_ host: PeerHost) -> Bool {
        guard count < limits.connections, silentCount < limits.silentConnections,
            silent[host, default: 0] < limits.silentConnectionsOfHost,
            host.isLoopback || hosts[host, default: 0] < limits.connectionsOfHost
        else { return false }
        count += 1
        hosts[host, default: 0] += 1
        silentCount += 1
        silent[host, default: 0] += 1
        return true
    }

    /// Counts a connection as one that has sent something.
    mutating func didReceive(from host: PeerHost) {
        silentCount -= 1
        let others = silent[host, default: 0] - 1
        silent[host] = others > 0 ? others : nil
    }

    /// Removes a connection.
    ///
    /// - Parameter hasReceived: Whether it has sent something.
    mutating func remove(_ host: PeerHost, hasReceived: Bool) {
        count -= 1
        let others = hosts[host, default: 0] - 1
        hosts[host] = others > 0 ? others : nil
        if !hasReceived { didReceive(from: host) }
    }
}
