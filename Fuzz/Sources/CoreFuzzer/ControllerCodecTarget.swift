import FuzzHarness
import HAPCore

/// The controller's connection codec: answers in clear, then answers and events in frames; the same whole and in pieces.
enum ControllerCodecTarget: FuzzTarget {
    static let name = "controller-codec"

    static var seeds: [String: [UInt8]] {
        var answer: [UInt8] = []
        HTTPResponse(.multiStatus, contentType: .hapJSON, body: StatusBody.bytes(of: .busy)).append(to: &answer)
        var event: [UInt8] = []
        HTTPEvent(body: Array(#"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#.utf8)).append(to: &event)
        let chunked = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".utf8)
        return [
            "clear": [0, 5, 0xFF, 0xFF] + answer + chunked,
            "session": [3, 5, 0, 0] + answer + event + event + chunked,
            "switched": [1, 9, UInt8(answer.count), 0] + answer + event + answer,
            "event-in-clear": [1, 9, UInt8(event.count), 0] + event + answer,
            "cut-frames": [0x43, 0, 0, 0] + event + answer,
            "damaged": [0x23, 3, 7, 0] + answer,
        ]
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let options = source.byte()
        let cuts = Cuts(source.byte())
        let boundary = source.number()
        let text = source.remainder()
        // A session begins behind a whole answer, so that its first frame is not read before it is one.
        let clear = Array(text.prefix(boundary))
        var bytes = sealed(Array(text.dropFirst(boundary)), frameSize: options & 0x40 == 0 ? 1_024 : 3)
        let isDamaged = options & 0x20 != 0 && !bytes.isEmpty
        if isDamaged {
            bytes[boundary % bytes.count] ^= 1 << (options & 7)
        }
        let whole = trace(clear, bytes, nil)
        let pieces = trace(clear, bytes, cuts)
        if isDamaged {
            // A frame that does not hold ends the connection at once, with messages that came in the same piece.
            claim(pieces.messages.starts(with: whole.messages), "messages are the same whole and in pieces")
        } else {
            claim(whole == pieces, "a connection is the same whole and in pieces")
        }
        if clear.isEmpty, !isDamaged {
            var reference = HTTPStream<HTTPMessage>.messages(text, cut: nil, limits: .responses)
            // What is left behind a fault is nothing.
            reference.isMidMessage = reference.isMidMessage && reference.failure == nil
            claim(whole == reference, "frames carry what they carry in clear")
        }
    }

    private static func trace(_ clear: [UInt8], _ sealed: [UInt8], _ cuts: Cuts?) -> HTTPStream<HTTPMessage> {
        var codec = ControllerConnectionCodec()
        var stream = HTTPStream<HTTPMessage>()
        func receive(_ piece: UnsafeRawBufferPointer) {
            guard stream.failure == nil else { return }
            if case .failure(let error) = outcome({ () throws(ProtocolError) in try codec.receive(piece) }) {
                stream.take { () throws(ProtocolError) in throw error }
            } else {
                stream.take { () throws(ProtocolError) in try codec.nextMessage() }
            }
        }
        func receiveAll(_ bytes: [UInt8]) {
            if var cuts {
                cuts.forEach(of: bytes, receive)
            } else {
                bytes.withUnsafeBytes(receive)
            }
        }
        receiveAll(clear)
        if stream.failure == nil {
            codec.secure(with: keys(.controller))
            checkRequest(&codec)
            // What came behind the last answer in clear is taken for frames at once.
            stream.take { () throws(ProtocolError) in try codec.nextMessage() }
            receiveAll(sealed)
        }
        stream.isMidMessage = stream.failure == nil && codec.isMidMessage
        return stream
    }

    /// What the controller encodes, the accessory opens.
    private static func checkRequest(_ codec: inout ControllerConnectionCodec) {
        let message = [UInt8](repeating: 0x41, count: 1_500)
        var target = [UInt8](repeating: 0, count: codec.encodedSize(of: message.count))
        target.withUnsafeMutableBytes { codec.encode(message, into: $0) }
        let opened = FrameStream(opening: target, cut: nil, with: keys(.accessory))
        claim(opened.plaintext == message && opened.failure == nil, "an accessory opens what the controller sealed")
    }

    private static func keys(_ role: SessionRole) -> SessionKeys {
        SessionKeys(secret: SessionSecret(keys: SecretBytes(copying: [UInt8](repeating: 7, count: 64))), role: role)
    }

    private static func sealed(_ plaintext: [UInt8], frameSize: Int) -> [UInt8] {
        var sealer = keys(.accessory).takeSealer()
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: plaintext.count, by: frameSize) {
            sealed += sealer.sealed(Array(plaintext[start..<min(start + frameSize, plaintext.count)]))
        }
        return sealed
    }
}
