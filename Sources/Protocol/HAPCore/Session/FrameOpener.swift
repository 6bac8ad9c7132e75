/// Decrypts the frames that one side of a session receives.
///
/// HAP: §8
package struct FrameOpener: ~Copyable, Sendable {
    /// The result of handling some input.
    package enum Step: Sendable, Hashable {
        /// The input ends before its first frame does. Nothing was consumed.
        case needsMoreBytes
        /// A frame was opened: `consumed` bytes of the input, `plaintext` bytes (0 to 1,024) written to the target.
        case frame(consumed: Int, plaintext: Int)
    }

    private let secret: SessionSecret
    private let direction: SessionSecret.Direction
    private var counter: UInt64
    private var consecutiveEmptyFrames = 0
    private var hasFailed = false

    package init(_ secret: SessionSecret, _ direction: SessionSecret.Direction, counter: UInt64 = 0) {
        self.secret = secret
        self.direction = direction
        self.counter = counter
    }

    /// Returns the plaintext length in the header of the frame at the start of `input`; `nil` if `input` has less than
    /// two bytes.
    ///
    /// The length is not authenticated yet and may exceed the limit.
    package static func peekLength(of input: UnsafeRawBufferPointer) -> Int? {
        guard input.count >= FrameFormat.lengthSize else { return nil }
        return Int(input[0]) | Int(input[1]) << 8
    }

    /// Decrypts the frame at the start of `input` into the start of `target`.
    ///
    /// The target has room for the length that ``peekLength(of:)`` returns, at most 1,024 bytes, and does not overlap
    /// the input. Allocates nothing.
    ///
    /// Throws ``ProtocolError`` with the code `frame` for a length above 1,024, as soon as it is read; for a wrong tag;
    /// and for the seventeenth consecutive frame without plaintext. After an error, every call throws. The caller
    /// closes the connection without a response.
    package mutating func open(
        _ input: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws(ProtocolError) -> Step {
        guard !hasFailed else { throw fail("a frame follows one that was refused") }
        guard let length = Self.peekLength(of: input) else { return .needsMoreBytes }
        guard length <= FrameFormat.maximumPlaintext else { throw fail("a length is above 1024") }
        let consumed = length + FrameFormat.overhead
        guard input.count >= consumed else { return .needsMoreBytes }
        precondition(target.count >= length, "the target has no room for the frame")
        guard length > 0 || consecutiveEmptyFrames < FrameFormat.maximumConsecutiveEmptyFrames else {
            throw fail("too many empty frames")
        }
        guard counter < .max else { throw fail("there are no more nonces") }

        let isOpened = secret.withKey(direction) { key in
            ChaChaPoly.open(
                UnsafeRawBufferPointer(rebasing: input[FrameFormat.lengthSize..<consumed]),
                authenticating: UnsafeRawBufferPointer(rebasing: input[..<FrameFormat.lengthSize]),
                nonce: counter,
                key: key,
                into: UnsafeMutableRawBufferPointer(rebasing: target[..<length])
            )
        }
        guard isOpened else { throw fail("a tag is wrong") }
        counter += 1
        consecutiveEmptyFrames = length == 0 ? consecutiveEmptyFrames + 1 : 0
        return .frame(consumed: consumed, plaintext: length)
    }

    private mutating func fail(_ reason: String) -> ProtocolError {
        hasFailed = true
        return ProtocolError(.frame, reason, at: "frame \(counter)")
    }
}

/// Opens frames, regardless of the pieces in which they arrive.
///
/// HAP: §8
struct FrameDecoder: ~Copyable {
    private var opener: FrameOpener
    /// The received bytes of an incomplete frame.
    private var unopened: [UInt8]

    /// Creates an opener with bytes that were received but not parsed.
    init(_ opener: consuming FrameOpener, unopened: [UInt8]) {
        self.opener = opener
        self.unopened = unopened
    }

    /// The number of received bytes of an incomplete frame.
    var unopenedByteCount: Int {
        unopened.count
    }

    /// Opens every complete frame that has arrived.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        into target: inout some PlaintextSink
    ) throws(ProtocolError) {
        if unopened.isEmpty {
            let consumed = try open(bytes, into: &target)
            unopened.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
        } else {
            unopened.append(contentsOf: bytes)
            try openBuffered(into: &target)
        }
    }

    /// Decrypts bytes that were received before.
    mutating func openBuffered(into target: inout some PlaintextSink) throws(ProtocolError) {
        guard !unopened.isEmpty else { return }
        let input = unopened
        unopened = []
        var consumed = 0
        try input.withBytes { (bytes) throws(ProtocolError) in consumed = try open(bytes, into: &target) }
        if consumed == 0 {
            unopened = input
        } else {
            unopened.append(contentsOf: input[consumed...])
        }
    }

    /// Opens every complete frame into the target, and returns the number of their bytes.
    private mutating func open(
        _ input: UnsafeRawBufferPointer,
        into target: inout some PlaintextSink
    ) throws(ProtocolError) -> Int {
        var consumed = 0
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
            guard let length = FrameOpener.peekLength(of: rest) else { return consumed }
            guard length > FrameFormat.maximumPlaintext || rest.count >= length + FrameFormat.overhead else {
                return consumed
            }
            var outcome: Result<FrameOpener.Step, ProtocolError>?
            target.append(count: min(length, FrameFormat.maximumPlaintext)) { plaintext in
                do throws(ProtocolError) {
                    outcome = .success(try opener.open(rest, into: plaintext))
                    return true
                } catch {
                    outcome = .failure(error)
                    return false
                }
            }
            guard case .frame(let frameSize, _) = try outcome?.get() else { return consumed }
            consumed += frameSize
        }
    }
}

/// A destination for the plaintext of frames.
protocol PlaintextSink {
    /// Appends `count` bytes that `fill` writes; nothing if it returns false.
    @discardableResult
    mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool
}

extension HTTPRequestDecoder: PlaintextSink {}
extension HTTPResponseDecoder: PlaintextSink {}

extension [UInt8] {
    /// Lends the bytes to `body`; unlike `withUnsafeBytes`, throws the error type of `body`.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes { (bytes) -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        .get()
    }
}
