internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Resources

/// An operation of the API: the declaration from which the router and the OpenAPI document follow.
struct Endpoint: Sendable {
    /// A response that is not an error.
    struct Success: Sendable {
        let status: WebResponse.Status
        let documentation: String
        /// The media type and the schema of the content, or `nil` if there is no content.
        let content: (mediaType: String, schema: Schema)?

        /// JSON in a format.
        static func json<Value>(_ documentation: String, _ format: Format<Value>) -> Success {
            Success(status: .ok, documentation: documentation, content: ("application/json", format.schema))
        }

        /// No content.
        static func empty(_ documentation: String) -> Success {
            Success(status: .noContent, documentation: documentation, content: nil)
        }

        /// A text of a media type.
        static func text(_ mediaType: String, _ documentation: String) -> Success {
            Success(status: .ok, documentation: documentation, content: (mediaType, Schema(.init("type", "string"))))
        }

        /// A file, whose media type follows from its name.
        static func file(_ documentation: String) -> Success {
            text("*/*", documentation)
        }
    }

    let method: WebRequest.Method
    /// The path with its parameters in braces, such as `/api/v1/servers/{server}`.
    let path: String
    /// What the operation does, as a sentence that begins with a verb.
    let summary: String
    /// The parameters in the query.
    let queryParameters: [Parameter]
    /// The schema of the body, or `nil` if the operation has none.
    let body: Schema?
    let success: Success
    /// Whether a token is needed on TCP.
    let isProtected: Bool
    /// Whether the operation may compute for long, so that it must not run on the event loop of the console, where
    /// other clients would wait for it.
    var leavesEventLoop = false
    /// Whether the operation reads a definition, which can take seconds, so that only one runs at a time.
    var readsDefinition = false
    /// Performs the operation; the listener converts every error to a ``Problem``.
    let respond: @Sendable (APIRequest, Console) async throws -> APIResponse

    /// The parts of the path.
    var segments: [Substring] { path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) }

    /// The parameters in the path.
    var pathParameters: [Parameter] { segments.compactMap { Parameter.inPaths[String($0)] } }

    /// Refuses unknown parameters, since a request with a misspelled filter would affect more than was meant.
    func checkQuery(_ query: [String: String]) throws {
        // The start page is also opened by links that others have extended.
        guard isProtected, !query.isEmpty else { return }
        let known = queryParameters.map(\.name)
        guard let unknown = query.keys.sorted().first(where: { !known.contains($0) }) else { return }
        let names = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
        throw Problem.invalid("This path has no parameter \"\(unknown)\"; \(names).")
    }
}

/// A request of a client.
struct APIRequest: Sendable {
    let method: WebRequest.Method
    /// The decoded parts of the path.
    let segments: [String]
    let query: [String: String]
    let headers: HTTPFields
    var body: [UInt8] = []
    /// The checks of the TCP port on which the request arrived; `nil` on a Unix socket.
    var access: AccessControl?
    /// The parameters of the path, by name.
    var parameters: [String: String] = [:]

    /// Returns a parameter of the path.
    subscript(_ name: String) -> String { parameters[name] ?? "" }

    /// Reads the body.
    ///
    /// - Throws: ``Problem`` with all errors of the body.
    func read<Value>(_ format: Format<Value>) throws -> Value {
        var reader = DocumentReader()
        let text = DocumentText.validated(body, in: "body", &reader.diagnostics)
        let node = text.flatMap { JSONDocumentParser.compose($0, in: "body", &reader.diagnostics) }
        let value = node.flatMap { format.read(DocumentField(file: "body", node: $0), &reader) }
        guard let value, !reader.diagnostics.hasErrors else {
            let diagnostics = reader.diagnostics.ordered
            let first = diagnostics.first.map(\.pathAndReason)
            var problem = Problem.invalid("The body is not valid: \(first ?? "it is empty; write a JSON object").")
            problem.diagnostics = diagnostics
            throw problem
        }
        return value
    }

