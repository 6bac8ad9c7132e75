internal import NIOCore
internal import NIOPosix

/// A datagram of UDP.
package struct Datagram: Sendable {
    package let bytes: [UInt8]
    /// The address of the peer without its port.
    package let host: String
    package let port: UInt16
}

/// A UDP socket of a driver, which the host closes at the end of its run.
package final class DatagramSocket: Sendable {
    /// The size of the buffer in which the system keeps what was received; it takes twice as much.
    private static let receiveBuffer = 256 << 10
    /// The maximum number of bytes of a datagram; the rest is cut off.
    private static let maximumSize = 16 << 10

    package let port: UInt16
    private let channel: any Channel

    private init(_ channel: any Channel) {
        self.channel = channel
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
    }

    /// Opens a socket on any port.
    ///
    /// - Parameter receive: Called for each datagram on the thread of drivers.
    static func open(
        host: String,
        for run: DriverRun,
        receive: @escaping @Sendable (Datagram) -> Void
    ) async throws -> DatagramSocket {
        let channel = try await DatagramBootstrap(group: ServiceThread.group)
            .channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: maximumSize))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler(receive))
                }
            }
            .bind(host: host, port: 0).get()
        let forget = run.own { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in forget() }
        return DatagramSocket(channel)
    }

    /// Sends a datagram; one that the system cannot send is lost.
    package func send(_ bytes: [UInt8], to host: String, port: UInt16) {
        // The system refuses the port 0, and the channel would close.
        guard port > 0, let address = try? SocketAddress(ipAddress: host, port: Int(port)) else { return }
        channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes)),
            promise: nil
        )
    }

    package func close() { channel.close(promise: nil) }
}

private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: @Sendable (Datagram) -> Void

    init(_ receive: @escaping @Sendable (Datagram) -> Void) {
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let host = envelope.remoteAddress.ipAddress, let port = envelope.remoteAddress.port else { return }
        receive(
            Datagram(bytes: Array(envelope.data.readableBytesView), host: host, port: UInt16(clamping: port))
        )
    }

    // A peer that refuses datagrams ends nothing.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
