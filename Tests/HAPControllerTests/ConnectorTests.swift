import HAPController
import HAPCore
import NIOCore
import NIOPosix
import Testing

@Suite("One request in clear")
struct ConnectorTests {
    private static let request = HTTPRequest(.get, .accessories)

    /// Closes a new connection, or sends it bytes at once without a request.
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
        "is answered by what the other side says, even before it was asked",
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

    @Test("tells a port without a listener from a name without an address")
    func refusedConnectionDiffersFromUnknownHost() async throws {
        let listener = try await Self.listen(nil)
        let endpoint = try Self.endpoint(of: listener)
        try await listener.close()
        let refusal = await #expect(throws: ConnectFailure.self) {
            try await Connector.sendUnencrypted(Self.request, at: endpoint, within: .seconds(60))
        }
        #expect(refusal?.isRefusal == true)
        // No label of a name is longer than 63 characters, so that no server is asked.
        let name = AccessoryEndpoint(host: String(repeating: "a", count: 64) + ".invalid", port: 1)
        await #expect(throws: ConnectFailure.unknownName) {
            try await Connector.sendUnencrypted(Self.request, at: name, within: .seconds(60))
        }
    }
}

/// Sends bytes when it is connected, or closes the connection.
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
