/// Opens what one side of a session receives.
///
/// HAP: §8
package struct FrameOpener: ~Copyable, Sendable {
    /// What became of some input.
    package enum Step: Sendable, Hashable {
        /// The input ends before its first frame does. Nothing was consumed.
        case needsMore
        /// A frame was opened: `consumed` bytes of the input, `plaintext` bytes (0 to 1,024) written to the target.
        case frame(consumed: Int, plaintext: Int)
    }

    private let secret: SessionSecret
    private let direction: SessionSecret.Direction
    private var counter: UInt64
    private var emptyRun = 0
    private var hasFailed = false

    package init(_ secret: SessionSecret, _ direction: SessionSecret.Direction, counter: UInt64 = 0) {
        self.secret = secret
        self.direction = direction
        self.counter = counter
    }

    /// The plaintext length that the frame at the start of `input` states, `nil` before both its bytes are there.
    ///
    /// Not yet authenticated, and possibly beyond the limit.
    package static func peekLength(of input: UnsafeRawBufferPointer) -> Int? {
        guard input.count >= FrameFormat.lengthSize else { return nil }
        return Int(input[0]) | Int(input[1]) << 8
    }

    /// Opens the frame at the start of `input` into the start of `target`.
    ///
    /// The target has room for the length that ``peekLength(of:)`` tells, 1,024 bytes at most, and does not overlap the
    /// input. Allocates nothing.
    ///
    /// Throws ``ProtocolError`` with the code `frame` for a length above 1,024, as soon as it is read; for a wrong tag;
    /// for the seventeenth frame in a row without plaintext; and for everything after that. The connection is then
    /// closed without a word.
    package mutating func open(
        _ input: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws(ProtocolError) -> Step {
        guard !hasFailed else { throw failed("a frame follows one that was refused") }
        guard let length = Self.peekLength(of: input) else { return .needsMore }
        guard length <= FrameFormat.maximumPlaintext else { throw failed("a length is above 1024") }
        let consumed = length + FrameFormat.overhead
        guard input.count >= consumed else { return .needsMore }
        precondition(target.count >= length, "the target has no room for the frame")
        guard length > 0 || emptyRun < FrameFormat.maximumEmptyRun else { throw failed("too many empty frames") }
        guard counter < .max else { throw failed("there are no more nonces") }

        let isOpened = secret.withKey(direction) { key in
            ChaChaPoly.open(
                UnsafeRawBufferPointer(rebasing: input[FrameFormat.lengthSize..<consumed]),
                authenticating: UnsafeRawBufferPointer(rebasing: input[..<FrameFormat.lengthSize]),
                nonce: counter,
                key: key,
                into: UnsafeMutableRawBufferPointer(rebasing: target[..<length])
            )
        }
        guard isOpened else { throw failed("a tag is wrong") }
        counter += 1
        emptyRun = length == 0 ? emptyRun + 1 : 0
        return .frame(consumed: consumed, plaintext: length)
    }

    private mutating func failed(_ reason: String) -> ProtocolError {
        hasFailed = true
        return ProtocolError(.frame, reason, at: "frame \(counter)")
    }
}
