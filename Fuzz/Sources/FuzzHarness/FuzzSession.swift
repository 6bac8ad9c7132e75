package import HAPCore

/// Both ends of a session whose secret is always the same.
package enum FuzzSession {
    /// Returns the keys of one end.
    package static func keys(_ role: SessionRole) -> SessionKeys {
        SessionKeys(secret: SessionSecret(keys: SecretBytes(copying: [UInt8](repeating: 7, count: 64))), role: role)
    }

    /// Returns a plaintext encrypted by one side, in frames of this size.
    package static func sealed(_ plaintext: [UInt8], by role: SessionRole, frameSize: Int) -> [UInt8] {
        var sealer = keys(role).takeSealer()
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: plaintext.count, by: frameSize) {
            sealed += sealer.sealed(Array(plaintext[start..<min(start + frameSize, plaintext.count)]))
        }
        return sealed
    }
}

/// A connection that is unencrypted first and then uses frames, as the input of a codec's target describes it.
package struct FuzzSwitch {
    /// The bytes before the session.
    package let clear: [UInt8]
    /// The bytes within the session, before encryption.
    package let plaintext: [UInt8]
    /// The frames of `plaintext`, possibly damaged.
    package private(set) var frames: [UInt8]
    /// How the network cuts the bytes into pieces.
    package let cuts: Cuts
    /// Whether one bit of the frames is flipped.
    package let isDamaged: Bool

    /// Decodes an input.
    ///
    /// - Parameter role: The sender.
    package init(_ input: [UInt8], sentBy role: SessionRole) {
        var source = ByteSource(input)
        let options = source.byte()
        cuts = Cuts(source.byte())
        let boundary = source.number()
        let text = source.remainder()
        // The boundary is expected after a complete message, so that the first frame is not read too early.
        clear = Array(text.prefix(boundary))
        plaintext = Array(text.dropFirst(boundary))
        frames = FuzzSession.sealed(plaintext, by: role, frameSize: options & 0x40 == 0 ? 1_024 : 3)
        isDamaged = options & 0x20 != 0 && !frames.isEmpty
        if isDamaged {
            frames[boundary % frames.count] ^= 1 << (options & 7)
        }
    }

    /// Runs one side of the connection, and returns the result.
    ///
    /// - Parameters:
    ///   - cuts: The pieces in which the bytes arrive; `nil` for a single piece.
    ///   - receive: Receives a piece.
    ///   - next: Returns the next message.
    ///   - secure: Switches to frames.
    ///   - isMidMessage: Returns whether bytes remain at the end.
    package func stream<Message>(
        cut cuts: Cuts?,
        receive: (UnsafeRawBufferPointer) throws(ProtocolError) -> Void,
        next: () throws(ProtocolError) -> Message?,
        secure: () -> Void,
        isMidMessage: () -> Bool
    ) -> HTTPStream<Message> {
        var stream = HTTPStream<Message>()
        func take(_ piece: UnsafeRawBufferPointer) {
            guard stream.failure == nil else { return }
            if case .failure(let error) = outcome({ () throws(ProtocolError) in try receive(piece) }) {
                stream.take { () throws(ProtocolError) in throw error }
            } else {
                stream.take(next)
            }
        }
        func takeAll(_ bytes: [UInt8]) {
            if var cuts {
                cuts.forEach(of: bytes, take)
            } else {
                bytes.withUnsafeBytes(take)
            }
        }
        takeAll(clear)
        if stream.failure == nil {
            secure()
            // Bytes that follow the last unencrypted message count as frames.
            stream.take(next)
            takeAll(frames)
        }
        stream.isMidMessage = stream.failure == nil && isMidMessage()
        return stream
    }

    /// Compares the result of a single piece with the result of several pieces.
    package func check<Message>(_ whole: HTTPStream<Message>, _ pieces: HTTPStream<Message>) {
        if isDamaged {
            // An invalid frame ends the connection immediately, which drops earlier messages of the same piece.
            claim(pieces.messages.starts(with: whole.messages), "messages are the same whole and in pieces")
        } else {
            claim(whole == pieces, "a connection is the same whole and in pieces")
        }
    }

    /// Checks that the other side decodes what this side encodes.
    package static func checkEncoding(
        openedBy role: SessionRole,
        size: (Int) -> Int,
        encode: ([UInt8], UnsafeMutableRawBufferPointer) -> Void
    ) {
        let message = [UInt8](repeating: 0x41, count: 1_500)
        var target = [UInt8](repeating: 0, count: size(message.count))
        target.withUnsafeMutableBytes { encode(message, $0) }
        let opened = FrameStream(opening: target, cut: nil, with: FuzzSession.keys(role))
        claim(opened.plaintext == message && opened.failure == nil, "the other end opens what was sealed")
    }
}
