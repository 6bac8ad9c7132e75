internal import NIOCore
package import NIOHTTP1
internal import NIOPosix
package import NIOSSL
internal import Synchronization

/// An HTTP server in this process, on a free port of a loopback address.
package final class TestHTTPServer: Sendable {
    /// What the server sends.
    package struct Reply: Sendable {
        let status: Int
        let headers: [(String, String)]
        let body: [UInt8]
        let length: Int?
        let staysOpen: Bool

        /// Creates a reply.
        ///
        /// - Parameters:
        ///   - type: The header `Content-Type`; `nil` for none.
        ///   - length: The header `Content-Length`; `nil` sends chunks.
        ///   - staysOpen: Whether the connection remains, and nothing follows.
        package init(
            _ status: Int = 200,
            _ headers: [(String, String)] = [],
            type: String? = nil,
            body: [UInt8] = [],
            length: Int?,
            staysOpen: Bool = false
        ) {
            self.status = status
            self.headers = headers + (type.map { [("Content-Type", $0)] } ?? [])
            self.body = body
            self.length = length
            self.staysOpen = staysOpen
        }

        /// Returns a complete document.
        package static func document(_ body: [UInt8], type: String? = nil, _ headers: [(String, String)] = []) -> Reply
        {
            Reply(200, headers, type: type, body: body, length: body.count)
        }

        /// Returns a redirect.
        package static func redirect(to url: String) -> Reply {
            Reply(302, [("Location", url)], length: 0)
        }

        /// Returns a reply without a body.
        package static func status(_ status: Int, _ headers: (String, String)...) -> Reply {
            Reply(status, headers, length: status == 304 ? nil : 0)
        }
    }

    /// Returns the answer to the request with a number, from 1 on; `nil` for none.
    package typealias Answer = @Sendable (_ request: HTTPRequestHead, _ number: Int) async -> Reply?

    /// The port of the server.
    package let port: Int
    private let channel: any Channel
    private let log: Log

    private final class Log: Sendable {
        let requests = Mutex<[HTTPRequestHead]>([])

        func add(_ request: HTTPRequestHead) -> Int {
            requests.withLock {
                $0.append(request)
                return $0.count
            }
        }
    }

    /// All requests so far.
    package var requests: [HTTPRequestHead] { log.requests.withLock { $0 } }
    /// The values of a header in all requests; `nil` where there is none.
    package func values(of header: String) -> [String?] { requests.map { $0.headers.first(name: header) } }

    /// Serves while `body` runs.
    package static func run(
        on host: String = "127.0.0.1",
        tls: NIOSSLContext? = nil,
        _ answer: @escaping Answer,
        body: (TestHTTPServer) async throws -> Void
    ) async throws {
        let log = Log()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(log: log, answer: answer))
                }
            }
            .bind(host: host, port: 0).get()
        let server = TestHTTPServer(port: channel.localAddress?.port ?? 0, channel: channel, log: log)
        do {
            try await body(server)
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }

    private init(port: Int, channel: any Channel, log: Log) {
        (self.port, self.channel, self.log) = (port, channel, log)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: Log
        private let answer: Answer

        init(log: Log, answer: @escaping Answer) { (self.log, self.answer) = (log, answer) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data) else { return }
            let number = log.add(request)
            let channel = context.channel
            channel.eventLoop.makeFutureWithTask { [answer] in await answer(request, number) }
                .whenSuccess { if let reply = $0 { Self.send(reply, to: channel) } }
        }

        private static func send(_ reply: Reply, to channel: any Channel) {
            var headers = HTTPHeaders(reply.headers)
            if let length = reply.length { headers.add(name: "Content-Length", value: "\(length)") }
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: reply.status), headers: headers)
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            let isComplete = reply.length.map { $0 == reply.body.count } ?? true
            let written = channel.writeAndFlush(
                HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: reply.body)))
            )
            if reply.staysOpen { return }
            if isComplete { channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil) }
            written.whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
