import HAPCore
import TestSupport
import Testing

struct HTTPRequestDecoderTests {
    @Test func readRequestIsParsed() throws {
        let result = decode("GET /characteristics?id=1.10,1.11&ev=1 HTTP/1.1\r\nHost: 10.0.0.1:5000\r\n\r\n")
        #expect(result.error == nil)
        #expect(result.requests == [HTTPRequest(.get, .characteristics, query: Array("id=1.10,1.11&ev=1".utf8))])
        #expect(result.requests.first?.unknownPath == "")
    }

    @Test(arguments: HAPEndpoint.allCases)
    func everyEndpointIsKnownByItsExactPath(endpoint: HAPEndpoint) {
        let path = endpoint.path
        #expect(HAPEndpoint(path: Array(path.utf8)) == endpoint)
        for other in [
            path.uppercased(), path + "/", String(path.dropLast()), "/" + path, path + "x", "x" + path.dropFirst(),
        ] {
            #expect(HAPEndpoint(path: Array(other.utf8)) == nil)
        }
        #expect(decode("POST \(path) HTTP/1.1\r\n\r\n").requests.first?.endpoint == endpoint)
    }

    @Test(
        arguments: [
            ("GET", .get), ("PUT", .put), ("POST", .post), ("DELETE", .other), ("get", .other), ("M-SEARCH", .other),
            ("G", .other),
        ] as [(String, HTTPMethod)]
    )
    func methodIsCaseSensitive(text: String, method: HTTPMethod) {
        #expect(decode("\(text) /accessories HTTP/1.1\r\n\r\n").requests == [HTTPRequest(method, .accessories)])
    }

    @Test(arguments: [
        "/nothing", "*", "http://host/accessories", "/Accessories", "/accessories/", "/%61ccessories", "/",
    ])
    func unknownPathIsRecordedForTheLog(path: String) {
        let request = decode("GET \(path)?a?b HTTP/1.1\r\n\r\n").requests.first
        #expect(request?.endpoint == nil)
        #expect(request?.unknownPath == path)
        #expect(request?.query == Array("a?b".utf8))
    }

    @Test(arguments: [
        "Content-Length: 3", "content-length:3", "CONTENT-LENGTH:  \t3 \t ", "Content-Length: 0003",
        "X: \u{E9}\r\nContent-Length: 3", "Expect: 100-continue\r\nContent-Length: 3", "Empty:\r\nContent-Length: 3",
        "Content-Length: 3\r\nContent-Length2: 4", "Content-Lengt: 9\r\nContent-Length: 3",
        "Content-Type: text/html\r\nContent-Length: 3",
    ])
    func headersAreReadLeniently(fields: String) {
        let result = decode("PUT /prepare HTTP/1.1\r\n\(fields)\r\n\r\nabc")
        #expect(result.requests == [HTTPRequest(.put, .prepare, body: Array("abc".utf8))])
    }

