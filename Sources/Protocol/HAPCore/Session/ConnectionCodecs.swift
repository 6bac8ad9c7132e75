/// The byte stream of a controller's connection on the accessory's side: unencrypted first, then in frames.
///
/// A value without IO: it converts received bytes into requests, and messages into bytes to send.
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

    /// The number of received bytes that are not part of a returned request.
    package var receivedByteCount: Int {
        unopenedByteCount + decoder.bufferedByteCount
    }

    private var unopenedByteCount: Int {
        switch frames {
        case .some(let frames): frames.decoder.unopenedByteCount
        case .none: 0
        }
    }

    /// The form of the request that ``nextRequest()`` returned last.
    package var lastRequestForm: HTTPRequestForm {
        decoder.lastForm
    }

    /// Switches to frames, in both directions.
    ///
    /// Bytes after the last request are already treated as frames.
    package mutating func secure(with keys: SessionKeys) {
        let input = FrameDecoder(keys.takeOpener(), unopened: decoder.takeUnread())
        decoder = HTTPRequestDecoder(limits: .verified)
        frames = Frames(decoder: input, sealer: keys.takeSealer())
    }

    /// Handles bytes from the network.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        if frames == nil {
            decoder.append(bytes)
        } else {
            try frames?.decoder.receive(bytes, into: &decoder)
        }
    }

    /// Returns the next complete request; `nil` if there is none.
    package mutating func nextRequest() throws(ProtocolError) -> HTTPRequest? {
        try frames?.decoder.openBuffered(into: &decoder)
        return try decoder.next()
    }

    /// Returns the number of bytes that ``encode(_:into:)`` writes for a message of `count` bytes.
    package func encodedSize(of count: Int) -> Int {
        frames == nil ? count : FrameSealer.sealedSize(of: count)
    }

    /// Writes a message or a part of one in wire format into a target of ``encodedSize(of:)`` bytes.
    package mutating func encode(_ part: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        if frames?.sealer.seal(part, into: target) == nil {
            target.copyMemory(from: part)
        }
    }
}

/// The byte stream of a connection to an accessory on the controller's side: unencrypted first, then in frames.
///
/// A value without IO: it converts received bytes into messages, and requests into bytes to send. Unencrypted responses
/// are limited by ``HTTPLimits/unverifiedResponses``.
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

    /// Creates an unencrypted codec.
    ///
    /// - Parameter sessionLimits: The limits for messages within a session.
    package init(sessionLimits: HTTPLimits = .responses) {
        self.sessionLimits = sessionLimits
    }

    /// Whether the connection uses encrypted frames.
    package var isSecure: Bool {
        frames != nil
    }

    /// Whether there are received bytes that are not part of a returned message.
    package var isMidMessage: Bool {
        switch frames {
        case .some(let frames): decoder.isMidMessage || frames.decoder.unopenedByteCount > 0
        case .none: decoder.isMidMessage
        }
    }

    /// The number of unencrypted received bytes that are not part of a returned message; 0 within a session.
    package var unreadCleartextByteCount: Int {
        isSecure ? 0 : decoder.unreadByteCount
    }

    /// The maximum of ``unreadCleartextByteCount``, which is limited because the sender is not authenticated.
    package static let maximumUnreadCleartextBytes = 64 << 10

    /// The error for more than ``maximumUnreadCleartextBytes``.
    package static let tooManyUnreadBytes = ProtocolError(
        .tooLarge,
        "more than 64 KiB without a request",
        at: "HTTP response"
    )

    /// Switches to frames, in both directions.
    ///
    /// Bytes after the last response are already treated as frames.
    package mutating func secure(with keys: SessionKeys) {
        let input = FrameDecoder(keys.takeOpener(), unopened: decoder.takeUnread())
        decoder = HTTPResponseDecoder(limits: sessionLimits)
        frames = Frames(decoder: input, sealer: keys.takeSealer())
    }

    /// Handles bytes from the network.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        if frames == nil {
            decoder.append(bytes)
        } else {
            try frames?.decoder.receive(bytes, into: &decoder)
        }
    }

    /// Returns the next complete response or event; `nil` if there is none.
    package mutating func nextMessage() throws(ProtocolError) -> HTTPMessage? {
        try frames?.decoder.openBuffered(into: &decoder)
        return try decoder.next()
    }

    /// Returns the number of bytes that ``encode(_:into:)`` writes for a message of `count` bytes.
    package func encodedSize(of count: Int) -> Int {
        frames == nil ? count : FrameSealer.sealedSize(of: count)
    }

    /// Writes a complete request in wire format into a target of ``encodedSize(of:)`` bytes.
    package mutating func encode(_ message: [UInt8], into target: UnsafeMutableRawBufferPointer) {
        message.withUnsafeBytes { message in
            if frames?.sealer.seal(message, into: target) == nil {
                target.copyMemory(from: message)
            }
        }
    }
}
