internal import Documents
internal import HTTPTypes

/// Initializers for the kinds of operations. Each declares the formats of body and result once.
extension Endpoint {
    /// Declares an operation that returns JSON.
    ///
    /// - Parameters:
    ///   - summary: What it does, as a sentence that begins with a verb.
    ///   - query: The parameters in the query; those in the path follow from it.
    ///   - result: What it returns in a sentence, and the format.
    init<Value>(
        _ method: WebRequest.Method,
        _ path: String,
        _ summary: String,
        query: [Parameter] = [],
        result: (String, Format<Value>),
        _ respond: @escaping @Sendable (APIRequest, Console) async throws -> Value
    ) {
        let (documentation, format) = result
        let success = Success.json(documentation, format)
        self.init(method, path, summary, query: query, success: success) { request, console in
            .json(try await respond(request, console), format)
        }
    }

    /// Declares an operation that reads JSON and returns JSON.
    init<Body, Value>(
        _ method: WebRequest.Method,
        _ path: String,
        _ summary: String,
        query: [Parameter] = [],
        body: Format<Body>,
        result: (String, Format<Value>),
        _ respond: @escaping @Sendable (Body, APIRequest, Console) async throws -> Value
    ) {
        let (documentation, format) = result
        let success = Success.json(documentation, format)
        self.init(method, path, summary, query: query, body: body, success: success) { value, request, console in
            .json(try await respond(value, request, console), format)
        }
    }

    /// Declares an operation that returns nothing.
    ///
    /// - Parameter documentation: What has happened, in a sentence.
    init(
        _ method: WebRequest.Method,
        _ path: String,
        _ summary: String,
        query: [Parameter] = [],
        noContent documentation: String,
        _ respond: @escaping @Sendable (APIRequest, Console) async throws -> Void
    ) {
        self.init(method, path, summary, query: query, success: .empty(documentation)) { request, console in
            try await respond(request, console)
            return .empty
        }
    }

    /// Declares an operation that reads JSON and returns nothing.
    init<Body>(
        _ method: WebRequest.Method,
        _ path: String,
        _ summary: String,
        query: [Parameter] = [],
        body: Format<Body>,
        noContent documentation: String,
        _ respond: @escaping @Sendable (Body, APIRequest, Console) async throws -> Void
    ) {
        let success = Success.empty(documentation)
        self.init(method, path, summary, query: query, body: body, success: success) { value, request, console in
            try await respond(value, request, console)
            return .empty
        }
    }

    /// Declares an operation that returns something else, such as a text, a file or a stream.
    init(
        _ method: WebRequest.Method,
        _ path: String,
        _ summary: String,
        query: [Parameter] = [],
        success: Success,
        isProtected: Bool = true,
        _ respond: @escaping @Sendable (APIRequest, Console) async throws -> APIResponse
    ) {
        self.init(
            method: method,
            path: path,
            summary: summary,
            queryParameters: query,
            body: nil,
            success: success,
            isProtected: isProtected,
            respond: respond
        )
    }

    /// Declares an operation that reads JSON and returns something else.
    init<Body>(
        _ method: WebRequest.Method,
        _ path: String,
        _ summary: String,
        query: [Parameter] = [],
        body: Format<Body>,
        success: Success,
        isProtected: Bool = true,
        _ respond: @escaping @Sendable (Body, APIRequest, Console) async throws -> APIResponse
    ) {
        self.init(
            method: method,
            path: path,
            summary: summary,
            queryParameters: query,
            body: body.schema,
            success: success,
            isProtected: isProtected
        ) { request, console in
            try await respond(try request.read(body), request, console)
        }
    }
}
