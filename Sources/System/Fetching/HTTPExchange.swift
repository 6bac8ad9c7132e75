internal import AsyncPrimitives
internal import HAPCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// One GET request over HTTP 1.1, on a connection of its own to an address that was checked.
///
/// A whole HTTP client would cost each process of `hap` most of a megabyte, also without any request.
struct HTTPExchange: Sendable {
    struct Response: Sendable {
        let status: Int
        let headers: HTTPHeaders
        /// Empty unless the status is 200.
        let body: [UInt8]
    }

    let location: DocumentLocation
    let address: IPAddress
    let headers: HTTPHeaders
    let maximumBytes: Int
    /// Returns why the body of an answer with the status 200 is not wanted.
    let refusal: @Sendable (HTTPHeaders) -> FetchError?

    /// Sends the request, and returns the answer.
    ///
    /// Cancellation closes the connection.
    func perform(tls: TLSConfiguration, connectLimit: Duration) async throws -> Response {
        // Certificates of the system are read from files.
        let context =
            try location.isSecure
            ? await Task(executorPreference: globalConcurrentExecutor) { try NIOSSLContext(configuration: tls) }.value
            : nil
        let answer = OneShot<Result<Response, any Error>>()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(connectLimit))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        // Without a name, the address is compared with the certificate.
                        let name = location.address == nil ? location.host : nil
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
                    }
                    try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
                    try pipeline.addHandler(ResponseHandler(self) { answer.set($0) })
                }
            }
            .connect(host: address.text, port: location.port).get()
        let result = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            channel.close(promise: nil)
        }
        channel.close(promise: nil)
        try Task.checkCancellation()
        return try result.get()
    }

    fileprivate var requestHead: HTTPRequestHead {
        var headers = headers
        headers.replaceOrAdd(name: "host", value: location.authority)
        headers.replaceOrAdd(name: "connection", value: "close")
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: location.target, headers: headers)
    }
}

/// Sends the request when the connection is open, and collects the answer.
private final class ResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let exchange: HTTPExchange
    private let finish: (Result<HTTPExchange.Response, any Error>) -> Void
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ exchange: HTTPExchange, _ finish: @escaping (Result<HTTPExchange.Response, any Error>) -> Void) {
        (self.exchange, self.finish) = (exchange, finish)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(exchange.requestHead)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // Informational responses precede the final one. After 101, another protocol follows.
        case .head(let head) where head.status.code >= 200 || head.status.code == 101: receive(head, context)
        case .body(let part) where head != nil:
            guard body.count + part.readableBytes <= exchange.maximumBytes else {
                return end(.failure(FetchError.tooLarge(limit: exchange.maximumBytes)), context)
            }
            body += part.readableBytesView
        case .end:
            guard let head else { return }
            let status = Int(head.status.code)
            end(.success(.init(status: status, headers: head.headers, body: body)), context)
        case .head, .body: break
        }
    }

    private func receive(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        guard head.status.code == 200 else {
            // The body of another answer is not read.
            return end(.success(.init(status: Int(head.status.code), headers: head.headers, body: [])), context)
        }
        if let refusal = exchange.refusal(head.headers) { return end(.failure(refusal), context) }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }),
            length > exchange.maximumBytes
        {
            return end(.failure(FetchError.tooLarge(limit: exchange.maximumBytes)), context)
        }
        self.head = head
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.failure(error), context) }

    func channelInactive(context: ChannelHandlerContext) {
        // After an answer, this has no effect.
        finish(.failure(FetchError.unreachable("the connection has ended")))
        context.fireChannelInactive()
    }

    private func end(_ result: Result<HTTPExchange.Response, any Error>, _ context: ChannelHandlerContext) {
        finish(result)
        context.close(promise: nil)
    }
}
