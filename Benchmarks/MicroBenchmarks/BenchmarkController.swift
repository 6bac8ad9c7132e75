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
            // A stranger waits for its turn beside sessions.
            loop.embedded.advanceTime(by: .seconds(1))
            loop.endTurn()
            guard let keys = try handshake.advance() else { continue }
            (channel, network) = (handshake.channel, handshake.network)
            sealer = keys.takeSealer()
            opener = keys.takeOpener()
            return
        }
    }

    /// A request as it travels; to be delivered in the order in which they were sealed.
    func sealed(_ request: HTTPRequest) -> ByteBuffer {
        let message = request.bytes
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: FrameSealer.sealedSize(of: message.count)) { target in
            message.withUnsafeBytes { sealer.seal($0, into: target) }
        }
        return buffer
    }

    /// Lets bytes arrive, as one read from the socket does.
    func deliver(_ bytes: ByteBuffer) {
        channel.pipeline.fireChannelRead(bytes)
        channel.pipeline.fireChannelReadComplete()
        loop.endTurn()
    }

    /// What was sent to this controller since the last call, opened.
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

    /// Begins or ends to keep what is sent to this controller.
    var recordsSentBytes: Bool {
        get { network.recordsSentBytes }
        set { network.recordsSentBytes = newValue }
    }
}
