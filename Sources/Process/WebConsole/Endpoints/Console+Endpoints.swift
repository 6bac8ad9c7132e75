internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import HomeModel
internal import HomeRuntime
internal import Hosting
internal import Resources

extension Console {
    /// The path at which a browser turns the token into a cookie.
    static let sessionPath = "/api/v1/session"

    /// All operations of the API.
    static let endpoints = EndpointTable(
        generalEndpoints + serverEndpoints + characteristicEndpoints + simulationEndpoints + homeEndpoints
            + definitionEndpoints
    )

    private static let servers = Endpoint.Parameter.query(
        "servers",
        "The keys of servers, separated by commas. Default: all."
    )
    private static let kinds = Endpoint.Parameter.query(
        "kinds",
        "The kinds of events, separated by commas. Default: all."
    )
    private static let eventLimit = Endpoint.NumberParameter(
        "limit",
        in: 1...EventJournal.capacity,
        default: 1_000,
        "The maximum number of events; the latest ones are returned."
    )

    private static func pageFile(_ name: String, for request: APIRequest) throws -> APIResponse {
        guard let file = PageFile.all[name] else { throw Problem.notFound("This file of the page") }
        return file.response(to: request.headers)
    }

    private static let generalEndpoints: [Endpoint] = [
        Endpoint(
            .get,
            "/",
            "Returns the page, which exchanges the token of its link for a cookie",
            success: .text("text/html; charset=utf-8", "The page."),
            isProtected: false
        ) { request, _ in try pageFile(PageFile.index, for: request) },
        Endpoint(
            .get,
            "/page/{asset}",
            "Returns a file of the page",
            success: .file("The file."),
            isProtected: false
        ) { request, _ in try pageFile(request["asset"], for: request) },
        Endpoint(
            .get,
            "/healthz",
            "Checks that the process answers",
            success: .text("text/plain", "The process answers."),
            isProtected: false
        ) { _, _ in .text("ok\n", "text/plain") },
        Endpoint(
            .get,
            "/readyz",
            "Checks that all servers of the process listen",
            success: .text("text/plain", "All servers listen."),
            isProtected: false
        ) { _, console in
            if let server = console.servers.first(where: { console.journal.server($0.id)?.isListening == false }) {
                throw Problem(
                    .serviceUnavailable,
                    "not-listening",
                    "The server \(server.key) does not listen, because its port is in use; it tries again each second."
                )
            }
            return .text("ready\n", "text/plain")
        },
        Endpoint(
            .get,
            "/openapi.json",
            "Returns this description of the API",
            success: Endpoint.Success(
                status: .ok,
                documentation: "The description.",
                content: ("application/json", Schema(.init("type", "object")))
            ),
            isProtected: false
        ) { _, console in
            APIResponse(status: .ok, mediaType: "application/json", content: .bytes(console.openAPI))
        },
        Endpoint(
            .get,
            "/metrics",
            "Returns the metrics in the text format of Prometheus",
            success: .text("text/plain; version=0.0.4", "The metrics.")
        ) { _, console in
            .text(await console.metricsText(), "text/plain; version=0.0.4; charset=utf-8")
        },
        Endpoint(
            .post,
            sessionPath,
            "Begins a session of a browser: exchanges the token for a cookie, which is valid for 7 days",
            body: BodyFormat.session,
            success: .empty("The cookie is set."),
            isProtected: false
        ) { token, request, _ in try request.access?.beginSession(token) ?? .empty },
        Endpoint(
            .delete,
            sessionPath,
            "Ends the session of a browser, also its streams: deletes the cookie",
            success: .empty("The cookie is deleted.")
        ) { request, _ in try await request.access?.endSessions(of: request) ?? .empty },
        Endpoint(
            .get,
            "/api/v1/status",
            "Returns what the process runs",
            result: ("What the process runs.", StatusResource.format)
        ) { _, console in
            await console.status()
        },
        Endpoint(
            .get,
            "/api/v1/events",
            "Streams events as they occur, as server-sent events",
            query: [
                .query(
                    "after",
                    "The id of the last known event, like the header Last-Event-ID. Default: only new events.",
                    Format<UInt64>.id.schema
                ),
                servers, kinds,
            ],
            success: .text("text/event-stream", "Each event is an Event as JSON, with its id and its kind.")
        ) { request, _ in
            APIResponse(
                status: .ok,
                mediaType: "text/event-stream",
                content: .events(after: try request.eventID(), filter: request.eventFilter)
            )
        },
        Endpoint(
            .get,
            "/api/v1/messages",
            "Streams decrypted messages of controllers and of the peers of drivers, without secrets, as server-sent events",
            success: .text(
                "text/event-stream",
                "Each message is a record of a trace as JSON. The event \"gap\" counts those that this client missed."
            )
        ) { _, _ in
            APIResponse(status: .ok, mediaType: "text/event-stream", content: .messages)
        },
        Endpoint(
            .get,
            "/api/v1/events/latest",
            "Lists the latest events, the oldest first",
            query: [
                .query("after", "Only events after the one with this id.", Format<UInt64>.id.schema), servers, kinds,
                .query(eventLimit),
            ],
            result: ("The events.", .list(of: EventResource.format))
        ) { request, console in
            let limit = try request.number(eventLimit)
            let filter = request.eventFilter
            let events = console.journal.events(after: try request.eventID() ?? 0).events
                .filter { filter.includes($0, of: console) }
            return events.suffix(limit).map(console.report)
        },
    ]
}

/// What a process runs, as the API shows it.
struct StatusResource: Sendable {
    var process: String
    var version: String
    var servers: [String]
    var lastEventID: UInt64
    var time: TimeResource?
    var scenario: String?
    var home: String?

    static let format = Format<StatusResource>(
        response: "Status",
        .written("process", \.process, .string, "The command: serve, run or home run."),
        .written("version", \.version, .string, "The version of hap."),
        .written("servers", \.servers, .list(of: .string), "The keys of the servers."),
        .written("lastEventID", \.lastEventID, .id, "The id of the latest event."),
        .written("time", \.time, TimeResource.format, "The simulated time."),
        .written("scenario", \.scenario, .string, "The name of the scenario."),
        .written("home", \.home, .string, "The name of the home.")
    )
}

extension Console {
    fileprivate func status() async -> StatusResource {
        // The id is read first, so that no event is missed between this snapshot and a stream that begins after it.
        let lastID = journal.lastID
        return StatusResource(
            process: process,
            version: version,
            servers: servers.map(\.key),
            lastEventID: lastID,
            time: await time(),
            scenario: journal.scenario?.name,
            home: await home?.runner.runner.home.name.text
        )
    }

    fileprivate func metricsText() async -> String {
        journal.metrics.text(help: MetricsObserver.summary(of:))
    }
}

extension APIRequest {
    /// The events that the query selects.
    fileprivate var eventFilter: EventFilter {
        func words(_ name: String) -> Set<String> {
            Set((query[name] ?? "").split(separator: ",").map(String.init))
        }
        return EventFilter(servers: words("servers"), kinds: words("kinds"))
    }

    /// Returns the id of the last event that the client knows, or `nil` without one.
    fileprivate func eventID() throws -> UInt64? {
        // A browser that reconnects sends the header together with the query of the first request.
        guard let text = headers[.lastEventID] ?? query["after"] else { return nil }
        guard let id = UInt64(text) else {
            throw Problem.invalid("The id of the last event is not a number; send after=0 for all known events.")
        }
        return id
    }
}
