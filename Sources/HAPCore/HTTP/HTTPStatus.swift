/// The status of a response.
///
/// HAP: §10
public enum HTTPStatus: Int, Sendable, Hashable, CaseIterable {
    case ok = 200
    case noContent = 204
    case multiStatus = 207
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case unprocessableEntity = 422
    case tooManyRequests = 429
    case connectionAuthorizationRequired = 470
    case internalServerError = 500
    case serviceUnavailable = 503

    /// The status line.
    ///
    /// Controllers fail without a reason phrase.
    var line: StaticString {
        switch self {
        case .ok: "HTTP/1.1 200 OK\r\n"
        case .noContent: "HTTP/1.1 204 No Content\r\n"
        case .multiStatus: "HTTP/1.1 207 Multi-Status\r\n"
        case .badRequest: "HTTP/1.1 400 Bad Request\r\n"
        case .notFound: "HTTP/1.1 404 Not Found\r\n"
        case .methodNotAllowed: "HTTP/1.1 405 Method Not Allowed\r\n"
        case .unprocessableEntity: "HTTP/1.1 422 Unprocessable Entity\r\n"
        case .tooManyRequests: "HTTP/1.1 429 Too Many Requests\r\n"
        case .connectionAuthorizationRequired: "HTTP/1.1 470 Connection Authorization Required\r\n"
        case .internalServerError: "HTTP/1.1 500 Internal Server Error\r\n"
        case .serviceUnavailable: "HTTP/1.1 503 Service Unavailable\r\n"
        }
    }
}
