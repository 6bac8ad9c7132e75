/// The bytes of one controller's connection, as the accessory sees them: in clear first, in frames once secured.
///
/// A value without IO: bytes go in and requests come out, messages go in and the bytes to send come out.
///
/// HAP: §8, §10
package struct AccessoryConnectionCodec: ~Copyable {
    private var decoder = HTTPRequestDecoder(limits: .unverified)
    private var frames: Frames?

    private struct Frames: ~Copyable {
        var decoder: FrameDecoder
        var sealer: FrameSealer
    }

    package init() {}

    /// Whether a request has begun to arrive and is not complete.
    package var isMidRequest: Bool {
        decoder.isMidRequest || unopenedByteCount > 0
    }

    /// How many bytes have arrived that are not part of a request that was taken.
    package var receivedByteCount: Int {
        unopenedByteCount + decoder.bufferedByteCount
    }

    private var unopenedByteCount: Int {
        switch frames {
        case .some(let frames): frames.decoder.unopenedByteCount
        case .none: 0
        }
    }

    /// Goes over to frames, in both directions.
    ///
    /// What has arrived behind the last request is taken as frames already.
    package mutating func secure(with keys: SessionKeys) {
        let input = FrameDecoder(keys.takeOpener(), unopened: decoder.takeUnread())
        decoder = HTTPRequestDecoder(limits: .verified)
        frames = Frames(decoder: input, sealer: keys.takeSealer())
    }

    /// Takes bytes from the network.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        if frames == nil {
            decoder.append(bytes)
        } else {
            try frames?.decoder.receive(bytes, into: &decoder)
        }
    }

    /// The next request that has arrived whole, `nil` when there is none.
    package mutating func nextRequest() throws(ProtocolError) -> HTTPRequest? {
        try frames?.decoder.openBuffered(into: &decoder)
        return try decoder.next()
    }

    /// How many bytes ``encode(_:into:)`` writes for a message of `count` bytes.
    package func encodedSize(of count: Int) -> Int {
        frames == nil ? count : FrameSealer.sealedSize(of: count)
    }

    /// Writes a composed message as it travels, into a target of ``encodedSize(of:)`` bytes.
    package mutating func encode(_ message: [UInt8], into target: UnsafeMutableRawBufferPointer) {
        message.withUnsafeBytes { encode($0, into: target) }
    }

    /// Writes a part of a message as it travels, into a target of ``encodedSize(of:)`` bytes.
    package mutating func encode(_ part: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        if frames?.sealer.seal(part, into: target) == nil {
            target.copyMemory(from: part)
        }
    }
}

/// The bytes of a connection to an accessory, as the controller sees them: in clear first, in frames once secured.
///
/// A value without IO: bytes go in and messages come out, requests go in and the bytes to send come out. Answers in
/// clear are held to ``HTTPLimits/unverifiedResponses``.
///
/// HAP: §8, §10, §14
package struct ControllerConnectionCodec: ~Copyable {
    private let sessionLimits: HTTPLimits
    private var decoder = HTTPResponseDecoder(limits: .unverifiedResponses)
    private var frames: Frames?

    private struct Frames: ~Copyable {
        var decoder: FrameDecoder
        var sealer: FrameSealer
    }

    /// Creates a codec in clear.
    ///
    /// - Parameter sessionLimits: What messages within a session may hold.
    package init(sessionLimits: HTTPLimits = .responses) {
        self.sessionLimits = sessionLimits
    }

    /// Whether it speaks in frames.
    package var isSecure: Bool {
        frames != nil
    }

    /// Whether bytes have arrived that belong to no message that was taken.
    package var isMidMessage: Bool {
        switch frames {
        case .some(let frames): decoder.isMidMessage || frames.decoder.unopenedByteCount > 0
        case .none: decoder.isMidMessage
        }
    }

    /// How many bytes in clear have arrived that belong to no message that was taken; 0 within a session.
    package var unreadCleartextByteCount: Int {
        isSecure ? 0 : decoder.unreadByteCount
    }

    /// How many of them there may be: nobody knows yet who sends them.
    package static let maximumUnreadCleartextBytes = 64 << 10

    /// The fault of more than that.
    package static let tooManyUnreadBytes = ProtocolError(
        .tooLarge,
        "more than 64 KiB that nobody asked for",
        at: "HTTP response"
    )

    /// Goes over to frames, in both directions.
    ///
    /// What has arrived behind the last answer is taken as frames already.
    package mutating func secure(with keys: SessionKeys) {
        let input = FrameDecoder(keys.takeOpener(), unopened: decoder.takeUnread())
        decoder = HTTPResponseDecoder(limits: sessionLimits)
        frames = Frames(decoder: input, sealer: keys.takeSealer())
    }

    /// Takes bytes from the network.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        if frames == nil {
            decoder.append(bytes)
        } else {
            try frames?.decoder.receive(bytes, into: &decoder)
        }
    }

    /// The next response or event that has arrived whole, `nil` when there is none.
    package mutating func nextMessage() throws(ProtocolError) -> HTTPMessage? {
        try frames?.decoder.openBuffered(into: &decoder)
        return try decoder.next()
    }

    /// How many bytes ``encode(_:into:)`` writes for a message of `count` bytes.
    package func encodedSize(of count: Int) -> Int {
        frames == nil ? count : FrameSealer.sealedSize(of: count)
    }

    /// Writes a composed request as it travels, into a target of ``encodedSize(of:)`` bytes.
    package mutating func encode(_ message: [UInt8], into target: UnsafeMutableRawBufferPointer) {
        message.withUnsafeBytes { message in
            if frames?.sealer.seal(message, into: target) == nil {
                target.copyMemory(from: message)
            }
        }
    }
}