    @Test(arguments: [
        "GET /accessories HTTP/1.1\n\r\n", "GET /accessories HTTP/1.1\r\nA: b\n\r\n", "GET /accessories HTTP/1.1\r\n\n",
        "GET /accessories HTTP/1.1\rA: b\r\n\r\n", "GET /acc\0essories HTTP/1.1\r\n\r\n", "\0", "\u{16}\u{3}\u{1}",
        "GET /accessories HTTP/1.1\r\nA: \u{1}\r\n\r\n", "GET /accessories HTTP/1.1\r\nA: \u{7F}\r\n\r\n",
        "GET /accessories HTTP/1.1\r\n A: b\r\n\r\n", "GET /accessories HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        "GET /accessories HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", "GET /accessories HTTP/1.1\r\nA : b\r\n\r\n",
        "GET /accessories HTTP/1.1\r\nA\r\n\r\n", "GET /accessories HTTP/1.1\r\n: b\r\n\r\n",
        "GET /accessories HTTP/1.1\r\n(A): b\r\n\r\n", "GET /accessories HTTP/1.1\r\n\u{E9}: b\r\n\r\n",
        "GET /accessories\r\n\r\n", "GET  /accessories HTTP/1.1\r\n\r\n", "GET /accessories  HTTP/1.1\r\n\r\n",
        "GET /accessories HTTP/1.0\r\n\r\n", "GET /accessories HTTP/2.0\r\n\r\n", "GET /accessories http/1.1\r\n\r\n",
        "GET /accessories HTTP/1.1 \r\n\r\n", "GET /accessories HTTP/1.11\r\n\r\n", "GET /a\tb HTTP/1.1\r\n\r\n",
        "GET /\u{E9} HTTP/1.1\r\n\r\n", " GET /accessories HTTP/1.1\r\n\r\n", "GET\r\n\r\n", "GET \r\n\r\n",
        "GET HTTP/1.1\r\n\r\n",
        "G(T /accessories HTTP/1.1\r\n\r\n", "\r\n\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "EVENT/1.0 200 OK\r\n\r\n",
        "PUT /prepare HTTP/1.1\r\nContent-Length:\r\n\r\n", "PUT /prepare HTTP/1.1\r\nContent-Length: a\r\n\r\n",
        "PUT /prepare HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "PUT /prepare HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
        "PUT /prepare HTTP/1.1\r\nContent-Length: 1.0\r\n\r\n", "PUT /prepare HTTP/1.1\r\nContent-Length: 0x1\r\n\r\n",
        "PUT /prepare HTTP/1.1\r\nContent-Length: 1 1\r\n\r\n", "PUT /prepare HTTP/1.1\r\nContent-Length: 1,1\r\n\r\n",
        "PUT /prepare HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\n",
    ])
    func invalidRequestClosesTheConnection(text: String) {
        for step in [Int.max, 1] {
            let result = decode(text, step: step)
            #expect(result.requests.isEmpty)
            #expect(result.error?.code == .http)
            #expect(result.error != HTTPRequestDecoder.chunkedBodyError)
        }
    }