    /// Reads a number of the query.
    func number(_ parameter: Endpoint.NumberParameter) throws -> Int {
        guard let text = query[parameter.name] else { return parameter.standard }
        let range = parameter.range
        guard let number = Int(text), range.contains(number) else {
            throw Problem.invalid("\(parameter.name) is not a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Reads an id of the query, or returns `nil` without one.
    func id(_ name: String) throws -> UInt64? {
        guard let text = query[name] else { return nil }
        guard let id = UInt64(text), Endpoint.Parameter.ids.contains(id) else {
            throw Problem.invalid("\(name) is not an id; write a number from \(Endpoint.Parameter.ids.lowerBound).")
        }
        return id
    }
}

/// The response to a request.
struct APIResponse: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        /// Events after this id, without an end.
        case events(after: UInt64?, filter: EventFilter)
        /// Decrypted messages from now on, without an end.
        case messages
    }

    var status: WebResponse.Status
    var mediaType: String?
    var content: Content
    var headers: HTTPFields = [:]
    /// Whether the body of the request was read to its end.
    var hasReadBody = false

    static func json<Value>(_ value: Value, _ format: Format<Value>) -> APIResponse {
        APIResponse(
            status: .ok,
            mediaType: "application/json",
            content: .bytes(JSONWriter.bytes(of: format.write(value)))
        )
    }

    /// A file of a media type.
    static func file(_ bytes: [UInt8], _ mediaType: String) -> APIResponse {
        APIResponse(status: .ok, mediaType: mediaType, content: .bytes(bytes))
    }

    static let empty = APIResponse(status: .noContent, mediaType: nil, content: .bytes([]))

    static func text(_ text: String, _ mediaType: String) -> APIResponse {
        APIResponse(status: .ok, mediaType: mediaType, content: .bytes(Array(text.utf8)))
    }

    init(status: WebResponse.Status, mediaType: String?, content: Content) {
        self.status = status
        self.mediaType = mediaType
        self.content = content
    }

    init(_ problem: Problem) {
        self.init(status: problem.status, mediaType: Problem.mediaType, content: .bytes(problem.body))
    }
}

/// The operations, by the form of their paths.
struct EndpointTable: Sendable {
    let all: [Endpoint]
    private let bySegmentCount: [Int: [(endpoint: Endpoint, segments: [Substring])]]

    init(_ endpoints: [Endpoint]) {
        all = endpoints
        bySegmentCount = Dictionary(grouping: endpoints.map { ($0, $0.segments) }, by: \.1.count)
    }

    /// Returns the operation of a request, with the parameters of its path.
    ///
    /// - Throws: ``Problem`` with 404 for an unknown path, with 405 for a method that the path does not have.
    func find(_ request: APIRequest) throws -> (Endpoint, APIRequest) {
        let matches = (bySegmentCount[request.segments.count] ?? [])
            .compactMap { endpoint, segments in
                Self.match(request.segments, segments).map { (endpoint: endpoint, parameters: $0) }
            }
        // A path without parameters, such as …/definitions/check, is not also one with them.
        let parameterCount = matches.map(\.parameters.count).min()
        let candidates = matches.filter { $0.parameters.count == parameterCount }
        if let (endpoint, parameters) = candidates.first(where: { $0.endpoint.method == request.method }) {
            var matched = request
            matched.parameters = parameters
            return (endpoint, matched)
        }
        guard !candidates.isEmpty else { throw Problem.notFound("This path") }
        let methods = candidates.map(\.endpoint.method.rawValue).joined(separator: ", ")
        var problem = Problem(.methodNotAllowed, "method-not-allowed", "This path has only \(methods).")
        problem.allowedMethods = methods
        throw problem
    }

    private static func match(_ path: [String], _ pattern: [Substring]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (segment, part) in zip(path, pattern) {
            if part.first == "{" {
                guard !segment.isEmpty else { return nil }
                parameters[String(part.dropFirst().dropLast())] = segment
            } else if segment != part {
                return nil
            }
        }
        return parameters
    }
}
