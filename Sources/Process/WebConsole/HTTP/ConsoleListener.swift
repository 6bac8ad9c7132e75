internal import AsyncPrimitives
internal import Foundation
internal import HAPCore
internal import HTTPTypes
internal import Hosting
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Resources
internal import Synchronization

/// A socket on which the API answers: a Unix socket that only its user can open, or a TCP port that needs a token.
final class ConsoleListener: Sendable {
    let connections: ConsoleConnections
    private let console: Console
    /// The checks of requests; `nil` on a Unix socket.
    private let access: AccessControl?
    private let bodies: BodyBudget
    private let channel = Mutex<(any Channel)?>(nil)

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - bodies: The memory for the bodies of requests, which all listeners share.
    ///   - executor: The event loop on which the listener will listen.
    init(_ console: Console, access: AccessControl?, bodies: BodyBudget, executor: EventLoopTaskExecutor) {
        self.console = console
        self.access = access
        self.bodies = bodies
        connections = ConsoleConnections(capacity: ConsoleLimits.connections, executor: executor)
    }

    /// Listens on a Unix socket, which replaces one that exists.
    ///
    /// - Throws: The error of the system.
    func listen(onSocket path: String, _ group: any EventLoopGroup) async throws {
        _ = try await listen {
            try await bootstrap(group).bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        }
    }

    /// Listens on a TCP port, and returns its number.
    ///
    /// - Throws: The error of the system.
    func listen(host: String, port: Int, _ group: any EventLoopGroup) async throws -> Int {
        let channel = try await listen { try await bootstrap(group).bind(host: host, port: port).get() }
        return channel.localAddress?.port ?? port
    }

    private func listen(_ bind: () async throws -> any Channel) async throws -> any Channel {
        do {
            let channel = try await bind()
            self.channel.withLock { $0 = channel }
            return channel
        } catch {
            // Releases what the channel has set up before it was bound.
            connections.stopAccepting()
            throw error
        }
    }

    /// Accepts no more connections and requests; those that are pending are still answered.
    func stopAccepting() async {
        try? await channel.withLock(\.self)?.close()
        connections.stopAccepting()
    }

