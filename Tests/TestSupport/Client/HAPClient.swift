package import HAPCore

/// The controller's side of a connection, without a transport: unencrypted first, and in frames after pair-verify.
///
/// It is independent of the product's machines, frames and HTTP decoder, so that a mistake on both sides of the product
/// is found. It shares the cryptographic primitives, TLV8, JSON and the types of messages.
package struct HAPClient: Sendable {
    private var frames: FrameCodec?
    private var parser = HTTPMessageParser()

    package init() {}

    /// Whether part of a message has arrived.
    package var isMidMessage: Bool {
        parser.isMidMessage
    }

    /// Uses frames in both directions from now on.
    package mutating func secure(with frames: FrameCodec) {
        self.frames = frames
    }

    /// Returns the bytes to send for a message.
    package mutating func bytes(of message: [UInt8]) -> [UInt8] {
        frames?.seal(message) ?? message
    }

    /// Processes received bytes.
    ///
    /// - Throws: `ProtocolError` if a frame cannot be decrypted.
    package mutating func receive(_ bytes: [UInt8]) throws {
        parser.append(try frames?.open(bytes) ?? bytes)
    }

    /// Returns the next complete message, or `nil` if none has arrived.
    ///
    /// - Throws: `ProtocolError` when the bytes are not HTTP.
    package mutating func nextMessage() throws -> HTTPMessage? {
        try parser.next()
    }
}
