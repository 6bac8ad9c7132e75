internal import AsyncPrimitives
internal import HAPCore
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// An address on which a driver listens, or to which it connects.
package struct DriverEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host; that of loopback unless the definition names another one.
    package let host: String
    /// The port; 0 for any.
    package let port: UInt16

    package init(host: String = "127.0.0.1", port: UInt16) {
        (self.host, self.port) = (host, port)
    }

    /// The index of the interface that has the address; 0 if it is an address of all of them.
    var interface: UInt32 {
        guard let address = try? SocketAddress(ipAddress: host, port: 0), host != "0.0.0.0", host != "::",
            let device = try? System.enumerateDevices().first(where: { $0.address?.hasSameHost(as: address) ?? false })
        else { return 0 }
        return UInt32(clamping: device.interfaceIndex)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A connection of a driver, which the host closes at the end of its run.
///
/// Bytes are read from the network only when the driver asks for them.
package final class DriverConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<DriverChannelHandler>

    fileprivate init(_ channel: any Channel, _ handler: DriverChannelHandler) {
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    /// Returns the next bytes, or `nil` at the end; call it by one task at a time.
    ///
    /// Cancellation ends the connection.
    package func receive() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                channel.eventLoop.execute { [handler, channel] in handler.value.receive(continuation, from: channel) }
            }
        } onCancel: {
            close()
        }
    }

    /// Sends bytes, and returns when the system has taken them.
    ///
    /// - Throws: An error if the connection ends first.
    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Ends the connection.
    package func close() { channel.close(promise: nil) }

    /// Connects to a peer.
    static func connect(to endpoint: DriverEndpoint, for run: DriverRun) async throws -> DriverConnection {
        let connection = OneShot<DriverConnection>()
        let channel = try await ClientBootstrap(group: ServiceThread.group)
            .channelOption(.autoRead, value: false)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { connection.set(try DriverConnection.adopt(channel)) }
            }
            .connect(host: endpoint.host, port: Int(endpoint.port)).get()
        let forget = run.own { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in forget() }
        return await connection.wait()
    }

    /// Takes over a channel, on its event loop.
    fileprivate static func adopt(_ channel: any Channel) throws -> DriverConnection {
        let handler = DriverChannelHandler()
        try channel.pipeline.syncOperations.addHandler(handler)
        return DriverConnection(channel, handler)
    }
}

/// A socket on which a driver listens until the end of its run.
package final class DriverListener: Sendable {
    /// The maximum number of connections at a time; further ones are closed.
    private static let maximumConnections = 64

    /// The address, with the port that was chosen if any was asked for.
    package let endpoint: DriverEndpoint
    /// The connections in the order in which they were accepted.
    package let connections: AsyncStream<DriverConnection>

    private init(_ endpoint: DriverEndpoint, _ connections: AsyncStream<DriverConnection>) {
        (self.endpoint, self.connections) = (endpoint, connections)
    }

    static func listen(on endpoint: DriverEndpoint, for run: DriverRun) async throws -> DriverListener {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DriverConnection.self,
            bufferingPolicy: .bufferingOldest(maximumConnections)
        )
        let count = SharedCount()
        let listener = try await ServerBootstrap(group: ServiceThread.group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard count.add(upTo: maximumConnections) else {
                        channel.close(promise: nil)
                        return
                    }
                    let forget = run.own { channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { _ in
                        count.remove()
                        forget()
                    }
                    if case .dropped = continuation.yield(try DriverConnection.adopt(channel)) {
                        channel.close(promise: nil)
                    }
                }
            }
            .bind(host: endpoint.host, port: Int(endpoint.port)).get()
        let bound = DriverEndpoint(host: endpoint.host, port: UInt16(clamping: listener.localAddress?.port ?? 0))
        let forget = run.own(listeningOn: bound) { listener.close(promise: nil) }
        listener.closeFuture.whenComplete { _ in
            continuation.finish()
            forget()
        }
        return DriverListener(bound, stream)
    }
}

extension SocketAddress {
    /// Returns whether the other address has the same host, whatever its port.
    fileprivate func hasSameHost(as other: SocketAddress) -> Bool { ipAddress == other.ipAddress }
}

/// A number that is counted up and down.
private final class SharedCount: Sendable {
    private let count = Mutex(0)

    /// Adds one; returns `false`, and adds nothing, at the limit.
    func add(upTo limit: Int) -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func remove() { count.withLock { $0 -= 1 } }
}

/// Passes the bytes of a channel to the task that asks for them.
private final class DriverChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var received: [UInt8] = []
    private var waiter: CheckedContinuation<[UInt8]?, Never>?
    private var hasEnded = false

    func receive(_ continuation: CheckedContinuation<[UInt8]?, Never>, from channel: any Channel) {
        guard received.isEmpty, !hasEnded else {
            continuation.resume(returning: received.isEmpty ? nil : received)
            received = []
            return
        }
        waiter?.resume(returning: nil)
        waiter = continuation
        channel.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(unwrapInboundIn(data).readableBytesView)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let waiter {
            guard !received.isEmpty else { return }
            self.waiter = nil
            waiter.resume(returning: received)
            received = []
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        waiter?.resume(returning: received.isEmpty ? nil : received)
        waiter = nil
        received = []
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
