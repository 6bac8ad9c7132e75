internal import AsyncPrimitives
internal import ByteChannels
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// An address on which a driver listens, or to which it connects.
package struct DriverEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host; that of loopback unless the definition names another one.
    package let host: String
    /// The port; 0 for any.
    package let port: UInt16
    /// The root of the certificates that it shows to peers, as PEM; `nil` for none.
    package let certificate: String?
    /// The PIN that peers need when the driver starts; `nil` for none.
    package let pin: String?

    package init(host: String = "127.0.0.1", port: UInt16, certificate: String? = nil, pin: String? = nil) {
        (self.host, self.port, self.certificate, self.pin) = (host, port, certificate, pin)
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
    /// The certificate that the peer has got from this side, as DER; `nil` for none.
    package let certificate: [UInt8]?
    private let bytes: ByteChannel
    private let limits: ListenerLimits
    /// The number of bytes that the system has not taken yet.
    private let unsent = Mutex(0)

    /// Creates a connection on the event loop of its channel, which is open.
    init(
        _ channel: any Channel,
        _ handler: ByteChannelHandler,
        _ limits: ListenerLimits,
        certificate: [UInt8]? = nil
    ) {
        peerHost = channel.remoteAddress?.ipAddress ?? ""
        self.certificate = certificate
        bytes = ByteChannel(channel, handler)
        self.limits = limits
    }

    /// Returns the next bytes, or `nil` at the end; call it by one task at a time.
    ///
    /// Cancellation ends the connection.
    package func receive() async -> [UInt8]? {
        await bytes.receive()
    }

    /// Sends bytes, and returns when the system has taken them.
    ///
    /// A peer that does not read is disconnected: if more than ``ListenerLimits/unsentBytes`` wait, and if the system
    /// has not taken the bytes within ``ListenerLimits/sendTime``. A message that is longer can be sent if no other one
    /// waits.
    ///
    /// - Throws: An error if the connection ends first.
    package func send(_ content: [UInt8]) async throws {
        let channel = bytes.channel
        let isAccepted = unsent.withLock { unsent in
            guard unsent == 0 || unsent + content.count <= limits.unsentBytes else { return false }
            unsent += content.count
            return true
        }
        guard isAccepted else {
            close()
            throw DriverConnectionError.peerDoesNotRead
        }
        let (count, result) = (content.count, channel.eventLoop.makePromise(of: Void.self))
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(limits.sendTime)) { [self] in
            result.fail(DriverConnectionError.peerDoesNotRead)
            close()
        }
        channel.writeAndFlush(ByteBuffer(bytes: content))
            .whenComplete { [self] outcome in
                timeout.cancel()
                unsent.withLock { $0 -= count }
                result.completeWith(outcome)
            }
        try await result.futureResult.get()
    }

    /// Ends the connection; with TLS, a peer that does not confirm the end is disconnected after a second.
    package func close() {
        bytes.close()
    }

    /// Connects to a peer.
    static func connect(to endpoint: DriverEndpoint, for run: DriverRun) async throws -> DriverConnection {
        let result = OneShot<DriverConnection>()
        let channel = try await ClientBootstrap(group: ServiceThread.group)
            .channelOption(.autoRead, value: false)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ByteChannelHandler { channel, handler in
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

extension SocketAddress {
    /// Returns whether the other address has the same host, whatever its port.
    fileprivate func hasSameHost(as other: SocketAddress) -> Bool { ipAddress == other.ipAddress }
}
