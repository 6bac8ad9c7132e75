/// The bytes of one controller's connection, as the accessory sees them: in clear first, in frames once secured.
///
/// A value without IO: bytes go in and requests come out, messages go in and the bytes to send come out.
///
/// HAP: §8, §10
package struct AccessoryConnectionCodec: ~Copyable {
    private var decoder = HTTPRequestDecoder(limits: .unverified)
    private var frames: Frames?
    /// What arrived of a frame that is not whole yet.
    private var unopened: [UInt8] = []

    private struct Frames: ~Copyable {
        var opener: FrameOpener
        var sealer: FrameSealer
    }

    package init() {}

    /// Whether a request has begun to arrive and is not complete.
    package var isMidRequest: Bool {
        !unopened.isEmpty || decoder.isMidRequest
    }

    /// How many bytes have arrived that are not part of a request that was taken.
    package var receivedByteCount: Int {
        unopened.count + decoder.bufferedByteCount
    }

    /// Goes over to frames, in both directions.
    ///
    /// What has arrived behind the last request is taken as frames already.
    package mutating func secure(with keys: SessionKeys) {
        unopened = decoder.takeUnread()
        decoder = HTTPRequestDecoder(limits: .verified)
        frames = Frames(opener: keys.takeOpener(), sealer: keys.takeSealer())
    }

    /// Takes bytes from the network.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        if frames == nil {
            decoder.append(bytes)
        } else if unopened.isEmpty {
            let consumed = try openFrames(in: bytes)
            unopened.append(contentsOf: bytes[consumed...])
        } else {
            unopened.append(contentsOf: bytes)
            try openKeptFrames()
        }
    }

    /// The next request that has arrived whole, `nil` when there is none.
    package mutating func nextRequest() throws(ProtocolError) -> HTTPRequest? {
        if frames != nil, !unopened.isEmpty {
            try openKeptFrames()
        }
        return try decoder.next()
    }

    /// How many bytes ``encode(_:into:)`` writes for a message of `count` bytes.
    package func encodedSize(of count: Int) -> Int {
        frames == nil ? count : FrameSealer.sealedSize(of: count)
    }

    /// Writes a composed message as it travels, into a target of ``encodedSize(of:)`` bytes.
    package mutating func encode(_ message: [UInt8], into target: UnsafeMutableRawBufferPointer) {
        message.withUnsafeBytes { message in
            if frames?.sealer.seal(message, into: target) == nil {
                target.copyMemory(from: message)
            }
        }
    }

    private mutating func openKeptFrames() throws(ProtocolError) {
        let input = unopened
        unopened = []
        let consumed = try input.withBytes { (bytes) throws(ProtocolError) in try openFrames(in: bytes) }
        if consumed == 0 {
            unopened = input
        } else {
            unopened.append(contentsOf: input[consumed...])
        }
    }

    /// Opens every whole frame into the decoder and returns how many bytes they took.
    private mutating func openFrames(in input: UnsafeRawBufferPointer) throws(ProtocolError) -> Int {
        var consumed = 0
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
            guard let length = FrameOpener.peekLength(of: rest) else { return consumed }
            guard length > FrameFormat.maximumPlaintext || rest.count >= length + FrameFormat.overhead else {
                return consumed
            }
            var outcome: Result<FrameOpener.Step, ProtocolError>?
            decoder.append(count: min(length, FrameFormat.maximumPlaintext)) { target in
                do throws(ProtocolError) {
                    outcome = .success(try frames?.opener.open(rest, into: target) ?? .needsMore)
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