    private func bootstrap(_ group: any EventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            // On Linux, a port on which another program listens is an error all the same.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // A place is found for each connection before the next one is accepted.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { [connections] channel in
                channel.eventLoop.makeCompletedFuture {
                    let gate = AcceptGate(to: connections)
                    try channel.pipeline.syncOperations.addHandler(gate)
                    let boundGate = NIOLoopBound(gate, eventLoop: channel.eventLoop)
                    connections.whenPlaceIsFree { boundGate.value.resume() }
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: ConsoleLimits.receiveBuffer)
            )
            .childChannelInitializer { [self] channel in accept(channel) }
    }

    /// Handles a new connection.
    private func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        var logger = Logger(label: "hap.console") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let configuration = HTTP1Channel.Configuration(
            idleTimeout: ConsoleLimits.idleTime,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 << 10,
                maxHeaderListSize: 32 << 10,
                maxHeaderFieldCount: 100
            )
        )
        return HTTP1Channel(responder: { _, _, _ in }, configuration: configuration)
            .setup(channel: channel, logger: logger)
            .flatMapThrowing { [self, logger] value in
                // The task begins before anything can fail, because NIO ends a process that releases the value of a
                // connection without using it.
                connections.open(channel, isAuthenticated: access == nil) { [self] id in
                    await HTTP1Channel(
                        responder: { [self] request, writer, channel in
                            try await respond(to: request, writer, on: channel, id)
                        },
                        configuration: configuration
                    )
                    .handle(value: value, logger: logger)
                }
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<NIOHTTP1.HTTPRequestDecoder>.self)
                try pipeline.addHandler(KeepAliveHandler(), position: .after(decoder))
                try pipeline.addHandler(FlushBeforeHalfClose(), position: .first)
            }
    }

    /// A request, and what its sender may do.
    private struct ReceivedRequest: Sendable {
        let request: Request
        let connection: ConsoleConnections.ID
        /// The checks with the port on which the request arrived; `nil` on a Unix socket.
        let access: AccessControl?
        /// Whether the sender has shown the token or a session, or needs none.
        let isAuthenticated: Bool
    }

    private func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on channel: any Channel,
        _ connection: ConsoleConnections.ID
    ) async throws {
        var access = access
        access?.port = channel.localAddress?.port ?? 0
        let isAuthenticated = access.map { $0.allows(request.head) } ?? true
        if isAuthenticated { connections.markAuthenticated(connection) }
        let received = ReceivedRequest(
            request: request,
            connection: connection,
            access: access,
            isAuthenticated: isAuthenticated
        )
        let response = await response(to: received)
        try await write(response, to: received, writer, on: channel)
        let isLast = response.headers[.connection] == "close"
        if !connections.endResponse(on: connection, isLast: isLast) { ConsoleConnections.closeAfterWrites(channel) }
    }

    /// Returns the response to a request, also if it is an error.
    private func response(to received: ReceivedRequest) async -> APIResponse {
        let request = received.request
        // The id is read first: a stream after it misses no event since this snapshot.
        let lastEventID = console.journal.lastID
        var response: APIResponse
        do {
            response = try await answer(received, request.method == .head ? .get : request.method)
        } catch {
            let problem = Problem(error)
            response = APIResponse(problem)
            if let methods = problem.allowedMethods { response.headers[.allow] = methods }
            if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
            if problem.status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        }
        let hasBody = request.headers[.contentLength] ?? "0" != "0" || request.headers[.transferEncoding] != nil
        // The rest of a body that was not read is not read either. A client that is not authenticated has one request
        // for each connection: with more, it could occupy the event loop.
        if hasBody && !response.hasReadBody || request.headers[.connection] == "close" || !received.isAuthenticated {
            response.headers[.connection] = "close"
        }
        // The id counts events, so that only clients with access learn it.
        if received.isAuthenticated { response.headers[.lastEventID] = String(lastEventID) }
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.contentType] = response.mediaType
        return response
    }

    private func write(
        _ response: APIResponse,
        to received: ReceivedRequest,
        _ writer: consuming ResponseWriter,
        on channel: any Channel
    ) async throws {
        let isHead = received.request.method == .head
        var head = WebResponse(status: response.status, headerFields: response.headers)
        // A stream ends when its client may no longer read it.
        let watch = StreamWatch { received.access?.allows(received.request.head) ?? true }
        switch response.content {
        case .bytes(let bytes):
            if response.status != .noContent { head.headerFields[.contentLength] = String(bytes.count) }
            if isHead || bytes.isEmpty {
                try await writer.writeResponse(head)
            } else {
                try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        case .events where isHead, .messages where isHead:
            console.releaseStream()
            try await writer.writeResponse(head)
        case .events(let position, let filter):
            defer { console.releaseStream() }
            if !connections.endResponse(on: received.connection) { channel.close(mode: .all, promise: nil) }
            try await EventStream(of: console, after: position, filter).run(writer, head, on: channel, watch)
        case .messages:
            defer { console.releaseStream() }
            if !connections.endResponse(on: received.connection) { channel.close(mode: .all, promise: nil) }
            try await MessageStream(of: console.traffic.feed).run(writer, head, on: channel, watch)
        }
    }

    private func answer(_ received: ReceivedRequest, _ method: WebRequest.Method) async throws -> APIResponse {
        let request = received.request
        if received.access != nil { try AccessControl.checkSource(request.head) }
        var api = APIRequest(
            method: method,
            segments: try Self.segments(of: request.uri.path),
            query: Self.query(of: request.uri.query ?? ""),
            headers: request.headers,
            access: received.access
        )
        let endpoint: Endpoint
        do {
            (endpoint, api) = try Console.endpoints.find(api)
        } catch {
            // Only clients with access learn which paths there are.
            throw received.isAuthenticated ? error : Problem.tokenMissing
        }
        guard received.isAuthenticated || !endpoint.isProtected else { throw Problem.tokenMissing }
        try endpoint.checkQuery(api.query)
        var reserved = 0
        defer { bodies.release(reserved) }
        if endpoint.body != nil {
            let mediaType = request.headers[.contentType] ?? ""
            guard mediaType.split(separator: ";").first?.lowercased() == "application/json" else {
                throw Problem(
                    .unsupportedMediaType,
                    "not-json",
                    "The body must be JSON; send \"Content-Type: application/json\"."
                )
            }
            let limit = received.isAuthenticated ? ConsoleLimits.body : ConsoleLimits.unauthenticatedBody
            let size = request.headers[.contentLength].flatMap { Int($0) } ?? limit
            guard size <= limit else { throw Problem.tooLarge(limit) }
            if received.isAuthenticated {
                guard bodies.reserve(size) else {
                    throw Problem(
                        .serviceUnavailable,
                        "busy",
                        "Other bodies are being received; try again in a second."
                    )
                }
                reserved = size
            }
            api.body = try await Self.body(of: request, upTo: limit)
        }
        guard connections.beginResponse(on: received.connection) else {
            throw Problem(
                .serviceUnavailable,
                "stopping",
                "The process is shutting down. The request was not performed."
            )
        }
        var response = try await Self.response(of: endpoint, to: api, console)
        response.hasReadBody = endpoint.body != nil
        switch response.content {
        case .events, .messages: try console.reserveStream()
        case .bytes: break
        }
        return response
    }

    private static func response(
        of endpoint: Endpoint,
        to request: APIRequest,
        _ console: Console
    ) async throws -> APIResponse {
        guard endpoint.leavesEventLoop else { return try await endpoint.respond(request, console) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws -> APIResponse in
            guard endpoint.readsDefinition else { return try await endpoint.respond(request, console) }
            return try await console.limitingChecks { try await endpoint.respond(request, console) }
        }
    }

    /// Reads a body within the limits of size and time.
    private static func body(of request: Request, upTo limit: Int) async throws -> [UInt8] {
        let body = request.body
        let result = await withTimeLimit(ConsoleLimits.bodyTime) { () async -> Result<[UInt8], Problem> in
            var bytes: [UInt8] = []
            do {
                for try await part in body {
                    guard bytes.count + part.readableBytes <= limit else { return .failure(.tooLarge(limit)) }
                    bytes += part.readableBytesView
                }
                return .success(bytes)
            } catch {
                return .failure(
                    Problem(.badRequest, "malformed-body", "The framing of the body is not valid HTTP; correct it.")
                )
            }
        }
        guard let result else {
            throw Problem(.requestTimeout, "too-slow", "The body has not arrived within \(ConsoleLimits.bodyTime).")
        }
        return try result.get()
    }

    /// Returns the decoded parts of a path.
    private static func segments(of path: String) throws -> [String] {
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard part.utf8.contains(UInt8(ascii: "%")) else {
                segments.append(String(part))
                continue
            }
            guard let decoded = String(part).removingPercentEncoding else {
                throw Problem.invalid("The path contains an invalid percent encoding.")
            }
            segments.append(decoded)
        }
        return segments
    }

    private static func query(of text: String) -> [String: String] {
        var query: [String: String] = [:]
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = pair.map { $0.replacing("+", with: " ").removingPercentEncoding ?? String($0) }
            query[words[0]] = words.count > 1 ? words[1] : ""
        }
        return query
    }
}

extension Problem {
    fileprivate static func tooLarge(_ limit: Int) -> Problem {
        Problem(.contentTooLarge, "too-large", "The body has more than \(limit) bytes.")
    }
}
