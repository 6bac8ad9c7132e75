/// Cuts what an accessory sends into responses and events, in whatever pieces it arrives.
///
/// Lenient where accessories differ: bodies by length or in chunks, no reason phrase, any letter case, blanks, chunk
/// extensions and trailers skipped, interim responses skipped. A response without a length has no body. A fault is
/// final: the same error is thrown ever after and further bytes are dropped.
///
/// HAP: §10, §14, §26
package struct HTTPResponseDecoder: Sendable {
    /// What comes next in the stream.
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

    /// Whether a part of a message has arrived, or messages that were not taken yet.
    package var isMidMessage: Bool {
        if case .head = phase { buffer.count > 0 } else { true }
    }

    /// How many bytes have arrived that were not looked at yet.
    package var unreadByteCount: Int {
        buffer.count
    }

    /// Takes bytes that arrived.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        buffer.append(bytes)
    }

    /// Lets `fill` write `count` bytes that arrived straight into the buffer.
    ///
    /// When it returns false, nothing arrived.
    ///
    /// - Returns: what `fill` returned.
    @discardableResult
    package mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
        // Filled after a failure too, so that the caller's frame counters move on; forgotten by the next call.
        if failure != nil {
            buffer.removeAll()
        }
        return buffer.append(count: count, filledBy: fill)
    }

    /// Takes out what arrived behind the last whole message: on a connection that goes over to frames, it is no HTTP.
    package mutating func takeUnread() -> [UInt8] {
        headScanner = HTTPHeadScanner()
        return buffer.take(buffer.count)
    }

    /// The next message that is complete, `nil` until there is one.
    package mutating func next() throws(ProtocolError) -> HTTPMessage? {
        if let failure {
            throw failure
        }
        do throws(ProtocolError) {
            while true {
                switch try step() {
                case .needsBytes: return nil
                case .moved: continue
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
        case needsBytes
        case moved
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
            guard buffer.count >= length else { return .needsBytes }
            message.body = buffer.take(length)
            return .complete
        case .chunkSize:
            return try readChunkSize()
        case .chunk(let remaining):
            let count = min(remaining, buffer.count)
            guard count > 0 else { return .needsBytes }
            message.body.append(contentsOf: buffer.take(count))
            phase = count == remaining ? .chunkEnd : .chunk(remaining: remaining - count)
            return .moved
        case .chunkEnd:
            guard let line = try lineScanner.end(in: buffer, limit: 2) else { return .needsBytes }
            buffer.consume(line)
            phase = .chunkSize
            return .moved
        case .trailers(let remaining):
            guard let line = try lineScanner.end(in: buffer, limit: remaining) else { return .needsBytes }
            buffer.consume(line)
            phase = .trailers(remaining: remaining - line)
            return line == 2 ? .complete : .moved
        }
    }

    private mutating func readHead() throws(ProtocolError) -> Progress {
        guard let head = try Self.head(in: buffer, scanner: &headScanner, limits: limits) else { return .needsBytes }
        buffer.consume(head.length)
        headScanner = HTTPHeadScanner()
        message = head.message
        if message.status < 200 {
            return .moved
        }
        if message.status == 204 || message.status == 304 {
            return .complete
        }
        if head.isChunked {
            phase = .chunkSize
            return .moved
        }
        guard head.bodyLength > 0 else { return .complete }
        phase = .body(length: head.bodyLength)
        return .moved
    }

    private mutating func readChunkSize() throws(ProtocolError) -> Progress {
        guard let line = try lineScanner.end(in: buffer, limit: Self.maximumChunkLineBytes) else { return .needsBytes }
        let size = try Self.chunkSize(in: buffer, lineLength: line)
        buffer.consume(line)
        guard size <= limits.maximumBytes(of: message.kind) - message.body.count else {
            throw ProtocolError(.tooLarge, "the body is larger than the limit", at: "HTTP response")
        }
        phase = size == 0 ? .trailers(remaining: limits.maximumHeadBytes) : .chunk(remaining: size)
        return .moved
    }
}
