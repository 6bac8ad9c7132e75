import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import TestSupport

/// A controller with a session on a connection without a socket.
final class BenchmarkController {
    private let loop: BenchmarkLoop
    private let channel: EmbeddedChannel
    private let network = BenchmarkNetwork()
    private var sealer: FrameSealer?
    private var opener: FrameOpener?

    /// Connects to a server and verifies.
    init(connectedTo server: AccessoryServer, on loop: BenchmarkLoop) throws {
        self.loop = loop
        channel = EmbeddedChannel(handlers: [network], loop: loop.embedded)
        try server.take(channel)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var machine = PairVerifyController(identity: Fixture.controller, accessory: Fixture.accessoryPairing)
        var action = machine.start(ephemeral: .random())
        while true {
            switch action {
            case .send(let message):
                deliver(HTTPRequest(.post, .pairVerify, body: message).bytes)
                action = machine.receive(try response(from: network.takeSent()).body)
            case .finished(let keys):
                sealer = keys.takeSealer()
                opener = keys.takeOpener()
                return
            case .failed(let failure):
                throw failure
            }
        }
    }

    /// A request as it travels; to be delivered in the order in which they were sealed.
    func sealed(_ request: HTTPRequest) -> ByteBuffer {
        let message = request.bytes
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: FrameSealer.sealedSize(of: message.count)) { target in
            message.withUnsafeBytes { sealer?.seal($0, into: target) ?? 0 }
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
                try plaintext.withUnsafeMutableBytes { try opener?.open(input, into: $0) }
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
    var keepsSent: Bool {
        get { network.keepsSent }
        set { network.keepsSent = newValue }
    }

    /// Lets a message in clear arrive, and the time pass that a stranger waits for its turn beside sessions.
    private func deliver(_ message: [UInt8]) {
        deliver(ByteBuffer(bytes: message))
        loop.embedded.advanceTime(by: .seconds(1))
        loop.endTurn()
    }

    private func response(from bytes: [UInt8]) throws -> HTTPMessage {
        var decoder = HTTPResponseDecoder()
        bytes.withUnsafeBytes { decoder.append($0) }
        guard let message = try decoder.next(), message.status == 200 else {
            throw BenchmarkFailure("pair-verify was not answered")
        }
        return message
    }
}

extension HTTPRequest {
    /// The request as it travels, before it is sealed.
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, host: "127.0.0.1")
        return bytes
    }
}
