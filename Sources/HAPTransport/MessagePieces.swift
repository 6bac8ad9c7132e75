internal import NIOCore

/// What a connection has to send piece by piece.
struct MessagePieces {
    /// What is done when something has left, or cannot leave any more.
    typealias Sequel = (AccessoryChannelHandler) -> Void

    /// How many bytes a piece has at most; `nil` when what comes from now on leaves whole, behind what waits.
    var size: Int?
    private var waiting: CircularBuffer<(bytes: ByteBuffer, size: Int, next: Sequel?)> = []
    /// Whether the next piece leaves by itself.
    var isUnderWay = false

    /// Whether nothing waits.
    var isEmpty: Bool {
        waiting.isEmpty
    }

    /// Takes what is to be sent.
    mutating func append(_ bytes: ByteBuffer, then next: Sequel?) {
        waiting.append((bytes, max(1, size ?? bytes.readableBytes), next))
    }

    /// The next piece; `nil` when nothing waits.
    mutating func next() -> (bytes: ByteBuffer, next: Sequel?)? {
        guard case (var bytes, let size, let next)? = waiting.popFirst() else { return nil }
        guard bytes.readableBytes > size, let piece = bytes.readSlice(length: size) else { return (bytes, next) }
        waiting.prepend((bytes, size, next))
        return (piece, nil)
    }
}
