internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// Serves one local file to one receiver over HTTP, until it is closed.
///
/// The path of its address cannot be guessed, and other hosts than the receiver are disconnected.
public final class CastFileServer: Sendable {
    /// The address of the file, which is the content id of a media information.
    public let url: String
    /// The media type by the extension of the file's name, such as `video/mp4`.
    public let contentType: String
    private let channel: any Channel
    private let connections: OpenConnections

    private init(url: String, contentType: String, _ channel: any Channel, _ connections: OpenConnections) {
        (self.url, self.contentType) = (url, contentType)
        (self.channel, self.connections) = (channel, connections)
    }

    deinit { close() }

    /// The time without a byte in any direction after which a connection is closed.
    private static let idleTime = TimeAmount.seconds(60)

    /// Serves a file to the receiver of a session.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - contentType: The media type; `nil` for that of the name.
    ///   - session: A session that is connected.
    /// - Throws: ``CastSenderError/notConnected``, or ``CastSenderError/invalidArgument(_:)`` if the file cannot be read.
    public static func serve(
        _ path: String,
        as contentType: String? = nil,
        to session: CastSession
    ) async throws(CastSenderError) -> CastFileServer {
        guard let hosts = await session.hosts else { throw .notConnected }
        return try await serve(path, as: contentType, between: hosts)
    }

    /// Checks that a file can be served.
    ///
    /// - Throws: ``CastSenderError/invalidArgument(_:)`` if it cannot be read.
    public static func check(_ path: String) throws(CastSenderError) { _ = try ServedMedia(path: path, type: nil) }

    /// - Parameter hosts: The addresses of this machine and of the receiver.
    static func serve(
        _ path: String,
        as contentType: String? = nil,
        between hosts: (local: String, receiver: String)
    ) async throws(CastSenderError) -> CastFileServer {
        let file = try ServedMedia(path: path, type: contentType)
        do {
            return try await serve(file, between: hosts)
        } catch {
            throw .unreachable("no port can be opened at \(hosts.local)")
        }
    }

    private static func serve(
        _ file: ServedMedia,
        between hosts: (local: String, receiver: String)
    ) async throws -> CastFileServer {
        let secret = (0..<16).map { _ in UInt8.random(in: .min ... .max).paddedHexadecimal }.joined()
        let connections = OpenConnections()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                guard channel.remoteAddress?.ipAddress == hosts.receiver, connections.add(channel) else {
                    return channel.close()
                }
                return channel.pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    .flatMapThrowing {
                        let handler = MediaHandler(file, path: "/\(secret)")
                        try channel.pipeline.syncOperations.addHandlers(IdleStateHandler(allTimeout: idleTime), handler)
                    }
            }
            .bind(host: hosts.local, port: 0).get()
        let host = hosts.local.contains(":") ? "[\(hosts.local)]" : hosts.local
        return CastFileServer(
            url: "http://\(host):\(channel.localAddress?.port ?? 0)/\(secret)",
            contentType: file.type,
            channel,
            connections
        )
    }

    /// Ends the service and its connections.
    public func close() {
        channel.close(promise: nil)
        connections.close()
    }
}

/// The connections of a server, of which there are a few.
private final class OpenConnections: Sendable {
    private static let maximumCount = 16
    private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

    /// Adds a connection; returns `false` if there are too many, or if the server is closed.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdded = channels.withLock { channels in
            guard let count = channels?.count, count < Self.maximumCount else { return false }
            channels?[id] = channel
            return true
        }
        if isAdded { channel.closeFuture.whenComplete { [weak self] _ in self?.remove(id) } }
        return isAdded
    }

    private func remove(_ id: ObjectIdentifier) { channels.withLock { _ = $0?.removeValue(forKey: id) } }

    func close() {
        let open = channels.withLock { channels in
            defer { channels = nil }
            return channels?.values.map { $0 } ?? []
        }
        for channel in open { channel.close(promise: nil) }
    }
}

/// A file that is open.
private final class ServedMedia: Sendable {
    let handle: NIOFileHandle
    let size: Int
    let type: String

    init(path: String, type: String?) throws(CastSenderError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .invalidArgument("\(path) cannot be read: \(String(cString: strerror(errno)).lowercased())")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .invalidArgument("\(path) is not a file")
        }
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        size = Int(status.st_size)
        self.type = type ?? MediaInformation.contentType(of: path) ?? "application/octet-stream"
    }

    deinit { try? handle.close() }
}

/// Answers the requests of one connection.
private final class MediaHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let file: ServedMedia
    private let path: String

    init(_ file: ServedMedia, path: String) { (self.file, self.path) = (file, path) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        var response = HTTPResponseHead(version: .http1_1, status: .ok)
        response.headers.add(name: "Content-Type", value: file.type)
        response.headers.add(name: "Accept-Ranges", value: "bytes")
        // Receivers fetch media from pages of Google.
        response.headers.add(name: "Access-Control-Allow-Origin", value: "*")
        var range = 0..<file.size
        if request.uri != path {
            (response.status, range) = (.notFound, 0..<0)
        } else if request.method != .GET && request.method != .HEAD {
            (response.status, range) = (.methodNotAllowed, 0..<0)
        } else if let text = request.headers.first(name: "Range") {
            switch ByteRange(text, size: file.size) {
            case .whole: break
            case .part(let wanted):
                (response.status, range) = (.partialContent, wanted)
                let value = "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(file.size)"
                response.headers.add(name: "Content-Range", value: value)
            case .outside:
                (response.status, range) = (.rangeNotSatisfiable, 0..<0)
                response.headers.add(name: "Content-Range", value: "bytes */\(file.size)")
            }
        }
        response.headers.add(name: "Content-Length", value: "\(range.count)")
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        send(request.method == .HEAD ? 0..<0 : range, context)
    }

    /// Sends a part of the file, as fast as the receiver reads it.
    private func send(_ range: Range<Int>, _ context: ChannelHandlerContext) {
        let (channel, loop) = (context.channel, context.eventLoop)
        let count = NIOLoopBoundBox(0, eventLoop: loop)
        NonBlockingFileIO(threadPool: .singleton)
            .readChunked(
                fileHandle: file.handle,
                fromOffset: Int64(range.lowerBound),
                byteCount: range.count,
                allocator: channel.allocator,
                eventLoop: loop
            ) { chunk in
                count.value += chunk.readableBytes
                return channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(chunk)))
            }
            .whenComplete { result in
                // A file may have become shorter since it was opened.
                guard case .success = result, count.value == range.count else { return channel.close(promise: nil) }
                channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
            }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// What a request asks for by its header `Range`.
///
/// [RFC 9110 §14.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2)
enum ByteRange: Equatable {
    /// The header is to be ignored: it has another form, another unit, or several ranges.
    case whole
    case part(Range<Int>)
    /// It begins after the end of the file.
    case outside

    /// Reads `bytes=0-499`, `bytes=500-` or `bytes=-500`.
    init(_ text: String, size: Int) {
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard text.hasPrefix("bytes="), ends.count == 2,
            ends.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }), ends.contains(where: { !$0.isEmpty })
        else {
            self = .whole
            return
        }
        // A number that is too large is after the end.
        let (first, last) = (Int(ends[0]) ?? .max, Int(ends[1]) ?? .max)
        if ends[0].isEmpty {
            self = last > 0 && size > 0 ? .part(max(size - last, 0)..<size) : .outside
        } else if first >= size {
            self = .outside
        } else {
            self = last < first ? .whole : .part(first..<min(last, size - 1) + 1)
        }
    }
}
