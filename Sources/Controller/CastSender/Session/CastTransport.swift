internal import ByteChannels
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// A connection to a receiver.
package protocol CastTransport: Sendable {
    /// The certificate that the receiver has shown, as DER; empty if it has shown none.
    var certificate: [UInt8] { get }
    /// The addresses of this end and of the receiver's; `nil` if there are none.
    var hosts: (local: String, receiver: String)? { get }

    /// Returns the next bytes, or `nil` at the end; called by one task at a time.
    func receive() async -> [UInt8]?

    /// Sends bytes, and returns when the system has taken them.
    func send(_ bytes: [UInt8]) async throws

    func close()
}

/// Opens connections with TLS.
///
/// Receivers have certificates that they have signed themselves, which are accepted: see
/// ``CastSession/Configuration/deviceFingerprint``.
package struct TLSTransport: CastTransport {
    private let bytes: ByteChannel
    package let certificate: [UInt8]
    package let hosts: (local: String, receiver: String)?

    /// Connects to the first of several hosts that accepts, one after the other.
    ///
    /// - Parameter limit: The time for each host.
    /// - Throws: ``CastSenderError/unreachable(_:)`` with the reason of the last one.
    static func connect(
        to device: CastDevice,
        within limit: Duration,
        on group: any EventLoopGroup
    ) async throws(CastSenderError) -> TLSTransport {
        var failure = CastSenderError.unreachable("its address is unknown")
        for host in device.hosts {
            do {
                return try await connect(to: host, device.port, within: limit, on: group)
            } catch {
                failure = .unreachable(Self.reason(error, within: limit))
            }
        }
        throw failure
    }

    private static let context = Result {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.shutdownTimeout = .seconds(1)
        return try NIOSSLContext(configuration: configuration)
    }

    private static func connect(
        to host: String,
        _ port: UInt16,
        within limit: Duration,
        on group: any EventLoopGroup
    ) async throws -> TLSTransport {
        let context = try context.get()
        let loop = group.any()
        let opened = loop.makePromise(of: TLSTransport.self)
        let timeout = loop.scheduleTask(in: TimeAmount(limit)) { opened.fail(ChannelError.connectTimeout(.zero)) }
        let connecting = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Receivers have no host names, so none is checked.
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: nil)
                    let handler = ByteChannelHandler { channel, _ in channel.read() }
                    handler.observer = { event in
                        switch event {
                        case .secured: opened.succeed(TLSTransport(channel, handler, tls))
                        case .receivedFirstBytes: break
                        case .ended: opened.fail(ChannelError.eof)
                        }
                    }
                    try channel.pipeline.syncOperations.addHandlers(tls, handler)
                }
            }
            .connect(host: host, port: Int(port))
        connecting.cascadeFailure(to: opened)
        opened.futureResult.whenFailure { _ in
            timeout.cancel()
            connecting.whenSuccess { $0.close(promise: nil) }
        }
        opened.futureResult.whenSuccess { _ in timeout.cancel() }
        return try await withTaskCancellationHandler {
            try await opened.futureResult.get()
        } onCancel: {
            opened.fail(CancellationError())
        }
    }

    private init(_ channel: any Channel, _ handler: ByteChannelHandler, _ tls: NIOSSLClientHandler) {
        bytes = ByteChannel(channel, handler)
        let (local, receiver) = (channel.localAddress?.ipAddress, channel.remoteAddress?.ipAddress)
        hosts = local.flatMap { local in receiver.map { (local, $0) } }
        certificate = (try? tls.peerCertificate?.toDERBytes()) ?? []
    }

    private static func reason(_ error: any Error, within limit: Duration) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error, within: limit) } ?? "the host name is unknown"
        case ChannelError.connectTimeout: "no answer within \(limit)"
        case is NIOSSLError, ChannelError.eof: "there is no TLS on this port"
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        default: "\(error)"
        }
    }

    package func receive() async -> [UInt8]? { await bytes.receive() }

    package func send(_ content: [UInt8]) async throws {
        try await bytes.channel.writeAndFlush(ByteBuffer(bytes: content)).get()
    }

    package func close() { bytes.close() }
}
