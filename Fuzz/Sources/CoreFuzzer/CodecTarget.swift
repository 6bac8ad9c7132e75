import FuzzHarness
import HAPCore

/// The accessory's connection codec: in clear, then in frames; the same whole and in pieces.
enum CodecTarget: FuzzTarget {
    static let name = "codec"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, bytes) in RequestSeeds.plain {
            seeds["clear-\(name)"] = [0, 5, 0xFF, 0xFF] + bytes
            seeds["session-\(name)"] = [3, 5, 0, 0] + bytes
        }
        let read = RequestSeeds.plain["read"] ?? []
        seeds["switched"] = [1, 9, UInt8(read.count), 0] + read + read
        seeds["cut-frames"] = [0x43, 0, 0, 0] + read + read
        return seeds
    }

    /// What was received, and whether it came to frames.
    private struct Trace: Equatable {
        var stream = HTTPStream<HTTPRequest>()
        var isSecured = false
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let options = source.byte()
        let cuts = Cuts(source.byte())
        let boundary = source.number()
        let text = source.remainder()
        // A session begins behind a whole request, so that its first frame is not read before it is one.
        let clear = Array(text.prefix(boundary))
        let sealed = Self.sealed(Array(text.dropFirst(boundary)), frameSize: options & 0x40 == 0 ? 1_024 : 3)
        let isDamaged = options & 0x20 != 0 && !sealed.isEmpty
        var bytes = sealed
        if isDamaged {
            bytes[boundary % bytes.count] ^= 1 << (options & 7)
        }
        let whole = trace(clear, bytes, nil)
        let pieces = trace(clear, bytes, cuts)
        if isDamaged {
            // A frame that does not hold ends the connection at once, with requests that came in the same piece.
            claim(
                pieces.stream.messages.starts(with: whole.stream.messages),
                "requests are the same whole and in pieces"
            )
        } else {
            claim(whole == pieces, "a connection is the same whole and in pieces")
        }
        let reference = HTTPStream<HTTPRequest>.requests(Array(text.dropFirst(boundary)), cut: nil, limits: .verified)
        if clear.isEmpty, !isDamaged {
            claim(whole.stream == reference, "frames carry what they carry in clear")
        }
    }

    private static func trace(_ clear: [UInt8], _ sealed: [UInt8], _ cuts: Cuts?) -> Trace {
        var codec = AccessoryConnectionCodec()
        var trace = Trace()
        func receive(_ piece: UnsafeRawBufferPointer) {
            guard trace.stream.failure == nil else { return }
            if case .failure(let error) = outcome({ () throws(ProtocolError) in try codec.receive(piece) }) {
                trace.stream.take { () throws(ProtocolError) in throw error }
            } else {
                trace.stream.take { () throws(ProtocolError) in try codec.nextRequest() }
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
        if trace.stream.failure == nil {
            codec.secure(with: keys(.accessory))
            trace.isSecured = true
            checkAnswer(&codec)
            // What came behind the last request in clear is taken for frames at once.
            trace.stream.take { () throws(ProtocolError) in try codec.nextRequest() }
            receiveAll(sealed)
        }
        trace.stream.isMidMessage = trace.stream.failure == nil && codec.isMidRequest
        return trace
    }

    /// What the accessory encodes, the controller opens.
    private static func checkAnswer(_ codec: inout AccessoryConnectionCodec) {
        let message = [UInt8](repeating: 0x41, count: 1_500)
        var target = [UInt8](repeating: 0, count: codec.encodedSize(of: message.count))
        target.withUnsafeMutableBytes { codec.encode(message, into: $0) }
        let opened = FrameStream(opening: target, cut: nil, with: keys(.controller))
        claim(opened.plaintext == message && opened.failure == nil, "a controller opens what the accessory sealed")
    }

    private static func keys(_ role: SessionRole) -> SessionKeys {
        SessionKeys(secret: SessionSecret(keys: SecretBytes(copying: [UInt8](repeating: 7, count: 64))), role: role)
    }

    private static func sealed(_ plaintext: [UInt8], frameSize: Int) -> [UInt8] {
        var sealer = keys(.controller).takeSealer()
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: plaintext.count, by: frameSize) {
            sealed += sealer.sealed(Array(plaintext[start..<min(start + frameSize, plaintext.count)]))
        }
        return sealed
    }
}
