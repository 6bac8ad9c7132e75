internal import Foundation
internal import HAPCore
internal import HTTPTypes
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import Synchronization

/// A socket on which the API answers: a Unix socket that only its user can open, or a TCP port that needs a token.
struct ConsoleListener: Sendable {
    private let console: Console
    private let address: BindAddress
    /// The checks of requests; `nil` on a Unix socket.
    private var access: AccessControl?

    private let eventLoop: any EventLoop

    init(_ console: Console, at address: BindAddress, access: AccessControl?, on eventLoop: any EventLoop) {
        self.console = console
        self.eventLoop = eventLoop
        self.address = address
        self.access = access
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameter onListening: Is called once connections are accepted, with the port if there is one.
    /// - Throws: The error of the system if the address cannot be listened on.
    func run(onListening: @escaping @Sendable (_ port: Int?) async -> Void) async throws {
        var logger = Logger(label: "hap.console") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let channel = HTTP1Channel(
            responder: { request, writer, channel in try await respond(to: request, writer, on: channel) },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: ConsoleLimits.idleTime,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10,
                    maxHeaderListSize: 32 << 10,
                    maxHeaderFieldCount: 100
                )
            )
        )
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: address,
                // On Linux, a port on which another program listens is an error all the same.
                reuseAddress: true,
                availableConnectionsDelegate: MaximumAvailableConnections(ConsoleLimits.connections, logger: logger)
            ),
            onServerRunning: { channel in await onListening(channel.localAddress?.port) },
            eventLoopGroup: eventLoop,
            logger: logger
        )
        try await withTaskCancellationHandler {
            // The tasks of the connections inherit the executor.
            try await withTaskExecutorPreference(EventLoopTaskExecutor(eventLoop)) { try await server.run() }
        } onCancel: {
            Task { try? await server.shutdownGracefully() }
        }
    }

    private func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        on channel: any Channel
    ) async throws {
        var listener = self
        listener.access?.port = channel.localAddress?.port ?? 0
        try await listener.write(listener.response(to: request), to: request, writer, on: channel)
    }

    /// Returns the response to a request, also if it is an error.
    private func response(to request: Request) async -> APIResponse {
        // The id is read first: a stream after it misses no event since this snapshot.
        let lastEventID = console.journal.lastID
        var response: APIResponse
        do throws(Problem) {
            response = try await answer(request, request.method == .head ? .get : request.method)
        } catch {
            response = APIResponse(error)
            if let methods = error.allowedMethods { response.headers[.allow] = methods }
            if error.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
            if error.status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        }
        if request.headers[.contentLength] ?? "0" != "0" || request.headers[.transferEncoding] != nil,
            !response.hasReadBody
        {
            // The rest of the body is not read.
            response.headers[.connection] = "close"
        }
        // The id counts events, so that only clients with access learn it.
        if isAllowed(request) { response.headers[.lastEventID] = String(lastEventID) }
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.contentType] = response.mediaType
        return response
    }

    private func write(
        _ response: APIResponse,
        to request: Request,
        _ writer: consuming ResponseWriter,
        on channel: any Channel
    ) async throws {
        let isHead = request.method == .head
        var head = WebResponse(status: response.status, headerFields: response.headers)
        switch response.content {
        case .bytes(let bytes):
            if response.status != .noContent { head.headerFields[.contentLength] = String(bytes.count) }
            let body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            if isHead || bytes.isEmpty {
                try await writer.writeResponse(head)
            } else {
                try await writer.write(response: head, body: body)
            }
            if head.headerFields[.connection] == "close" { channel.close(mode: .all, promise: nil) }
        case .events where isHead, .messages where isHead:
            console.releaseStream()
            try await writer.writeResponse(head)
        case .events(let position, let filter):
            defer { console.releaseStream() }
            let watch = StreamWatch { isAllowed(request) }
            try await EventStream(of: console, after: position, filter).run(writer, head, on: channel, watch)
        case .messages:
            defer { console.releaseStream() }
            let watch = StreamWatch { isAllowed(request) }
            try await MessageStream(of: console.traffic.feed).run(writer, head, on: channel, watch)
        }
    }

    /// Returns whether a request is allowed; a stream ends when it no longer is.
    private func isAllowed(_ request: Request) -> Bool {
        guard let access else { return true }
        return (try? access.checkToken(request.head)) != nil
    }

    private func answer(_ request: Request, _ method: WebRequest.Method) async throws(Problem) -> APIResponse {
        if access != nil { try AccessControl.checkSource(request.head) }
        var api = APIRequest(
            method: method,
            segments: try Self.segments(of: request.uri.path),
            query: Self.query(of: request.uri.query ?? ""),
            headers: request.headers,
            body: []
        )
        let endpoint: Endpoint
        do throws(Problem) {
            (endpoint, api) = try console.endpoints.find(api)
        } catch {
            // Only clients with a token learn which paths there are.
            try access?.checkToken(request.head)
            throw error
        }
        if endpoint.isProtected { try access?.checkToken(request.head) }
        try endpoint.checkQuery(api.query)
        if endpoint.body != nil {
            let mediaType = request.headers[.contentType] ?? ""
            guard mediaType.split(separator: ";").first?.lowercased() == "application/json" else {
                throw Problem(
                    .unsupportedMediaType,
                    "not-json",
                    "The body must be JSON; send \"Content-Type: application/json\"."
                )
            }
            api = APIRequest(
                method: api.method,
                segments: api.segments,
                query: api.query,
                headers: api.headers,
                body: try await Self.body(of: request),
                parameters: api.parameters
            )
        }
        var response = try await Self.response(of: endpoint, to: api, console)
        response.hasReadBody = endpoint.body != nil
        switch response.content {
        case .events, .messages: try console.reserveStream()
        case .bytes: break
        }
        if let access, endpoint.path == Console.sessionPath {
            return try await access.settingCookie(response, for: api)
        }
        return response
    }

    private static func response(
        of endpoint: Endpoint,
        to request: APIRequest,
        _ console: Console
    ) async throws(Problem) -> APIResponse {
        guard endpoint.leavesEventLoop else { return try await endpoint.respond(request, console) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Problem) in
            guard endpoint.readsDefinition else { return try await endpoint.respond(request, console) }
            return try await console.limitingChecks { () async throws(Problem) in
                try await endpoint.respond(request, console)
            }
        }
    }

    /// Reads a body within the limits of size and time.
    private static func body(of request: Request) async throws(Problem) -> [UInt8] {
        let body = request.body
        let result = await withTaskGroup(of: Result<[UInt8], Problem>.self) { group in
            group.addTask {
                do {
                    return .success(Array(try await body.collect(upTo: ConsoleLimits.body).readableBytesView))
                } catch {
                    return .failure(
                        Problem(.contentTooLarge, "too-large", "The body has more than \(ConsoleLimits.body) bytes.")
                    )
                }
            }
            group.addTask {
                try? await Task.sleep(for: ConsoleLimits.bodyTime)
                return .failure(
                    Problem(.requestTimeout, "too-slow", "The body has not arrived within \(ConsoleLimits.bodyTime).")
                )
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.invalid("The body was not read."))
        }
        return try result.get()
    }

    /// Returns the decoded parts of a path.
    private static func segments(of path: String) throws(Problem) -> [String] {
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard part.utf8.contains(UInt8(ascii: "%")) else {
                segments.append(String(part))
                continue
            }
            guard let decoded = String(part).removingPercentEncoding else {
                throw .invalid("The path contains an invalid percent encoding.")
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

extension AccessControl {
    /// Checks the token in a request for a session, and sets the cookie.
    fileprivate func settingCookie(
        _ response: APIResponse,
        for request: APIRequest
    ) async throws(Problem) -> APIResponse {
        if request.method == .delete {
            for id in sessionIDs(in: request.headers) where await !sessions.end(id) {
                throw Problem(
                    .internalServerError,
                    "store-failed",
                    "The session has ended, but is valid again after a restart, because this could not be saved; check "
                        + "the state folder."
                )
            }
            var response = response
            response.headers[.setCookie] = "\(cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"
            return response
        }
        guard let login = try? request.read(SessionRequest.format), token.matches(login.token) else {
            return APIResponse(
                Problem(.unauthorized, "wrong-token", "This is not the token; open the link that hap has printed.")
            )
        }
        var response = response
        response.headers[.setCookie] =
            "\(cookieName)=\(sessions.begin()); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(BrowserSessions.seconds)"
        return response
    }
}
