extension HTTPResponseDecoder {
    /// What a head says.
    struct Head {
        var message: HTTPMessage
        var isChunked = false
        var bodyLength = 0
        /// How many bytes the head has itself.
        var length: Int
    }

    /// The head at the beginning of the buffer, `nil` while it is incomplete.
    static func head(
        in buffer: HTTPBuffer,
        scanner: inout HTTPHeadScanner,
        limits: HTTPLimits
    ) throws(ProtocolError) -> Head? {
        let bytes = buffer.bytes.span.extracting(buffer.start..<buffer.end)
        guard let end = try scanner.end(in: bytes, limit: limits.maximumHeadBytes, location: "HTTP response") else {
            return nil
        }
        let text = bytes.extracting(0..<end)
        var cursor = HTTPFieldCursor()
        let line = cursor.line(in: text)
        var head = Head(message: try statusLine(text.extracting(line)), length: end)
        var bodyLength: Int?
        while let field = try cursor.field(in: text, location: "HTTP response") {
            let name = text.extracting(field.name)
            let value = text.extracting(field.value)
            if name.isEqual(ignoringCase: "content-length") {
                let length = try HTTPContentLength.parse(value, location: "HTTP response")
                guard bodyLength == nil || bodyLength == length else {
                    throw ProtocolError(.http, "two different Content-Lengths", at: "HTTP response")
                }
                bodyLength = length
            } else if name.isEqual(ignoringCase: "content-type") {
                head.message.contentType = HTTPContentType(value)
            } else if name.isEqual(ignoringCase: "transfer-encoding") {
                guard value.isEqual(ignoringCase: "chunked") else {
                    throw ProtocolError(.http, "a transfer encoding other than chunked", at: "HTTP response")
                }
                head.isChunked = true
            }
        }
        head.bodyLength = bodyLength ?? 0
        guard head.isChunked || head.bodyLength <= limits.maximumBytes(of: head.message.kind) else {
            throw ProtocolError(.tooLarge, "the body is larger than the limit", at: "HTTP response")
        }
        return head
    }

    private static func statusLine(_ line: Span<UInt8>) throws(ProtocolError) -> HTTPMessage {
        let kind: HTTPMessage.Kind
        let start: Int
        if line.count >= 9, line.extracting(0..<9).isEqual(to: "HTTP/1.1 ") {
            (kind, start) = (.response, 9)
        } else if line.count >= 10, line.extracting(0..<10).isEqual(to: "EVENT/1.0 ") {
            (kind, start) = (.event, 10)
        } else {
            throw ProtocolError(.http, "neither a response nor an event", at: "HTTP response")
        }
        let end = start + 3
        guard line.count == end || line.count > end && line[end] == UInt8(ascii: " ") else {
            throw ProtocolError(.http, "a status without three digits", at: "HTTP response")
        }
        var status = 0
        for position in start..<end {
            guard let digit = line[position].decimalDigit else {
                throw ProtocolError(.http, "a status without three digits", at: "HTTP response")
            }
            status = status * 10 + Int(digit)
        }
        guard status >= 100 else { throw ProtocolError(.http, "a status below 100", at: "HTTP response") }
        return HTTPMessage(kind, status: status)
    }

    /// The size that the chunk line at the beginning of the buffer tells.
    static func chunkSize(in buffer: HTTPBuffer, lineLength: Int) throws(ProtocolError) -> Int {
        let line = buffer.bytes.span.extracting(buffer.start..<(buffer.start + lineLength - 2))
        var size = 0
        var position = 0
        while position < line.count, let digit = line[position].hexadecimalDigit {
            guard size <= Int.max >> 4 else {
                throw ProtocolError(.tooLarge, "a chunk beyond every limit", at: "HTTP response")
            }
            size = size << 4 | Int(digit)
            position += 1
        }
        guard position > 0 else { throw ProtocolError(.http, "a chunk without a size", at: "HTTP response") }
        while position < line.count, line[position] == UInt8(ascii: " ") || line[position] == UInt8(ascii: "\t") {
            position += 1
        }
        guard position == line.count || line[position] == UInt8(ascii: ";") else {
            throw ProtocolError(.http, "a chunk size that is no hexadecimal number", at: "HTTP response")
        }
        return size
    }
}
