import HAPCore

/// The frames of a controller's session in both directions.
///
/// A frame is two bytes of length, which are authenticated, up to 1,024 encrypted bytes and a tag of 16 bytes. Its nonce is
/// its number in its direction.
///
/// HAP: §8
package struct FrameCodec: Sendable {
    private static let maximumPlaintext = 1_024

    private let sendingKey: [UInt8]
    private let receivingKey: [UInt8]
    private var sentCount: UInt64 = 0
    private var receivedCount: UInt64 = 0
    /// The start of a frame that is not complete.
    private var incomplete: [UInt8] = []

    /// Derives the keys from the shared secret of pair-verify.
    init(sharedSecret: [UInt8]) {
        sendingKey = AEAD.key(from: sharedSecret, salt: "Control-Salt", info: "Control-Write-Encryption-Key")
        receivingKey = AEAD.key(from: sharedSecret, salt: "Control-Salt", info: "Control-Read-Encryption-Key")
    }

    /// Returns the frames that carry a message.
    mutating func seal(_ message: [UInt8]) -> [UInt8] {
        var frames: [UInt8] = []
        for start in stride(from: 0, to: message.count, by: Self.maximumPlaintext) {
            let plaintext = Array(message[start...].prefix(Self.maximumPlaintext))
            let length = [UInt8(plaintext.count & 0xFF), UInt8(plaintext.count >> 8)]
            frames += length + AEAD.seal(plaintext, authenticating: length, nonce: sentCount, key: sendingKey)
            sentCount += 1
        }
        return frames
    }

    /// Returns the plaintext of every frame that bytes complete.
    ///
    /// - Throws: `ProtocolError` when a frame is too long or its tag is wrong.
    mutating func open(_ bytes: [UInt8]) throws -> [UInt8] {
        incomplete += bytes
        var plaintext: [UInt8] = []
        var start = 0
        while incomplete.count - start >= 2 {
            let length = Array(incomplete[start..<(start + 2)])
            let count = Int(length[0]) + Int(length[1]) * 256
            guard count <= Self.maximumPlaintext else { throw failure("\(count) bytes are too many") }
            let end = start + 2 + count + 16
            guard incomplete.count >= end else { break }
            let sealed = Array(incomplete[(start + 2)..<end])
            let opened = AEAD.open(sealed, authenticating: length, nonce: receivedCount, key: receivingKey)
            guard let opened else { throw failure("the tag is wrong") }
            plaintext += opened
            receivedCount += 1
            start = end
        }
        incomplete.removeFirst(start)
        return plaintext
    }

    private func failure(_ reason: String) -> ProtocolError {
        ProtocolError(.frame, reason, at: "frame \(receivedCount) of the server")
    }
}
