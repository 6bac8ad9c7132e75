import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import TestSupport

/// A pair-verify on a connection without a socket.
///
/// It runs in steps, so that only the steps of the server are counted.
final class BenchmarkHandshake {
    let channel: EmbeddedChannel
    let network = BenchmarkNetwork()
    private let server: AccessoryServer
    private let loop: BenchmarkLoop
    private var machine: PairVerifyController
    private var message = ByteBuffer()

    /// Composes M1.
    init(with server: AccessoryServer, on loop: BenchmarkLoop) throws {
        self.server = server
        self.loop = loop
        channel = EmbeddedChannel(handlers: [network], loop: loop.embedded)
        machine = PairVerifyController(identity: Fixture.controller, accessory: Fixture.accessoryPairing)
        guard case .send(let body) = machine.start(ephemeral: .random()) else {
            throw BenchmarkFailure("pair-verify does not begin with a message")
        }
        message = Self.request(body)
    }

    /// Performs the server's part: accepts the connection.
    func connect() throws {
        try server.accept(channel)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    /// Performs the server's part: answers the message.
    func deliver() {
        channel.pipeline.fireChannelRead(message)
        channel.pipeline.fireChannelReadComplete()
        loop.endTurn()
    }

    /// Performs the controller's part: checks the response, and creates the next message; returns the session keys if
    /// there is no next message.
    func advance() throws -> SessionKeys? {
        switch machine.receive(try readResponse().body) {
        case .send(let body):
            message = Self.request(body)
            return nil
        case .finished(let keys): return keys
        case .failed(let failure): throw failure
        }
    }

    /// Performs the server's part: closes the connection.
    func close() {
        channel.close(promise: nil)
        loop.embedded.run()
        loop.endTurn()
    }

    private static func request(_ body: [UInt8]) -> ByteBuffer {
        ByteBuffer(bytes: HTTPRequest(.post, .pairVerify, body: body).bytes)
    }

    private func readResponse() throws -> HTTPMessage {
        var decoder = HTTPResponseDecoder()
        network.takeSent().withUnsafeBytes { decoder.append($0) }
        guard let message = try decoder.next(), message.status == 200 else {
            throw BenchmarkFailure("pair-verify was not answered")
        }
        return message
    }
}
