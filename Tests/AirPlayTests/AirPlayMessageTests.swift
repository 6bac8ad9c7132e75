import AirPlay
import Testing

/// Requests and responses on the wire.
struct AirPlayMessageTests {
    private static let setup =
        "SETUP rtsp://127.0.0.1/1 RTSP/1.0\r\nCSeq: 4\r\nContent-Type: application/x-apple-binary-plist\r\n"
        + "Content-Length: 3\r\n\r\nabc"

    /// Returns the requests, and the refusal that ended the connection.
    private static func requests(
        _ pieces: [[UInt8]],
        maximumBody: Int = AirPlayMessageDecoder.unknownSenderBody
    ) -> ([AirPlayRequest], AirPlayRefusal?) {
        var decoder = AirPlayMessageDecoder(maximumBody: maximumBody)
        var requests: [AirPlayRequest] = []
        do throws(AirPlayRefusal) {
            for piece in pieces {
                decoder.append(piece)
                while let request = try decoder.nextRequest() { requests.append(request) }
            }
            return (requests, nil)
        } catch {
            return (requests, error)
        }
    }

    @Test
    func aRequestIsTheSameWholeAndByteByByte() {
        let bytes = Array((Self.setup + "\r\nGET /info?x=1 HTTP/1.1\nhost:a\n\n").utf8)
        let (whole, _) = Self.requests([bytes])
        let (split, _) = Self.requests(bytes.map { [$0] })
        #expect(whole == split)
        #expect(whole.map(\.method) == ["SETUP", "GET"] && whole.map(\.version) == [.rtsp, .http])
        #expect(whole.first?.body == Array("abc".utf8) && whole.first?.headers["cseq"] == "4")
        #expect(whole.map { String($0.path) } == ["/1", "/info"] && whole.last?.headers["Host"] == "a")
    }

    @Test(arguments: [
        ("GET\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 505), (" / RTSP/1.0\r\n\r\n", 400),
        ("GET / RTSP/1.0\r\n: x\r\n\r\n", 400), ("GET / RTSP/1.0\r\nnothing\r\n\r\n", 400),
        ("GET / RTSP/1.0\r\nContent-Length: -1\r\n\r\n", 400), ("GET / RTSP/1.0\r\nContent-Length: x\r\n\r\n", 400),
        ("GET / RTSP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("GET / RTSP/1.0\r\nContent-Length: 16385\r\n\r\n", 413), ("GET / RTSP/1.0\r\na: \u{FF}\r\n\r\n", 0),
    ])
    func whatIsNoRequestIsRefused(text: String, status: Int) {
        let (requests, refusal) = Self.requests([Array(text.utf8)])
        #expect(refusal?.status ?? 0 == status)
        #expect(requests.isEmpty == (status != 0))
    }

    @Test
    func aHeadIsLimited() {
        let fields = { (count: Int) in String(repeating: "a: b\r\n", count: count) }
        #expect(Self.requests([Array("GET / RTSP/1.0\r\n\(fields(64))\r\n".utf8)]).1 == nil)
        #expect(Self.requests([Array("GET / RTSP/1.0\r\n\(fields(65))\r\n".utf8)]).1?.status == 431)
        let endless = [UInt8](repeating: UInt8(ascii: "a"), count: AirPlayMessageDecoder.maximumHead)
        #expect(Self.requests([endless]).1 == nil)
        #expect(Self.requests([endless, [1]]).1?.status == 431)
        #expect(
            Self.requests([Array("GET / RTSP/1.0\r\n".utf8) + [0xFF, 0xFE] + Array("\r\n\r\n".utf8)]).1?.status == 400
        )
    }

    @Test
    func anAnswerHasTheNumberAndTheProtocolOfItsRequest() {
        let request = AirPlayRequest("POST", "/feedback", .rtsp, ["CSeq": "7"])
        let text = String(decoding: AirPlayResponse(453).bytes(for: request, server: "S"), as: UTF8.self)
        #expect(text == "RTSP/1.0 453 Not Enough Bandwidth\r\nServer: S\r\nCSeq: 7\r\nContent-Length: 0\r\n\r\n")
        let http = AirPlayRequest("GET", "/playback-info", .http)
        let answer = AirPlayResponse(200, ["A": "b\r\nX: y"], [1]).bytes(for: http, server: "S")
        #expect(answer.starts(with: "HTTP/1.1 200 OK\r\n".utf8))
        #expect(!String(decoding: answer, as: UTF8.self).contains("\r\nX:"), "a value has no line break")
    }

    @Test
    func aResponseIsReadBack() throws {
        let request = AirPlayRequest("POST", "/command", .rtsp, ["CSeq": "1"], [1, 2])
        var decoder = AirPlayMessageDecoder()
        decoder.append(AirPlayResponse(200, ["Audio-Latency": "0"], [9]).bytes(for: request, server: "S"))
        let response = try #require(try decoder.nextResponse())
        #expect(response.status == 200 && response.body == [9] && response.headers["audio-latency"] == "0")
        decoder.append(request.bytes)
        #expect(throws: AirPlayRefusal.self) { try decoder.nextResponse() }
    }

    @Test
    func aQueryHasParameters() {
        let request = AirPlayRequest("POST", "/rate?value=1.000000&x", .http)
        #expect(request.query("value") == "1.000000" && request.query("x") == "" && request.query("y") == nil)
    }
}
