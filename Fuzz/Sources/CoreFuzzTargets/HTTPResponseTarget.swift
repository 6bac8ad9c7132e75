import FuzzHarness
import HAPCore
import TestSupport

/// Responses and events: the same whole and in pieces, within the limits, and the same when written and read again.
enum HTTPResponseTarget: FuzzTarget {
    static let name = "http-response"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        var all: [UInt8] = []
        for status in HTTPStatus.allCases {
            let body = status == .noContent ? [] : StatusBody.bytes(of: .busy)
            HTTPResponse(status, contentType: .hapJSON, body: body).append(to: &all)
        }
        HTTPEvent(body: Array("{\"characteristics\":[]}".utf8)).append(to: &all)
        seeds["all"] = [0, 5] + all
        seeds["vector"] = [0, 0] + Array((Vectors.all.session.response.text + Vectors.all.session.event.text).utf8)
        let texts = [
            "chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\n{\"a\":\r\nA\r\n1234567890\r\n"
                + "0\r\nTrailer: x\r\n\r\nHTTP/1.1 204\r\n\r\n",
            "interim": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                + "content-type: application/hap+json; charset=utf-8\r\n\r\n{}",
        ]
        for (name, text) in texts {
            seeds[name] = [2, 11] + Array(text.utf8)
        }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let limits =
            source.byte() % 2 == 0 ? HTTPLimits.responses : HTTPLimits(maximumHeadBytes: 100, maximumBodyBytes: 40)
        let cuts = Cuts(source.byte())
        let bytes = source.remainder()
        let whole = HTTPStream<HTTPMessage>.messages(bytes, cut: nil, limits: limits)
        let pieces = HTTPStream<HTTPMessage>.messages(bytes, cut: cuts, limits: limits)
        claim(whole == pieces, "messages are the same whole and in pieces")
        for message in whole.messages {
            claim(message.body.count <= limits.maximumBodyBytes, "a body is within its limit")
            claim(200...999 ~= message.status, "an interim response is none")
            check(message)
        }
    }

    private static func check(_ message: HTTPMessage) {
        var bytes: [UInt8] = []
        var expected = message
        switch message.kind {
        case .event:
            HTTPEvent(body: message.body).append(to: &bytes)
            expected.status = 200
            expected.contentType = .hapJSON
        case .response:
            guard let status = HTTPStatus(rawValue: message.status) else { return }
            HTTPResponse(status, contentType: message.contentType, body: message.body).append(to: &bytes)
            if message.body.isEmpty {
                expected.contentType = nil
            }
        }
        let again = HTTPStream<HTTPMessage>.messages(bytes, cut: nil, limits: .responses)
        claim(again.messages == [expected] && again.failure == nil, "a message is read as it is written")
        claim(!again.isMidMessage, "a message is written without anything behind it")
    }
}
