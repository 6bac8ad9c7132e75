/// A response of an accessory server, complete with its body.
///
/// HAP: §10
package struct HTTPResponse: Sendable, Hashable {
    package var status: HTTPStatus
    /// The media type; needed when there is a body, ignored when there is none.
    package var contentType: HTTPContentType?
    package var body: [UInt8]

    package init(_ status: HTTPStatus, contentType: HTTPContentType? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// A response with a JSON body.
    package static func json(_ status: HTTPStatus = .ok, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status, contentType: .hapJSON, body: body)
    }

    /// A response with a pairing message.
    package static func pairing(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(.ok, contentType: .pairingTLV8, body: body)
    }

    /// A response with the body `{"status":…}`.
    package static func failure(_ status: HTTPStatus, _ hapStatus: HAPStatus) -> HTTPResponse {
        HTTPResponse(status, contentType: .hapJSON, body: StatusBody.bytes(of: hapStatus))
    }

    /// Appends the response as it travels, with a length always; only 204 has neither length nor body.
    package func append(to bytes: inout [UInt8]) {
        if bytes.isEmpty {
            // Only then: asking for room at each of many messages would copy all of them each time.
            bytes.reserveCapacity(128 + body.count)
        }
        bytes.append(status.line)
        if status == .noContent {
            bytes.append("\r\n")
            return
        }
        if let contentType, !body.isEmpty {
            bytes.append(contentType.headerAndLengthName)
        } else {
            bytes.append("Content-Length: ")
        }
        bytes.appendDecimal(UInt64(body.count))
        bytes.append("\r\n\r\n")
        bytes.append(contentsOf: body)
    }
}
