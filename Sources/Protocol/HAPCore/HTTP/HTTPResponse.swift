/// A response of an accessory server, complete with its body.
///
/// HAP: §10
package struct HTTPResponse: Sendable, Hashable {
    package var status: HTTPStatus
    /// The media type; required with a body, ignored without one.
    package var contentType: HTTPContentType?
    package var body: [UInt8]

    package init(_ status: HTTPStatus, contentType: HTTPContentType? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// Creates a response with a JSON body.
    package static func json(_ status: HTTPStatus = .ok, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status, contentType: .hapJSON, body: body)
    }

    /// Creates a response with a pairing message.
    package static func pairing(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(.ok, contentType: .pairingTLV8, body: body)
    }

    /// Creates a response with the body `{"status":…}`.
    package static func failure(_ status: HTTPStatus, _ hapStatus: HAPStatus) -> HTTPResponse {
        HTTPResponse(status, contentType: .hapJSON, body: StatusBody.bytes(of: hapStatus))
    }

    /// Appends the response in wire format.
    ///
    /// Every response states its length, except 204, which has no body.
    package func append(to bytes: inout [UInt8]) {
        if bytes.isEmpty {
            // Only if nothing was appended before: reserving room for each of many messages would copy all of them each
            // time.
            bytes.reserveCapacity(128 + body.count)
        }
        bytes.append(status.statusLine)
        if status == .noContent {
            bytes.append("\r\n")
            return
        }
        if let contentType, !body.isEmpty {
            bytes.append(contentType.headerPrefix)
        } else {
            bytes.append("Content-Length: ")
        }
        bytes.appendDecimal(UInt64(body.count))
        bytes.append("\r\n\r\n")
        bytes.append(contentsOf: body)
    }
}

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

    /// The status line, always with a reason phrase: controllers fail without one.
    var statusLine: StaticString {
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

/// An event message, which looks like a response but answers no request.
///
/// HAP: §14
package struct HTTPEvent: Sendable, Hashable {
    /// A JSON text.
    package var body: [UInt8]

    package init(body: [UInt8]) {
        self.body = body
    }

    /// Appends the message in wire format.
    package func append(to bytes: inout [UInt8]) {
        if bytes.isEmpty {
            bytes.reserveCapacity(128 + body.count)
        }
        bytes.append("EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: ")
        bytes.appendDecimal(UInt64(body.count))
        bytes.append("\r\n\r\n")
        bytes.append(contentsOf: body)
    }
}

/// A complete message of an accessory: a response or an event.
///
/// HAP: §10, §14
package struct HTTPMessage: Sendable, Hashable {
    /// The kind of a message.
    package enum Kind: Sendable, Hashable {
        case response
        case event
    }

    package var kind: Kind
    /// The three-digit status; ``HTTPStatus`` has those of this protocol.
    package var status: Int
    /// The media type, `nil` when it is missing or not one of this protocol's.
    package var contentType: HTTPContentType?
    package var body: [UInt8]

    package init(_ kind: Kind, status: Int, contentType: HTTPContentType? = nil, body: [UInt8] = []) {
        self.kind = kind
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}
