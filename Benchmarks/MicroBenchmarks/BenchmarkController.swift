import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import TestSupport

/// A controller with a session on a connection without a socket.
final class BenchmarkController {
    private let loop: BenchmarkLoop
    private let channel: EmbeddedChannel
    private let network: BenchmarkNetwork
    private var sealer: FrameSealer
    private var opener: FrameOpener

    /// Connects to a server and verifies.
    init(connectedTo server: AccessoryServer, on loop: BenchmarkLoop) throws {
        self.loop = loop
        let handshake = try BenchmarkHandshake(with: server, on: loop)
        try handshake.connect()
        while true {
            handshake.deliver()
            // An unverified connection waits until sessions have had their turn.
            loop.embedded.advanceTime(by: .seconds(1))
            loop.endTurn()
            guard let keys = try handshake.advance() else { continue }
            (channel, network) = (handshake.channel, handshake.network)
            sealer = keys.takeSealer()
            opener = keys.takeOpener()
            return
        }
    }

    /// Returns the bytes of an encrypted request; requests must be delivered in this order.
    func sealed(_ request: HTTPRequest) -> ByteBuffer {
        let message = request.bytes
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: FrameSealer.sealedSize(of: message.count)) { target in
            message.withUnsafeBytes { sealer.seal($0, into: target) }
        }
        return buffer
    }

    /// Delivers bytes, like a single read from a socket.
    func deliver(_ bytes: ByteBuffer) {
        channel.pipeline.fireChannelRead(bytes)
        channel.pipeline.fireChannelReadComplete()
        loop.endTurn()
    }

    /// Returns the messages that the server has sent to this controller since the last call, decrypted.
    func takeMessages() throws -> [HTTPMessage] {
        var plaintext = [UInt8](repeating: 0, count: FrameFormat.maximumPlaintext)
        var decoder = HTTPResponseDecoder()
        var sealed = network.takeSent()[...]
        while !sealed.isEmpty {
            let step = try sealed.withUnsafeBytes { input in
                try plaintext.withUnsafeMutableBytes { try opener.open(input, into: $0) }
            }
            guard case .frame(let consumed, let count) = step else { break }
            sealed.removeFirst(consumed)
            plaintext.prefix(count).withUnsafeBytes { decoder.append($0) }
        }
        var messages: [HTTPMessage] = []
        while let message = try decoder.next() {
            messages.append(message)
        }
        return messages
    }

    /// Whether the bytes that the server sends to this controller are recorded.
    var recordsSentBytes: Bool {
        get { network.recordsSentBytes }
        set { network.recordsSentBytes = newValue }
    }
}
