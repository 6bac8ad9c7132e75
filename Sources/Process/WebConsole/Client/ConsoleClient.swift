internal import AsyncPrimitives
package import HAPCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A client of the API of a process on this machine, over the Unix socket in its state folder.
package struct ConsoleClient: Sendable {
    /// The maximum number of bytes of a response that is not a stream.
    private static let maximumBody = 64 << 20
    /// The maximum number of bytes of an event: that of a message with the longest body, which is shortened.
    private static let maximumEvent = 4 << 20

    private let path: String
    private let checkInterval: Duration
    private let checkTime: Duration

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - checkInterval: The interval at which the process is asked whether it still runs, while a request has no
    ///     response. A request itself may take any time.
    ///   - checkTime: The time that the process has to answer that.
    package init(
        socket path: String,
        checkInterval: Duration = .seconds(3),
        checkTime: Duration = .seconds(3)
    ) {
        self.path = path
        self.checkInterval = checkInterval
        self.checkTime = checkTime
    }

    /// An error that prevented a response.
    package enum Failure: Error, Sendable {
        /// No process listens on the socket, or the process that does has stopped answering.
        case notRunning
        /// The connection ended before the response was complete.
        case interrupted
        /// The process sent a response or an event that is larger than a client accepts.
        case tooLarge
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
        guard let limit else { return try await send(method, path, body, isWatched: true) }
        let result: Result<Response, Failure>? = await withTimeLimit(limit) {
            await Result { () async throws(Failure) in try await send(method, path, body, isWatched: false) }
        }
        guard let result else { throw .notRunning }
        return try result.get()
    }

    private func send(
        _ method: String,
        _ path: String,
        _ body: [UInt8]?,
        isWatched: Bool
    ) async throws(Failure) -> Response {
        var bytes: [UInt8] = []
        let status = try await exchange(method, path, body, isWatched: isWatched) { part throws(Failure) in
            guard bytes.count + part.count <= Self.maximumBody else { throw .tooLarge }
            bytes += part
            return true
        }
        return Response(status: status, body: bytes)
    }

    /// Follows the events of the process until it ends, or until the reader wants no more.
    ///
    /// - Parameters:
    ///   - path: The path with its query.
    ///   - read: Receives the data of each event, which is a JSON object, and returns whether to continue.
    package func follow(_ path: String, read: (_ data: String) -> Bool) async throws(Failure) {
        var events = ServerSentEvents(maximumSize: Self.maximumEvent)
        _ = try await exchange("GET", path, nil, isWatched: true) { part throws(Failure) in
            guard let data = events.append(part) else { throw .tooLarge }
            return data.allSatisfy(read)
        }
    }

    /// Makes a request on a connection of its own.
    ///
    /// - Parameters:
    ///   - isWatched: Whether a process that stops answering counts as not running.
    ///   - receive: Receives the parts of the body, and returns whether to continue.
    /// - Returns: The status.
    private func exchange(
        _ method: String,
        _ path: String,
        _ body: [UInt8]?,
        isWatched: Bool,
        receive: ([UInt8]) throws(Failure) -> Bool
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
        let silence = OneShot<Void>()
        // Ends with this function.
        async let _: Void = isWatched ? closeWhenSilent(channel.channel, silence) : ()
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
                    case .body(let buffer): guard try receive(Array(buffer.readableBytesView)) else { return status }
                    case .end: return status
                    }
                }
                throw Failure.interrupted
            }
        } catch {
            throw silence.isSet ? .notRunning : error as? Failure ?? .interrupted
        }
    }

    /// Closes a connection when the process does not answer in time whether it runs.
    private func closeWhenSilent(_ channel: any Channel, _ silence: OneShot<Void>) async {
        while (try? await Task.sleep(for: checkInterval)) != nil {
            guard await !answersCheck(), !Task.isCancelled else { continue }
            silence.set()
            channel.close(promise: nil)
            return
        }
    }

    /// Returns whether the process answers in time that it runs.
    ///
    /// A refusal is an answer: a process that is shutting down still responds to pending requests, and the connection to
    /// one that has ended is closed.
    private func answersCheck() async -> Bool {
        let answer: Void? = await withTimeLimit(checkTime) {
            _ = try? await send("GET", "/healthz", nil, isWatched: false)
        }
        return answer != nil
    }
}

/// The data of server-sent events, which arrive in parts.
struct ServerSentEvents {
    private static let end: [UInt8] = [0x0A, 0x0A]

    private let maximumSize: Int
    private var buffer: [UInt8] = []
    /// The number of bytes before which no event ends.
    private var searched = 0

    /// - Parameter maximumSize: The maximum number of bytes of an event.
    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// Adds received bytes, and returns the data of the events that are complete now.
    ///
    /// Returns `nil` if an event is too large.
    mutating func append(_ part: [UInt8]) -> [String]? {
        buffer += part
        var data: [String] = []
        var begin = 0
        while let end = buffer[max(begin, searched)...].firstRange(of: Self.end) {
            let lines = buffer[begin..<end.lowerBound].split(separator: 0x0A)
            for line in lines where line.starts(with: Array("data: ".utf8)) {
                data.append(String(decoding: line.dropFirst(6), as: UTF8.self))
            }
            begin = end.upperBound
        }
        buffer.removeFirst(begin)
        // The first half of the end may have arrived.
        searched = max(0, buffer.count - 1)
        return buffer.count <= maximumSize ? data : nil
    }
}