    @Test(arguments: [
        "Transfer-Encoding: chunked", "transfer-encoding:identity", "Content-Length: 3\r\nTransfer-Encoding: chunked",
    ])
    func chunkedRequestIsReportedSeparately(field: String) {
        let result = decode("PUT /prepare HTTP/1.1\r\n\(field)\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        #expect(result.error == HTTPRequestDecoder.chunkedBodyError)
    }

    @Test(
        arguments: [
            ("9", nil), ("10", nil), ("11", .tooLarge), ("18446744073709551616", .tooLarge),
            ("9223372036854775808", .tooLarge),
        ]
            as [(String, ProtocolError.Code?)]
    )
    func bodyBeyondTheLimitIsRefusedByItsHead(length: String, code: ProtocolError.Code?) {
        let limits = HTTPLimits(maximumHeadBytes: 1024, maximumBodyBytes: 10)
        let result = decode("PUT /prepare HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n", limits: limits)
        #expect(result.error?.code == code)
    }

    @Test func bodyLimitRisesWithTheSession() throws {
        var decoder = HTTPRequestDecoder(limits: .verified)
        let head = "PUT /characteristics HTTP/1.1\r\nContent-Length: 4194304\r\n\r\n"
        Array(head.utf8).withUnsafeBytes { decoder.append($0) }
        #expect(try decoder.next() == nil)
        #expect(decoder.isMidRequest)
        [UInt8](repeating: 0x61, count: 4 << 20).withUnsafeBytes { decoder.append($0) }
        #expect(try decoder.next()?.body.count == 4 << 20)
        #expect(!decoder.isMidRequest)
        #expect(decode(head).error?.code == .tooLarge)
    }

    @Test(arguments: [Int.max, 1, 7])
    func headMayHaveAsManyBytesAsTheLimit(step: Int) {
        let frame = "GET /accessories HTTP/1.1\r\nX: \r\n\r\n"
        for (excess, isAccepted) in [(-1, true), (0, true), (1, false)] {
            let filler = String(repeating: "x", count: 1024 + excess - frame.utf8.count)
            let text = "GET /accessories HTTP/1.1\r\nX: \(filler)\r\n\r\n"
            let result = decode(text, step: step, limits: HTTPLimits(maximumHeadBytes: 1024, maximumBodyBytes: 0))
            #expect(result.error?.code == (isAccepted ? nil : .tooLarge))
            #expect(result.requests.count == (isAccepted ? 1 : 0))
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func controlCharacterIsRefusedAnywhere(byte: UInt8) {
        let isControl = byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F
        for length in 0..<24 {
            let padding = [UInt8](repeating: 0xFF, count: length)
            let head = Array("GET /identify HTTP/1.1\r\nX: ".utf8) + padding + [byte] + Array("\r\n\r\n".utf8)
            for step in [Int.max, 1, 7] {
                let result = decode(head, step: step, limits: .unverified)
                #expect(result.requests.isEmpty == isControl, "byte \(byte) behind \(length) others")
                #expect((result.error != nil) == isControl)
            }
        }
    }

    @Test func anEndlessHeadIsRefusedAtTheLimit() {
        #expect(decode(String(repeating: "A", count: 16 << 10)).error?.code == .tooLarge)
        #expect(decode(String(repeating: "A", count: (16 << 10) - 1)).error == nil)
    }

    @Test func pipelinedRequestsAreReturnedInOrder() {
        let put = "PUT /prepare HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
        let result = decode("\r\n\r\nGET /accessories HTTP/1.1\r\n\r\n\(put)\r\nPOST /identify HTTP/1.1\r\n\r\n")
        #expect(result.requests.map(\.endpoint) == [.accessories, .prepare, .identify])
        #expect(result.requests.map(\.body.count) == [0, 2, 0])
        #expect(result.error == nil)
    }

    @Test func requestsBeforeAnErrorAreStillReturned() {
        let result = decode("GET /accessories HTTP/1.1\r\n\r\nnonsense\r\n\r\n")
        #expect(result.requests.count == 1)
        #expect(result.error?.code == .http)
    }

    @Test func decoderRefusesEverythingAfterAnError() {
        var decoder = HTTPRequestDecoder()
        Array("nonsense\r\n\r\n".utf8).withUnsafeBytes { decoder.append($0) }
        let first = #expect(throws: ProtocolError.self) { try decoder.next() }
        Array("GET /accessories HTTP/1.1\r\n\r\n".utf8).withUnsafeBytes { decoder.append($0) }
        let second = #expect(throws: ProtocolError.self) { try decoder.next() }
        #expect(first == second)
        #expect(decoder.bufferedByteCount == 0)
    }

    @Test func bytesAreFilledInPlaceAndDiscardedWhenDeclined() throws {
        var decoder = HTTPRequestDecoder()
        let text = Array("GET /accessories HTTP/1.1\r\n\r\n".utf8)
        #expect(
            decoder.append(count: text.count) {
                $0.copyBytes(from: text)
                return true
            }
        )
        #expect(
            !decoder.append(count: 100) {
                $0.copyBytes(from: text)
                return false
            }
        )
        #expect(decoder.bufferedByteCount == text.count)
        #expect(try decoder.next() == HTTPRequest(.get, .accessories))
        #expect(!decoder.isMidRequest)
    }

    @Test func fragmentationChangesNothing() {
        var generator = SeededRandom(seed: 3)
        let body = #"{"ttl":1,"pid":2}"#
        let text = Array(
            """
            \r\nGET /characteristics?id=1.2 HTTP/1.1\r\nHost: a\r\nX:  y \r\n\r\n\r\n\
            PUT /prepare HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)\
            POST /pair-verify?x HTTP/1.1\r\nContent-Length: 0\r\nA:\r\n\r\nGET /x HTTP/1.1\r\n\r\n
            """
            .utf8
        )
        let limits = HTTPLimits(maximumHeadBytes: 80, maximumBodyBytes: 200)
        #expect(decode(text, step: .max, limits: limits).requests.count == 4)
        for round in 0..<3000 {
            let bytes = round == 0 ? text : text.damaged(using: &generator)
            let whole = decode(bytes, step: .max, limits: limits)
            #expect(decode(bytes, step: 1, limits: limits) == whole)
            #expect(decode(bytes, step: Int.random(in: 2...60, using: &generator), limits: limits) == whole)
        }
    }

    @Test func aWrittenRequestIsReadBack() throws {
        let requests = [
            HTTPRequest(.get, .characteristics, query: Array("id=1.2".utf8)),
            HTTPRequest(.post, .pairSetup, body: [6, 1, 1]),
            HTTPRequest(.post, .identify), HTTPRequest(.put, .prepare, body: Array("{}".utf8)),
            HTTPRequest(.get, path: "/other"),
        ]
        var bytes: [UInt8] = []
        for request in requests {
            request.append(to: &bytes, host: "Lamp\r\nContent-Length: 9\r\n 1._hap._tcp.local")
        }
        #expect(decode(bytes, step: .max, limits: .unverified).requests == requests)
    }

    @Test func aRequestIsWrittenAsControllersDo() {
        var bytes: [UInt8] = []
        HTTPRequest(.post, .pairVerify, body: [1, 2, 3]).append(to: &bytes, host: "10.0.0.1")
        let head =
            "POST /pair-verify HTTP/1.1\r\nHost: 10.0.0.1\r\nContent-Length: 3\r\nContent-Type: "
            + "application/pairing+tlv8\r\n\r\n"
        #expect(bytes == Array(head.utf8) + [1, 2, 3])
    }

    @Test(
        arguments: [
            ("Host: 10.0.0.1\r\nContent-Length: 1\r\nContent-Type: x", false, false),
            ("Host: 10.0.0.1:80\r\nContent-Type: x\r\nContent-Length: 1", true, true),
            ("content-type: x\r\nHOST: lamp.local:5000\r\nContent-Length: 1", true, true),
            ("Host: [fe80::1]\r\nContent-Length: 1", false, false),
            ("Host: [fe80::1]:80\r\nContent-Length: 1", false, true),
            ("Host: :\r\nContent-Length: 1", false, false), ("Host: 80\r\nContent-Length: 1", false, false),
        ]
    )
    func theFormOfARequestIsKnown(head: String, hasTypeBeforeLength: Bool, hasPortInHost: Bool) throws {
        var decoder = HTTPRequestDecoder()
        let text = "PUT /prepare HTTP/1.1\r\n\(head)\r\n\r\nx"
        Array(text.utf8).withUnsafeBytes { decoder.append($0) }
        _ = try #require(try decoder.next())
        #expect(decoder.lastForm.byteCount == text.utf8.count)
        #expect(decoder.lastForm.hasTypeBeforeLength == hasTypeBeforeLength)
        #expect(decoder.lastForm.hasPortInHost == hasPortInHost)
    }

    private struct Result: Equatable {
        var requests: [HTTPRequest] = []
        var error: ProtocolError?
    }

    private func decode(_ text: String, step: Int = .max, limits: HTTPLimits = .unverified) -> Result {
        decode(Array(text.utf8), step: step, limits: limits)
    }

    private func decode(_ bytes: [UInt8], step: Int, limits: HTTPLimits) -> Result {
        var decoder = HTTPRequestDecoder(limits: limits)
        var result = Result()
        var rest = bytes[...]
        while !rest.isEmpty, result.error == nil {
            rest.prefix(step).withUnsafeBytes { decoder.append($0) }
            rest = rest.dropFirst(step)
            do throws(ProtocolError) {
                while let request = try decoder.next() {
                    result.requests.append(request)
                }
            } catch {
                result.error = error
            }
        }
        return result
    }
}
