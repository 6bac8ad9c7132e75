/// Encrypts the frames that one side of a session sends.
///
/// HAP: §8
package struct FrameSealer: ~Copyable, Sendable {
    private let secret: SessionSecret
    private let direction: SessionSecret.Direction
    private var counter: UInt64

    package init(_ secret: SessionSecret, _ direction: SessionSecret.Direction, counter: UInt64 = 0) {
        self.secret = secret
        self.direction = direction
        self.counter = counter
    }

    /// Returns the encrypted size of `count` bytes of plaintext; for 0 bytes there is no frame.
    package static func sealedSize(of count: Int) -> Int {
        precondition(count >= 0, "a message has no negative length")
        let frames = count / FrameFormat.maximumPlaintext + (count % FrameFormat.maximumPlaintext == 0 ? 0 : 1)
        return count + frames * FrameFormat.overhead
    }

    /// Seals a message in frames of 1,024 bytes, of which the last may be shorter, at the start of `target`.
    ///
    /// The target has room for ``sealedSize(of:)`` bytes and does not overlap the plaintext. Returns the number of
    /// bytes written. Allocates nothing.
    package mutating func seal(
        _ plaintext: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(target.count >= Self.sealedSize(of: plaintext.count), "the target has no room for the frames")
        var read = 0
        var written = 0
        while read < plaintext.count {
            let count = min(plaintext.count - read, FrameFormat.maximumPlaintext)
            seal(
                frame: UnsafeRawBufferPointer(rebasing: plaintext[read..<(read + count)]),
                into: UnsafeMutableRawBufferPointer(
                    rebasing: target[written..<(written + count + FrameFormat.overhead)]
                )
            )
            read += count
            written += count + FrameFormat.overhead
        }
        return written
    }

    private mutating func seal(frame plaintext: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        // A nonce must not be reused. At a million frames per second, the counter lasts for half a million years.
        precondition(counter < .max, "a session has sent as many frames as there are nonces")
        target[0] = UInt8(truncatingIfNeeded: plaintext.count)
        target[1] = UInt8(truncatingIfNeeded: plaintext.count >> 8)
        secret.withKey(direction) { key in
            ChaChaPoly.seal(
                plaintext,
                authenticating: UnsafeRawBufferPointer(rebasing: target[..<FrameFormat.lengthSize]),
                nonce: counter,
                key: key,
                into: UnsafeMutableRawBufferPointer(rebasing: target[FrameFormat.lengthSize...])
            )
        }
        counter += 1
    }
}

/// The shape of a session frame: two bytes of length, the ciphertext, and 16 bytes of tag.
///
/// HAP: §8
package enum FrameFormat {
    /// The maximum number of plaintext bytes of a frame.
    package static let maximumPlaintext = 1_024
    /// The number of bytes of the length, which are the frame's associated data.
    package static let lengthSize = 2
    /// The number of bytes of a frame besides its plaintext.
    package static let overhead = lengthSize + ChaChaPoly.tagLength
    /// The maximum number of consecutive frames without plaintext.
    ///
    /// HAP: §0
    package static let maximumConsecutiveEmptyFrames = 16
}
