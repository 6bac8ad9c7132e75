internal import AsyncPrimitives
internal import NIOCore
internal import NIOPosix
internal import NIOTLS
internal import Synchronization

/// An address on which a driver listens, or to which it connects.
package struct DriverEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host; that of loopback unless the definition names another one.
    package let host: String
    /// The port; 0 for any.
    package let port: UInt16
    /// The root of the certificates that it shows to peers, as PEM; `nil` for none.
    package let certificate: String?

    package init(host: String = "127.0.0.1", port: UInt16, certificate: String? = nil) {
        (self.host, self.port, self.certificate) = (host, port, certificate)
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
    /// The address of the peer, without its port.
    package let peerHost: String
    private let channel: any Channel
    private let handler: NIOLoopBound<DriverChannelHandler>
    private let limits: ListenerLimits
    /// The number of bytes that the system has not taken yet.
    private let unsent = Mutex(0)

    /// Creates a connection on the event loop of its channel, which is open.
    init(_ channel: any Channel, _ handler: DriverChannelHandler, _ limits: ListenerLimits) {
        peerHost = channel.remoteAddress?.ipAddress ?? ""
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.limits = limits
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
    /// A peer that does not read is disconnected: if more than ``ListenerLimits/unsentBytes`` wait, and if the system
    /// has not taken the bytes within ``ListenerLimits/sendTime``. A message that is longer can be sent if no other one
    /// waits.
    ///
    /// - Throws: An error if the connection ends first.
    package func send(_ bytes: [UInt8]) async throws {
        let isAccepted = unsent.withLock { unsent in
            guard unsent == 0 || unsent + bytes.count <= limits.unsentBytes else { return false }
            unsent += bytes.count
            return true
        }
        guard isAccepted else {
            close()
            throw DriverConnectionError.peerDoesNotRead
        }
        let (count, result) = (bytes.count, channel.eventLoop.makePromise(of: Void.self))
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(limits.sendTime)) { [self] in
            result.fail(DriverConnectionError.peerDoesNotRead)
            close()
        }
        channel.writeAndFlush(ByteBuffer(bytes: bytes))
            .whenComplete { [self] outcome in
                timeout.cancel()
                unsent.withLock { $0 -= count }
                result.completeWith(outcome)
            }
        try await result.futureResult.get()
    }

    /// Ends the connection; with TLS, a peer that does not confirm the end is disconnected after a second.
    package func close() {
        channel.eventLoop.execute { [handler, channel] in handler.value.close(channel) }
    }

    /// Connects to a peer.
    static func connect(to endpoint: DriverEndpoint, for run: DriverRun) async throws -> DriverConnection {
        let result = OneShot<DriverConnection>()
        let channel = try await ClientBootstrap(group: ServiceThread.group)
            .channelOption(.autoRead, value: false)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = DriverChannelHandler { channel, handler in
                        result.set(DriverConnection(channel, handler, ListenerLimits()))
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: endpoint.host, port: Int(endpoint.port)).get()
        let connection = await result.wait()
        let forget = run.own { connection.close() }
        channel.closeFuture.whenComplete { _ in forget() }
        return connection
    }
}

/// The reason why the host has ended a connection.
package enum DriverConnectionError: Error, CustomStringConvertible {
    case peerDoesNotRead

    package var description: String {
        switch self {
        case .peerDoesNotRead: "The peer does not read what is sent to it."
        }
    }
}

/// Passes the bytes of a channel to the task that asks for them.
final class DriverChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// What has become of a connection that is open.
    enum Event {
        /// The handshake of TLS is complete.
        case secured
        case receivedFirstBytes
        /// - Parameter hasReceived: Whether bytes were received.
        case ended(hasReceived: Bool)
    }

    private let didOpen: (any Channel, DriverChannelHandler) throws -> Void
    /// Called for each event.
    var observer: ((Event) -> Void)?
    private var received: [UInt8] = []
    private var waiter: CheckedContinuation<[UInt8]?, Never>?
    private var hasReceived = false
    /// Whether no more bytes are received.
    private var hasEnded = false

    /// - Parameter didOpen: Called when the channel is open; an error closes it.
    init(didOpen: @escaping (any Channel, DriverChannelHandler) throws -> Void) {
        self.didOpen = didOpen
    }

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

    func close(_ channel: any Channel) {
        hasEnded = true
        received = []
        resumeWaiter()
        channel.close(promise: nil)
        // The confirmation of the peer.
        channel.read()
    }

    func channelActive(context: ChannelHandlerContext) {
        do {
            try didOpen(context.channel, self)
        } catch {
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { observer?(.secured) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        received += Array(unwrapInboundIn(data).readableBytesView)
        guard !hasReceived else { return }
        hasReceived = true
        observer?(.receivedFirstBytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasEnded {
            context.read()
        } else if !received.isEmpty {
            resumeWaiter()
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // What is there can still be received.
        hasEnded = true
        resumeWaiter()
        observer?(.ended(hasReceived: hasReceived))
        observer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func resumeWaiter() {
        guard let waiter else { return }
        self.waiter = nil
        waiter.resume(returning: received.isEmpty ? nil : received)
        received = []
    }
}

extension SocketAddress {
    /// Returns whether the other address has the same host, whatever its port.
    fileprivate func hasSameHost(as other: SocketAddress) -> Bool { ipAddress == other.ipAddress }
}
