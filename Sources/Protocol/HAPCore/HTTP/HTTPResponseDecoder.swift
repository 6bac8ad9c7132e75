/// Splits the byte stream from an accessory into responses and events, regardless of the pieces in which it arrives.
///
/// The decoder accepts common differences between accessories:
///
/// - bodies with a length or in chunks
/// - a missing reason phrase
/// - any letter case, and additional blanks
/// - chunk extensions, trailers and interim responses, which are skipped
///
/// A response without a length has no body. An error is final: the same error is thrown from then on, and further bytes
/// are dropped.
///
/// HAP: §10, §14, §26
package struct HTTPResponseDecoder: Sendable {
    /// The next part of the stream.
    private enum Phase {
        case head
        case body(length: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers(remaining: Int)
    }

    private let limits: HTTPLimits
    private var buffer = HTTPBuffer()
    private var headScanner = HTTPHeadScanner()
    private var lineScanner = HTTPLineScanner()
    private var phase = Phase.head
    /// The message whose body is arriving.
    private var message = HTTPMessage(.response, status: 0)
    private var failure: ProtocolError?

    private static let maximumChunkLineBytes = 1024

    package init(limits: HTTPLimits = .responses) {
        self.limits = limits
    }

    /// Whether there is an incomplete message, or one that was not returned yet.
    package var isMidMessage: Bool {
        if case .head = phase { buffer.count > 0 } else { true }
    }

    /// The number of received bytes that were not parsed yet.
    package var unreadByteCount: Int {
        buffer.count
    }

    /// Appends received bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        buffer.append(bytes)
    }

    /// Appends `count` received bytes that `fill` writes directly into the buffer; nothing if it returns false.
    ///
    /// - Returns: The result of `fill`.
    @discardableResult
    package mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
        // After a failure `fill` is still called, so that the caller's frame counters advance. The next call discards
        // the bytes.
        if failure != nil {
            buffer.removeAll()
        }
        return buffer.append(count: count, filledBy: fill)
    }

    /// Removes and returns the bytes after the last complete message, which are frames when a session has begun.
    package mutating func takeUnread() -> [UInt8] {
        headScanner = HTTPHeadScanner()
        return buffer.readBytes(buffer.count)
    }

    /// Returns the next complete message; `nil` if there is none.
    package mutating func next() throws(ProtocolError) -> HTTPMessage? {
        if let failure {
            throw failure
        }
        do throws(ProtocolError) {
            while true {
                switch try step() {
                case .needsMoreBytes: return nil
                case .advanced: continue
                case .complete: return takeMessage()
                }
            }
        } catch {
            failure = error
            buffer.removeAll()
            message.body = []
            throw error
        }
    }

    private enum Progress {
        case needsMoreBytes
        case advanced
        case complete
    }

    private mutating func takeMessage() -> HTTPMessage {
        let taken = message
        message.body = []
        phase = .head
        return taken
    }

    private mutating func step() throws(ProtocolError) -> Progress {
        switch phase {
        case .head:
            return try readHead()
        case .body(let length):
            guard buffer.count >= length else { return .needsMoreBytes }
            message.body = buffer.readBytes(length)
            return .complete
        case .chunkSize:
            return try readChunkSize()
        case .chunk(let remaining):
            let count = min(remaining, buffer.count)
            guard count > 0 else { return .needsMoreBytes }
            message.body.append(contentsOf: buffer.readBytes(count))
            phase = count == remaining ? .chunkEnd : .chunk(remaining: remaining - count)
            return .advanced
        case .chunkEnd:
            guard let line = try lineScanner.findEnd(in: buffer, limit: 2) else { return .needsMoreBytes }
            buffer.consume(line)
            phase = .chunkSize
            return .advanced
        case .trailers(let remaining):
            guard let line = try lineScanner.findEnd(in: buffer, limit: remaining) else { return .needsMoreBytes }
            buffer.consume(line)
            phase = .trailers(remaining: remaining - line)
            return line == 2 ? .complete : .advanced
        }
    }

    private mutating func readHead() throws(ProtocolError) -> Progress {
        guard let head = try Self.head(in: buffer, scanner: &headScanner, limits: limits) else {
            return .needsMoreBytes
        }
        buffer.consume(head.length)
        headScanner = HTTPHeadScanner()
        message = head.message
        if message.status < 200 {
            return .advanced
        }
        if message.status == 204 || message.status == 304 {
            return .complete
        }
        if head.isChunked {
            phase = .chunkSize
            return .advanced
        }
        guard head.bodyLength > 0 else { return .complete }
        phase = .body(length: head.bodyLength)
        return .advanced
    }

    private mutating func readChunkSize() throws(ProtocolError) -> Progress {
        guard let line = try lineScanner.findEnd(in: buffer, limit: Self.maximumChunkLineBytes) else {
            return .needsMoreBytes
        }
        let size = try Self.chunkSize(in: buffer, lineLength: line)
        buffer.consume(line)
        guard size <= limits.maximumBytes(of: message.kind) - message.body.count else {
            throw ProtocolError(.tooLarge, "the body is larger than the limit", at: "HTTP response")
        }
        phase = size == 0 ? .trailers(remaining: limits.maximumHeadBytes) : .chunk(remaining: size)
        return .advanced
    }
}

extension HTTPResponseDecoder {
    /// The content of a head.
    struct Head {
        var message: HTTPMessage
        var isChunked = false
        var bodyLength = 0
        /// The number of bytes of the head.
        var length: Int
    }

    /// Returns the head at the beginning of the buffer; `nil` while it is incomplete.
    static func head(
        in buffer: HTTPBuffer,
        scanner: inout HTTPHeadScanner,
        limits: HTTPLimits
    ) throws(ProtocolError) -> Head? {
        let bytes = buffer.bytes.span.extracting(buffer.start..<buffer.end)
        guard let end = try scanner.findEnd(in: bytes, limit: limits.maximumHeadBytes, location: "HTTP response") else {
            return nil
        }
        let text = bytes.extracting(0..<end)
        var cursor = HTTPFieldCursor()
        let line = cursor.nextLine(in: text)
        var head = Head(message: try statusLine(text.extracting(line)), length: end)
        var bodyLength: Int?
        while let field = try cursor.nextField(in: text, location: "HTTP response") {
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

    /// Returns the size in the chunk line at the beginning of the buffer.
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
