package import NIOCore
internal import NIOPosix
package import NIOSSL
internal import Synchronization

/// A peer of a listener, which collects what it receives.
package final class SocketPeer: ChannelInboundHandler, Sendable {
    package typealias InboundIn = ByteBuffer

    private let bytes = Mutex<[UInt8]>([])
    private let channel = Mutex<(any Channel)?>(nil)

    package var received: [UInt8] { bytes.withLock(\.self) }
    package var isClosed: Bool { channel.withLock { $0?.isActive } == false }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        bytes.withLock { $0 += buffer.readableBytesView }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Connects; with TLS, the handshake follows.
    ///
    /// - Parameters:
    ///   - version: The version of TLS; `nil` for a connection without it.
    ///   - host: Its address.
    package init(port: UInt16, _ version: TLSVersion? = .tlsv13, from host: String = "127.0.0.1") async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.shutdownTimeout = .milliseconds(100)
        configuration.minimumTLSVersion = version ?? .tlsv12
        configuration.maximumTLSVersion = version
        let context = try version.map { _ in try NIOSSLContext(configuration: configuration) }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: host, port: 0))
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        let handler = try NIOSSLClientHandler(context: context, serverHostname: nil)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.addHandler(self)
                }
            }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        self.channel.withLock { $0 = channel }
    }

    /// Returns the certificate of the other end, after the handshake.
    package func certificate() async throws -> [UInt8]? {
        let channel = channel.withLock(\.self)
        return try await channel?.nioSSL_peerCertificate().get()?.toDERBytes()
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await channel.withLock(\.self)?.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Stops reading, after the handshake.
    package func stopReading() async throws {
        try await channel.withLock(\.self)?.setOption(.autoRead, value: false).get()
    }

    package func close() { channel.withLock(\.self)?.close(promise: nil) }
}
