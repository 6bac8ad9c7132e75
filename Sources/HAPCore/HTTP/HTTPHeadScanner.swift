/// Finds the end of a head, looking at each byte once however they arrive, and refuses bytes that no head may hold.
///
/// HAP: §10
struct HTTPHeadScanner: Sendable {
    /// The offset in the message of the next byte to look at.
    private var position = 0
    private var lineStart = 0

    /// The length of the head, its empty line included; `nil` when more bytes are needed.
    mutating func end(
        in message: Span<UInt8>,
        limit: Int,
        location: StaticString
    ) throws(ProtocolError) -> Int? {
        let bound = min(message.count, limit)
        // In a local variable, which stays in a register: this loop sees every byte of every head.
        var position = position
        defer { self.position = position }
        while position < bound {
            if position + 8 <= bound, !Self.holdsControl(in: message, at: position) {
                position += 8
                continue
            }
            let byte = message[position]
            if byte >= 0x20, byte != 0x7F {
                position += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\t"):
                position += 1
            case UInt8(ascii: "\r"):
                guard position + 1 < bound else {
                    return try Self.incomplete(message.count, limit, location)
                }
                guard message[position + 1] == UInt8(ascii: "\n") else {
                    throw ProtocolError(.http, "a line ends with CR alone", at: "\(location)")
                }
                let isEmptyLine = position == lineStart
                position += 2
                lineStart = position
                if isEmptyLine {
                    return position
                }
            case UInt8(ascii: "\n"):
                throw ProtocolError(.http, "a line ends with LF alone", at: "\(location)")
            default:
                throw ProtocolError(.http, "a control character in the head", at: "\(location)")
            }
        }
        return try Self.incomplete(message.count, limit, location)
    }

    /// Whether one of the eight bytes from `position` on is below 0x20 or is 0x7F.
    ///
    /// All eight at once: a head has hundreds of bytes, of which few are.
    private static func holdsControl(in message: Span<UInt8>, at position: Int) -> Bool {
        let each: UInt64 = 0x0101_0101_0101_0101
        let bytes = message.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
        let isBelowBlank = (bytes &- each &* 0x20) & ~bytes
        let delete = bytes ^ (each &* 0x7F)
        let isDelete = (delete &- each) & ~delete
        return (isBelowBlank | isDelete) & (each &* 0x80) != 0
    }

    private static func incomplete(
        _ count: Int,
        _ limit: Int,
        _ location: StaticString
    ) throws(ProtocolError) -> Int? {
        guard count < limit else {
            throw ProtocolError(.tooLarge, "the head is larger than the limit", at: "\(location)")
        }
        return nil
    }
}
