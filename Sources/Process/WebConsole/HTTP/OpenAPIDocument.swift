internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Resources

/// The description of the API, which follows from the table of its operations.
///
/// [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.0)
struct OpenAPIDocument {
    /// The document as JSON.
    let bytes: [UInt8]

    init(_ endpoints: [Endpoint], version: String) {
        var definitions: [String: DocumentTree] = Problem.format.schema.definitions
        for endpoint in endpoints {
            for schema in [endpoint.body, endpoint.success.content?.schema].compactMap(\.self) {
                definitions.merge(schema.definitions) { first, _ in first }
            }
        }
        var paths: [(path: String, operations: [DocumentTree.Member])] = []
        for endpoint in endpoints {
            let operation = DocumentTree.Member(endpoint.method.rawValue.lowercased(), Self.operation(endpoint))
            if let index = paths.firstIndex(where: { $0.path == endpoint.path }) {
                paths[index].operations.append(operation)
            } else {
                paths.append((endpoint.path, [operation]))
            }
        }
        let schemas = definitions.sorted { $0.key < $1.key }.map { DocumentTree.Member($0.key, $0.value) }
        let document = DocumentTree.map([
            .init("openapi", "3.1.0"),
            .init(
                "info",
                .map([
                    .init("title", "hap"), .init("version", .text(version)),
                    .init(
                        "description",
                        "Watches and drives a running hap process. POST /api/v1/session turns the token into a cookie."
                    ),
                    .init("license", .map([.init("name", "Apache 2.0"), .init("identifier", "Apache-2.0")])),
                ])
            ),
            .init("paths", .map(paths.map { .init($0.path, .map($0.operations)) })),
            .init(
                "components",
                .map([
                    .init("schemas", .map(schemas)),
                    .init(
                        "securitySchemes",
                        .map([
                            .init("token", .map([.init("type", "http"), .init("scheme", "bearer")]))
                        ])
                    ),
                ])
            ),
        ])
        bytes = JSONWriter.bytes(of: document.rebasingReferences)
    }

    private static func operation(_ endpoint: Endpoint) -> DocumentTree {
        var members: [DocumentTree.Member] = [
            .init("operationId", .text(operationID(endpoint))), .init("summary", .text(endpoint.summary)),
        ]
        let parameters = endpoint.pathParameters + endpoint.queryParameters
        if !parameters.isEmpty {
            let trees = parameters.map { parameter in
                DocumentTree.map([
                    .init("name", .text(parameter.name)), .init("in", parameter.isInPath ? "path" : "query"),
                    .init("required", .bool(parameter.isInPath)), .init("description", .text(parameter.documentation)),
                    .init("schema", parameter.schema.tree),
                ])
            }
            members.append(.init("parameters", .list(trees)))
        }
        if let body = endpoint.body {
            members.append(
                .init("requestBody", .map([.init("required", .bool(true)), content("application/json", body.tree)]))
            )
        }
        var success: [DocumentTree.Member] = [
            .init("description", .text(endpoint.success.documentation)),
            .init(
                "headers",
                .map([
                    .init(
                        "Last-Event-ID",
                        .map([
                            .init(
                                "description",
                                "The latest event that the content includes; a stream continues after it."
                            ),
                            .init("schema", .map([.init("type", "integer")])),
                        ])
                    )
                ])
            ),
        ]
        if let (mediaType, schema) = endpoint.success.content { success.append(content(mediaType, schema.tree)) }
        var responses: [DocumentTree.Member] = [.init(String(endpoint.success.status.code), .map(success))]
        for status in errors(of: endpoint) {
            responses.append(problem(String(status.code), status.reasonPhrase))
        }
        responses.append(problem("default", "Another error."))
        members.append(.init("responses", .map(responses)))
        members.append(
            .init(
                "security",
                endpoint.isProtected
                    ? .list([.map([.init("token", .list([]))])]) : .list([])
            )
        )
        return .map(members)
    }

    /// The error statuses that follow from an operation's declaration.
    private static func errors(of endpoint: Endpoint) -> [WebResponse.Status] {
        var errors: [WebResponse.Status] = []
        if !endpoint.pathParameters.isEmpty { errors.append(.notFound) }
        if endpoint.body != nil {
            errors += [.badRequest, .requestTimeout, .contentTooLarge, .unsupportedMediaType, .serviceUnavailable]
        }
        if endpoint.isProtected { errors += [.badRequest, .unauthorized, .forbidden] }
        if endpoint.readsDefinition { errors.append(.serviceUnavailable) }
        return Set(errors).sorted { $0.code < $1.code }
    }

    /// The response to a request that is refused.
    private static func problem(_ status: String, _ description: String) -> DocumentTree.Member {
        .init(
            status,
            .map([
                .init("description", .text(description)), content(Problem.mediaType, Problem.format.schema.tree),
            ])
        )
    }

    /// The name of an operation: the method and the fixed parts of the path.
    private static func operationID(_ endpoint: Endpoint) -> String {
        let parts = endpoint.segments.filter { !["api", "v1"].contains($0) }
            .map { $0.filter { $0.isLetter || $0.isNumber } }
        let words = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return endpoint.method.rawValue.lowercased() + words.joined()
    }

    private static func content(_ mediaType: String, _ schema: DocumentTree) -> DocumentTree.Member {
        .init("content", .map([.init(mediaType, .map([.init("schema", schema)]))]))
    }
}

extension DocumentTree {
    /// The tree with references to the schemas of an OpenAPI document.
    fileprivate var rebasingReferences: DocumentTree {
        switch self {
        case .map(let members), .inlineMap(let members):
            return .map(
                members.map { member in
                    guard member.key == "$ref", case .text(let reference) = member.value else {
                        return Member(member.key, member.value.rebasingReferences)
                    }
                    return Member("$ref", .text("#/components/schemas/" + (reference.split(separator: "/").last ?? "")))
                }
            )
        case .list(let elements): return .list(elements.map(\.rebasingReferences))
        case .text, .word, .number, .bool, .null: return self
        }
    }
}
