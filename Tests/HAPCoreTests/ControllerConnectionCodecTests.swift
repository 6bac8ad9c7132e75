import HAPCore
import TestSupport
import Testing

@Suite("The bytes of a connection to an accessory")
struct ControllerConnectionCodecTests {
    private static let response = HTTPResponse.json(.ok, Array(#"{"a":1}"#.utf8))
    private static let large = HTTPResponse.json(.ok, [UInt8](repeating: 0x20, count: 100_000))

    private static func bytes(_ response: HTTPResponse) -> [UInt8] {
        var bytes: [UInt8] = []
        response.append(to: &bytes)
        return bytes
    }

    private static func event(_ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        HTTPEvent(body: body).append(to: &bytes)
        return bytes
    }

    /// Both ends of a session.
    private struct CodecPair: ~Copyable {
        var accessory = AccessoryConnectionCodec()
        var controller = ControllerConnectionCodec()

        init() {
            let secret = SessionSecret(keys: SecretBytes(hex: String(repeating: "5a", count: 64)))
            accessory.secure(with: SessionKeys(secret: secret, role: .accessory))
            controller.secure(with: SessionKeys(secret: secret, role: .controller))
        }
    }

    private static func encoded(_ message: [UInt8], by codec: inout AccessoryConnectionCodec) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: codec.encodedSize(of: message.count))
        bytes.withUnsafeMutableBytes { target in
            message.withUnsafeBytes { codec.encode($0, into: target) }
        }
        return bytes
    }

    @Test("Bytes are split into responses and events, in any pieces", arguments: [1, 2, 7, 1_024, 1_042, 1_000_000])
    func anyPieces(_ size: Int) throws {
        var ends = CodecPair()
        let message = Self.event([1]) + Self.event([2]) + Self.bytes(Self.large) + Self.event([3])
        let stream = Self.encoded(message, by: &ends.accessory)
        var messages: [HTTPMessage] = []
        var start = 0
        while start < stream.count {
            let end = min(start + size, stream.count)
            try Array(stream[start..<end]).withUnsafeBytes { try ends.controller.receive($0) }
            while let message = try ends.controller.nextMessage() {
                messages.append(message)
            }
            start = end
        }
        #expect(messages.map(\.kind) == [.event, .event, .response, .event])
        #expect(messages.map(\.body.count) == [1, 1, 100_000, 1])
        let isMidMessage = ends.controller.isMidMessage
        #expect(!isMidMessage)
    }

    @Test("The accessory's codec reads the bytes of requests")
    func requests() throws {
        var ends = CodecPair()
        let request = HTTPRequest(.put, .characteristics, body: [UInt8](repeating: 7, count: 3_000))
        var message: [UInt8] = []
        request.append(to: &message, host: "lamp")
        var bytes = [UInt8](repeating: 0, count: ends.controller.encodedSize(of: message.count))
        bytes.withUnsafeMutableBytes { ends.controller.encode(message, into: $0) }
        try bytes.withUnsafeBytes { try ends.accessory.receive($0) }
        #expect(try ends.accessory.nextRequest() == request)
    }

    @Test("Bytes after the last unencrypted response are frames")
    func framesBehindClear() throws {
        let secret = SessionSecret(keys: SecretBytes(hex: String(repeating: "5a", count: 64)))
        var accessory = AccessoryConnectionCodec()
        var controller = ControllerConnectionCodec()
        let clear = Self.encoded(Self.bytes(Self.response), by: &accessory)
        accessory.secure(with: SessionKeys(secret: secret, role: .accessory))
        let framed = Self.encoded(Self.event([7]), by: &accessory)
        try (clear + framed).withUnsafeBytes { try controller.receive($0) }
        #expect(try controller.nextMessage()?.body == Self.response.body)
        let isMidMessage = controller.isMidMessage
        #expect(isMidMessage)
        controller.secure(with: SessionKeys(secret: secret, role: .controller))
        #expect(try controller.nextMessage() == HTTPMessage(.event, status: 200, contentType: .hapJSON, body: [7]))
    }

    @Test("Unencrypted messages have at most 64 KiB, and those of a session at most 16 MiB")
    func limits() throws {
        var clear = ControllerConnectionCodec()
        let head = { (count: Int) in Array("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n".utf8) }
        try head(65_536).withUnsafeBytes { try clear.receive($0) }
        #expect(try clear.nextMessage() == nil)
        var tooMuch = ControllerConnectionCodec()
        try head(65_537).withUnsafeBytes { try tooMuch.receive($0) }
        #expect { try tooMuch.nextMessage() } throws: { ($0 as? ProtocolError)?.code == .tooLarge }
        var ends = CodecPair()
        try Self.encoded(head((16 << 20) + 1), by: &ends.accessory).withUnsafeBytes { try ends.controller.receive($0) }
        #expect { try ends.controller.nextMessage() } throws: { ($0 as? ProtocolError)?.code == .tooLarge }
    }

    @Test("A frame with a wrong tag is refused, and so is everything after it")
    func wrongTag() throws {
        var ends = CodecPair()
        var stream = Self.encoded(Self.bytes(Self.response), by: &ends.accessory)
        stream[stream.count - 1] ^= 1
        let again = Self.encoded(Self.bytes(Self.response), by: &ends.accessory)
        for bytes in [stream, again] {
            #expect { try bytes.withUnsafeBytes { try ends.controller.receive($0) } } throws: {
                ($0 as? ProtocolError)?.code == .frame
            }
        }
    }
}
