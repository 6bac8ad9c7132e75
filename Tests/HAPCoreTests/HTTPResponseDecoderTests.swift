import HAPCore
import TestSupport
import Testing

struct HTTPResponseDecoderTests {
    @Test(arguments: [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
            HTTPMessage(.response, status: 200, body: Array("abc".utf8))
        ),
        ("HTTP/1.1 470\r\ncontent-length:0\r\n\r\n", HTTPMessage(.response, status: 470)),
        ("HTTP/1.1 470 \r\n\r\n", HTTPMessage(.response, status: 470)),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n", HTTPMessage(.response, status: 204)),
        (
            "HTTP/1.1 207 Multi-Status\r\nCONTENT-TYPE:  Application/HAP+JSON; charset=utf-8 \r\nContent-Length: "
                + "2\r\n\r\n{}",
            HTTPMessage(.response, status: 207, contentType: .hapJSON, body: Array("{}".utf8))
        ),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", HTTPMessage(.response, status: 200)),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", HTTPMessage(.response, status: 200)),
        (
            "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}",
            HTTPMessage(.event, status: 200, contentType: .hapJSON, body: Array("{}".utf8))
        ),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: CHUNKED\r\n\r\n3\r\nabc\r\n0a;x=\"y\"\r\n0123456789\r\n0\r\n\r\n",
            HTTPMessage(.response, status: 200, body: Array("abc0123456789".utf8))
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n1 \r\na\r\n000 ;z\r\nA: "
                + "b\r\nC:d\r\n\r\n",
            HTTPMessage(.response, status: 200, body: Array("a".utf8))
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", HTTPMessage(.response, status: 200)),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            HTTPMessage(.response, status: 200, body: [0x61])
        ),
    ])
    func aMessageIsReadWholeAndByteByByte(text: String, message: HTTPMessage) {
        for step in [Int.max, 1, 2, 5] {
            let result = decode(Array((text + text).utf8), step: step)
            #expect(result == Result(messages: [message, message]))
        }
    }

    @Test(arguments: [
        "HTTP/1.0 200 OK\r\n\r\n", "EVENT/1.1 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "\r\n",
        "HTTP/1.1 \r\n\r\n", "EVENT/1.0 \r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\n\n",
        "HTTP/1.1 200 \0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno header\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1x\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;x\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\nA",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\nb",
    ])
    func invalidMessageIsRefused(text: String) {
        for step in [Int.max, 1] {
            #expect(decode(Array(text.utf8), step: step).error?.code == .http)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000000000000000001\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0;" + String(repeating: "x", count: 1024), true),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "A: b\r\n", count: 100),
            true
        ),
        ("HTTP/1.1 200 " + String(repeating: "x", count: 200), true),
    ])
    func messageBeyondALimitIsRefused(text: String, isRefused: Bool) {
        let limits = HTTPLimits(maximumHeadBytes: 100, maximumBodyBytes: 10)
        for step in [Int.max, 1] {
            let result = decode(Array(text.utf8), step: step, limits: limits)
            #expect(result.error?.code == (isRefused ? .tooLarge : nil))
            #expect(result.messages.isEmpty)
        }
    }

    @Test func aLargeBodyInManyChunksIsJoined() {
        var text = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        var body: [UInt8] = []
        for size in 0..<600 {
            let chunk = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size + 1)
            text += Array("\(String(size + 1, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
            body += chunk
        }
        text += Array("0\r\n\r\n".utf8)
        for step in [Int.max, 1, 1024] {
            #expect(decode(text, step: step).messages == [HTTPMessage(.response, status: 200, body: body)])
        }
    }

    @Test func decoderRefusesEverythingAfterAnError() {
        var decoder = HTTPResponseDecoder()
        Array("nonsense\r\n\r\n".utf8).withUnsafeBytes { decoder.append($0) }
        let first = #expect(throws: ProtocolError.self) { try decoder.next() }
        Array("HTTP/1.1 204 No Content\r\n\r\n".utf8).withUnsafeBytes { decoder.append($0) }
        let second = #expect(throws: ProtocolError.self) { try decoder.next() }
        #expect(first == second)
    }

    @Test func partialMessageIsVisibleUntilItIsConsumed() throws {
        var decoder = HTTPResponseDecoder()
        #expect(!decoder.isMidMessage)
        Array("EVENT/1.0 200 OK\r\n".utf8).withUnsafeBytes { decoder.append($0) }
        #expect(try decoder.next() == nil)
        #expect(decoder.isMidMessage)
        Array("\r\n".utf8).withUnsafeBytes { decoder.append($0) }
        #expect(try decoder.next() == HTTPMessage(.event, status: 200))
        #expect(!decoder.isMidMessage)
    }

    @Test func fragmentationChangesNothing() {
        var generator = SeededRandom(seed: 4)
        let text = Array(
            """
            HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcdEVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\n\
            Content-Length: 2\r\n\r\n{}HTTP/1.1 207 Multi\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nabcde\r\n1f\r\n\
            0123456789012345678901234567890\r\n0\r\nT: u\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n
            """
            .utf8
        )
        let limits = HTTPLimits(maximumHeadBytes: 90, maximumBodyBytes: 60)
        #expect(decode(text, step: .max, limits: limits).messages.count == 4)
        for _ in 0..<3000 {
            let bytes = text.damaged(using: &generator)
            let whole = decode(bytes, step: .max, limits: limits)
            #expect(decode(bytes, step: 1, limits: limits) == whole)
            #expect(decode(bytes, step: Int.random(in: 2...60, using: &generator), limits: limits) == whole)
        }
    }

    private struct Result: Equatable {
        var messages: [HTTPMessage] = []
        var error: ProtocolError?
    }

    private func decode(_ bytes: [UInt8], step: Int, limits: HTTPLimits = .responses) -> Result {
        var decoder = HTTPResponseDecoder(limits: limits)
        var result = Result()
        var rest = bytes[...]
        while !rest.isEmpty, result.error == nil {
            rest.prefix(step).withUnsafeBytes { decoder.append($0) }
            rest = rest.dropFirst(step)
            do throws(ProtocolError) {
                while let message = try decoder.next() {
                    result.messages.append(message)
                }
            } catch {
                result.error = error
            }
        }
        return result
    }
}
