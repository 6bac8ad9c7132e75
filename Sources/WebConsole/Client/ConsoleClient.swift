internal import AsyncPrimitives
package import HAPCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A client of the API of a process on this machine, over the Unix socket in its state folder.
package struct ConsoleClient: Sendable {
    /// The maximum number of bytes of a response that is not a stream.
    private static let maximumBody = 64 << 20

    private let path: String

    /// Creates a client.
    ///
    /// - Parameter path: The path of the socket.
    package init(socket path: String) {
        self.path = path
    }

    /// An error that prevented a response.
    package enum Failure: Error, Sendable {
        /// No process listens on the socket.
        case notRunning
        /// The connection ended before the response was complete.
        case interrupted
    }

    /// The response of the process.
    package struct Response: Sendable {
        package let status: Int
        package let body: [UInt8]

        /// Whether the request succeeded.
        package var isSuccess: Bool { 200..<300 ~= status }
        /// The body as JSON; null if it is not JSON.
        package var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    }

    /// Sends a request, and returns the response.
    ///
    /// - Parameters:
    ///   - limit: The time after which a process that does not answer counts as not running; `nil` for none.
    ///   - method: The method, such as `GET`.
    ///   - path: The path with its query, percent-encoded.
    ///   - body: A JSON body.
    package func send(
        _ method: String,
        _ path: String,
        body: [UInt8]? = nil,
        within limit: Duration? = nil
    ) async throws(Failure) -> Response {
        guard let limit else { return try await send(method, path, body) }
        let result = await withTaskGroup(of: Result<Response, Failure>.self) { group in
            group.addTask {
                await Result { () async throws(Failure) in try await send(method, path, body) }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return .failure(.notRunning)
            }
            let first = await group.next() ?? .failure(.interrupted)
            group.cancelAll()
            return first
        }
        return try result.get()
    }

    private func send(_ method: String, _ path: String, _ body: [UInt8]?) async throws(Failure) -> Response {
        var bytes: [UInt8] = []
        var isTooLarge = false
        let status = try await exchange(method, path, body) { part in
            isTooLarge = bytes.count + part.count > Self.maximumBody
            bytes += isTooLarge ? [] : part
            return !isTooLarge
        }
        guard !isTooLarge else { throw .interrupted }
        return Response(status: status, body: bytes)
    }

    /// Follows the events of the process until it ends, or until the reader wants no more.
    ///
    /// - Parameters:
    ///   - path: The path with its query.
    ///   - read: Receives the data of each event, which is a JSON object, and returns whether to continue.
    package func follow(_ path: String, read: (_ data: String) -> Bool) async throws(Failure) {
        var buffer: [UInt8] = []
        _ = try await exchange("GET", path, nil) { part in
            buffer += part
            while let end = buffer.firstRange(of: [0x0A, 0x0A]) {
                let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
                buffer.removeFirst(end.upperBound)
                for line in lines where line.hasPrefix("data: ") {
                    guard read(String(line.dropFirst(6))) else { return false }
                }
            }
            return true
        }
    }

    /// Makes a request on a connection of its own.
    ///
    /// - Parameter receive: Receives the parts of the body, and returns whether to continue.
    /// - Returns: The status.
    private func exchange(
        _ method: String,
        _ path: String,
        _ body: [UInt8]?,
        receive: ([UInt8]) -> Bool
    ) async throws(Failure) -> Int {
        let channel: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: self.path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw .notRunning
        }
        do {
            return try await channel.executeThenClose { inbound, outbound in
                var headers = HTTPHeaders([("Host", "localhost"), ("Connection", "close")])
                if let body {
                    headers.add(name: "Content-Type", value: "application/json")
                    headers.add(name: "Content-Length", value: String(body.count))
                }
                let head = HTTPRequestHead(version: .http1_1, method: .RAW(value: method), uri: path, headers: headers)
                // All parts in one write: the process may answer and close before the next one, which would then fail.
                let content = body.map { HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0))) }
                try await outbound.write(contentsOf: [.head(head)] + (content.map { [$0] } ?? []) + [.end(nil)])
                var status = 0
                for try await part in inbound {
                    switch part {
                    case .head(let head): status = Int(head.status.code)
                    case .body(let buffer): guard receive(Array(buffer.readableBytesView)) else { return status }
                    case .end: return status
                    }
                }
                throw Failure.interrupted
            }
        } catch {
            throw .interrupted
        }
    }
}
