/// Finds the end of a line between chunks, looking at each byte once however they arrive.
struct HTTPLineScanner: Sendable {
    private var position = 0

    /// The length of the line at the beginning of the buffer, its CR LF included; `nil` when more bytes are needed.
    mutating func end(in buffer: HTTPBuffer, limit: Int) throws(ProtocolError) -> Int? {
        let text = buffer.bytes.span.extracting(buffer.start..<buffer.end)
        let bound = min(text.count, limit)
        while position < bound {
            if text[position] == UInt8(ascii: "\n") {
                guard position > 0, text[position - 1] == UInt8(ascii: "\r") else {
                    throw ProtocolError(.http, "a line ends with LF alone", at: "HTTP response chunk")
                }
                defer { position = 0 }
                return position + 1
            }
            position += 1
        }
        guard text.count < limit else {
            throw ProtocolError(.tooLarge, "a line between chunks is larger than the limit", at: "HTTP response chunk")
        }
        return nil
    }
}
