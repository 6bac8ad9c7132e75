/// A composed message that is encoded part by part, each when the one before it has left.
final class LongMessage {
    /// How many bytes are encoded in one turn of the event loop; whole frames, so that they are as full as those of a
    /// message that is encoded at once.
    static let partSize = 256 << 10

    /// Whether the next part is encoded when other connections have had their turn.
    var waitsForTurn = false

    private let bytes: [UInt8]
    private var position = 0
    /// What is done when the whole of it has left, or cannot leave any more.
    let next: ((AccessoryChannelHandler) -> Void)?

    init(_ bytes: [UInt8], then next: ((AccessoryChannelHandler) -> Void)?) {
        self.bytes = bytes
        self.next = next
    }

    /// The next part; `nil` when nothing is left.
    func nextPart(of size: Int = partSize) -> ArraySlice<UInt8>? {
        guard position < bytes.count else { return nil }
        let start = position
        position = bytes.count - start > size ? start + size : bytes.count
        return bytes[start..<position]
    }
}
