package import HAPCore

/// A controller's end of one connection, without a transport: in clear first, in frames once it has verified.
///
/// It is independent of the product's machines, frames and HTTP decoder, so that a mistake which the product makes on both
/// sides does not hide. It shares the cryptographic primitives, TLV8, JSON and the types of messages.
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

    /// Takes bytes that arrived.
    ///
    /// - Throws: `ProtocolError` when a frame cannot be opened.
    package mutating func receive(_ bytes: [UInt8]) throws {
        parser.append(try frames?.open(bytes) ?? bytes)
    }

    /// The next complete message, `nil` until there is one.
    ///
    /// - Throws: `ProtocolError` when the bytes are not HTTP.
    package mutating func nextMessage() throws -> HTTPMessage? {
        try parser.next()
    }
}
