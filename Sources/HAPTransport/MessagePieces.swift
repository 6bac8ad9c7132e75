internal import NIOCore

/// What a connection has to send piece by piece.
struct MessagePieces {
    /// What is done when something has left, or cannot leave any more.
    typealias Sequel = (AccessoryChannelHandler) -> Void

    /// How many bytes a piece has at most; `nil` when what comes from now on leaves whole, behind what waits.
    var size: Int?
    private var waiting: CircularBuffer<(bytes: ByteBuffer, next: Sequel?)> = []
    /// Whether the next piece leaves by itself.
    var isUnderWay = false

    /// Whether nothing waits.
    var isEmpty: Bool {
        waiting.isEmpty
    }

    /// Takes what is to be sent.
    mutating func append(_ bytes: ByteBuffer, then next: Sequel?) {
        var rest = bytes
        let size = max(1, size ?? rest.readableBytes)
        while rest.readableBytes > size, let piece = rest.readSlice(length: size) {
            waiting.append((piece, nil))
        }
        waiting.append((rest, next))
    }

    /// The next piece; `nil` when nothing waits.
    mutating func next() -> (bytes: ByteBuffer, next: Sequel?)? {
        waiting.popFirst()
    }
}
