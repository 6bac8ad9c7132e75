import HAPCore
import Testing

struct HTTPResponseTests {
    @Test func bodyHasItsTypeAndLength() {
        let response = HTTPResponse.json(.multiStatus, Array("{}".utf8))
        #expect(
            text(response)
                == "HTTP/1.1 207 Multi-Status\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}"
        )
        let pairing = HTTPResponse.pairing([6, 1, 2])
        #expect(
            text(pairing)
                == "HTTP/1.1 200 OK\r\nContent-Type: application/pairing+tlv8\r\nContent-Length: "
                + "3\r\n\r\n\u{6}\u{1}\u{2}"
        )
    }

    @Test func noContentHasNeitherLengthNorBody() {
        #expect(text(HTTPResponse(.noContent)) == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(text(HTTPResponse(.noContent, contentType: .hapJSON, body: [1])) == "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test func emptyBodyHasALength() {
        #expect(text(HTTPResponse(.badRequest)) == "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func aFailureCarriesItsStatus() {
        let response = HTTPResponse.failure(.connectionAuthorizationRequired, .insufficientAuthorization)
        let head =
            "HTTP/1.1 470 Connection Authorization Required\r\nContent-Type: application/hap+json\r\nContent-Length: 17"
        #expect(text(response) == head + "\r\n\r\n{\"status\":-70411}")
    }

    @Test(arguments: HAPStatus.allCases)
    func aStatusBodyIsOneMember(status: HAPStatus) throws {
        #expect(
            try JSONValue(parsing: StatusBody.bytes(of: status))
                == .object(["status": .number(JSONNumber(status.rawValue))])
        )
    }

    @Test func anEventIsWrittenAsTheProtocolShowsIt() {
        let body = #"{"characteristics":[{"aid":1,"iid":10,"value":1}]}"#
        var bytes: [UInt8] = []
        HTTPEvent(body: Array(body.utf8)).append(to: &bytes)
        let head = "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 50\r\n\r\n"
        #expect(String(decoding: bytes, as: UTF8.self) == head + body)
    }

    @Test(arguments: HTTPStatus.allCases)
    func everyStatusIsReadBack(status: HTTPStatus) throws {
        var bytes: [UInt8] = []
        HTTPResponse(status, contentType: .pairingTLV8, body: [1, 2]).append(to: &bytes)
        HTTPEvent(body: [3]).append(to: &bytes)
        HTTPResponse(status).append(to: &bytes)
        var decoder = HTTPResponseDecoder()
        bytes.withUnsafeBytes { decoder.append($0) }
        let hasBody = status != .noContent
        #expect(
            try decoder.next()
                == HTTPMessage(
                    .response,
                    status: status.rawValue,
                    contentType: hasBody ? .pairingTLV8 : nil,
                    body: hasBody ? [1, 2] : []
                )
        )
        #expect(try decoder.next() == HTTPMessage(.event, status: 200, contentType: .hapJSON, body: [3]))
        #expect(try decoder.next() == HTTPMessage(.response, status: status.rawValue))
        #expect(try decoder.next() == nil)
        #expect(!decoder.isMidMessage)
    }

    private func text(_ response: HTTPResponse) -> String {
        var bytes: [UInt8] = []
        response.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
