import HAPController
import HAPCore
import NIOCore
import NIOPosix
import Testing

@Suite("A request without encryption")
struct ConnectorTests {
    private static let request = HTTPRequest(.get, .accessories)

    /// Starts a listener that closes each new connection, or sends it bytes at once without waiting for a request.
    private static func listen(_ greeting: String?) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(GreetingHandler(greeting: greeting))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    private static func endpoint(of channel: any Channel) throws -> AccessoryEndpoint {
        AccessoryEndpoint(host: "127.0.0.1", port: UInt16(clamping: try #require(channel.localAddress?.port)))
    }

    @Test(
        "A request returns the response or the error, even if the peer sends first",
        arguments: [
            ("HTTP/1.1 470 \r\nContent-Length: 0\r\n\r\n", 470, nil),
            ("SSH-2.0-OpenSSH_9.2\r\n\r\n", nil, "http"),
            ("EVENT/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", nil, "sequence"),
            (nil, nil, "closed"),
        ] as [(String?, Int?, String?)]
    )
    func requestReturnsTheResponseOrTheError(greeting: String?, status: Int?, fault: String?) async throws {
        let listener = try await Self.listen(greeting)
        let response = try await Connector.sendUnencrypted(
            Self.request,
            at: Self.endpoint(of: listener),
            within: .seconds(60)
        )
        switch response {
        case .success(let message):
            #expect(message.status == status)
        case .failure(let error):
            switch error.code {
            case .malformed(let error): #expect(error.code.rawValue == fault)
            case .connectionLost: #expect(fault == "closed")
            default: Issue.record("\(error)")
            }
        }
        try await listener.close()
    }

    @Test("A refused connection and an unknown host are different errors")
    func refusedConnectionDiffersFromUnknownHost() async throws {
        let listener = try await Self.listen(nil)
        let endpoint = try Self.endpoint(of: listener)
        try await listener.close()
        let refusal = await #expect(throws: ConnectFailure.self) {
            try await Connector.sendUnencrypted(Self.request, at: endpoint, within: .seconds(60))
        }
        #expect(refusal?.isRefusal == true)
        // A label of a host name has at most 63 characters, so no name server is queried.
        let name = AccessoryEndpoint(host: String(repeating: "a", count: 64) + ".invalid", port: 1)
        await #expect(throws: ConnectFailure.unknownName) {
            try await Connector.sendUnencrypted(Self.request, at: name, within: .seconds(60))
        }
    }
}

/// A handler that sends bytes as soon as it is connected, or closes the connection.
private final class GreetingHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: String?

    init(greeting: String?) {
        self.greeting = greeting
    }

    func channelActive(context: ChannelHandlerContext) {
        if let greeting {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: greeting)), promise: nil)
        } else {
            context.close(promise: nil)
        }
    }
}
