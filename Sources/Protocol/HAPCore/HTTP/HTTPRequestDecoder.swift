/// Splits a stream of bytes into requests, regardless of the pieces in which it arrives.
///
/// An error is final: the same error is thrown from then on, and further bytes are dropped. After ``chunkedBodyError``
/// the server answers 400 and closes the connection; after every other error it only closes it.
///
/// The decoder buffers bytes until ``next()`` has returned them. To limit the memory, its owner stops reading while
/// requests are waiting.
///
/// HAP: §10
package struct HTTPRequestDecoder: Sendable {
    private let limits: HTTPLimits

    private var buffer = HTTPBuffer()
    private var scanner = HTTPHeadScanner()
    private var skippedLines = 0
    /// The request whose head has arrived but whose body is incomplete.
    private var pending: HTTPRequest?
    private var bodyLength = 0
    /// The form of the last request whose head has arrived.
    package private(set) var lastForm = HTTPRequestForm()
    private var failure: ProtocolError?

    /// The error for a request with a Transfer-Encoding, which is answered with 400.
    package static let chunkedBodyError = ProtocolError(.http, "chunked request body", at: "HTTP request")

    package init(limits: HTTPLimits = .unverified) {
        self.limits = limits
    }

    /// Whether there is an incomplete request, or one that was not returned yet.
    package var isMidRequest: Bool {
        pending != nil || buffer.count > 0
    }

    /// The number of buffered bytes.
    package var bufferedByteCount: Int {
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

    /// Returns the next complete request; `nil` if there is none.
    package mutating func next() throws(ProtocolError) -> HTTPRequest? {
        if let failure {
            throw failure
        }
        do throws(ProtocolError) {
            return try decode()
        } catch {
            failure = error
            pending = nil
            buffer.removeAll()
            throw error
        }
    }

    /// Removes and returns the bytes after the last complete request, which are frames when a session has begun.
    package mutating func takeUnread() -> [UInt8] {
        pending = nil
        scanner = HTTPHeadScanner()
        return buffer.readBytes(buffer.count)
    }

    private mutating func decode() throws(ProtocolError) -> HTTPRequest? {
        if pending == nil {
            skipEmptyLines()
            guard let head = try Self.head(in: buffer, scanner: &scanner, limits: limits) else { return nil }
            pending = head.request
            bodyLength = head.bodyLength
            lastForm = head.form
            buffer.consume(head.length)
            scanner = HTTPHeadScanner()
            skippedLines = 0
        }
        guard buffer.count >= bodyLength, var request = pending.take() else { return nil }
        if bodyLength > 0 {
            request.body = buffer.readBytes(bodyLength)
        }
        return request
    }

    /// Skips up to two empty lines, because some clients send a line end after a body.
    private mutating func skipEmptyLines() {
        while skippedLines < 2, buffer.count >= 2, buffer.bytes[buffer.start] == UInt8(ascii: "\r"),
            buffer.bytes[buffer.start + 1] == UInt8(ascii: "\n")
        {
            buffer.consume(2)
            skippedLines += 1
        }
    }
}

extension HTTPRequestDecoder {
    /// Reads the head at the start of the buffer; returns `nil` until it is complete.
    private static func head(
        in buffer: HTTPBuffer,
        scanner: inout HTTPHeadScanner,
        limits: HTTPLimits
    ) throws(ProtocolError) -> (request: HTTPRequest, form: HTTPRequestForm, bodyLength: Int, length: Int)? {
        let message = buffer.bytes.span.extracting(buffer.start..<buffer.end)
        guard let end = try scanner.findEnd(in: message, limit: limits.maximumHeadBytes, location: "HTTP request")
        else {
            return nil
        }
        let text = message.extracting(0..<end)
        var cursor = HTTPFieldCursor()
        let line = cursor.nextLine(in: text)
        let request = try requestLine(text.extracting(line))
        var statedLength: Int?
        var form = HTTPRequestForm()
        while let field = try cursor.nextField(in: text, location: "HTTP request") {
            let name = text.extracting(field.name)
            if name.isEqual(ignoringCase: "content-length") {
                guard statedLength == nil else {
                    throw ProtocolError(.http, "a repeated Content-Length", at: "HTTP request")
                }
                statedLength = try HTTPContentLength.parse(text.extracting(field.value), location: "HTTP request")
            } else if name.isEqual(ignoringCase: "transfer-encoding") {
                throw chunkedBodyError
            } else if name.isEqual(ignoringCase: "content-type") {
                form.hasTypeBeforeLength = statedLength == nil
            } else if name.isEqual(ignoringCase: "host") {
                form.hasPortInHost = hasPort(text.extracting(field.value))
            }
        }
        let length = statedLength ?? 0
        guard length <= limits.maximumBodyBytes else {
            throw ProtocolError(.tooLarge, "the body is larger than the limit", at: "HTTP request")
        }
        form.byteCount = end + length
        return (request, form, length, end)
    }

    /// Returns whether a host, such as `10.0.0.1:5000`, has a port.
    private static func hasPort(_ host: Span<UInt8>) -> Bool {
        var position = host.count
        while position > 0, host[position - 1].decimalDigit != nil {
            position -= 1
        }
        guard position < host.count, position > 1, host[position - 1] == UInt8(ascii: ":") else { return false }
        // The address of IPv6 in brackets contains colons, too.
        return host[0] != UInt8(ascii: "[") || host[position - 2] == UInt8(ascii: "]")
    }

    private static func requestLine(_ line: Span<UInt8>) throws(ProtocolError) -> HTTPRequest {
        var methodEnd = 0
        while methodEnd < line.count, line[unchecked: methodEnd].isTokenCharacter {
            methodEnd += 1
        }
        guard methodEnd > 0, methodEnd < line.count, line[methodEnd] == UInt8(ascii: " ") else {
            throw ProtocolError(.http, "a request line without a method", at: "HTTP request")
        }
        let targetStart = methodEnd + 1
        var targetEnd = targetStart
        var pathEnd: Int?
        while targetEnd < line.count, 0x21...0x7E ~= line[unchecked: targetEnd] {
            if line[unchecked: targetEnd] == UInt8(ascii: "?"), pathEnd == nil {
                pathEnd = targetEnd
            }
            targetEnd += 1
        }
        guard targetEnd > targetStart, line.extracting(targetEnd..<line.count).isEqual(to: " HTTP/1.1") else {
            throw ProtocolError(.http, "a request line without a target or HTTP/1.1", at: "HTTP request")
        }
        let queryStart = min((pathEnd ?? targetEnd) + 1, targetEnd)
        return HTTPRequest(
            method: HTTPMethod(line.extracting(0..<methodEnd)),
            path: line.extracting(targetStart..<(pathEnd ?? targetEnd)),
            query: line.extracting(queryStart..<targetEnd)
        )
    }
}

/// The form in which a request was sent, on which some devices depend.
package struct HTTPRequestForm: Sendable, Hashable {
    /// The size of head and body, in bytes.
    package var byteCount = 0
    /// The size of path and query, in bytes.
    package var targetByteCount = 0
    /// Whether `Content-Type` comes before `Content-Length`.
    package var hasTypeBeforeLength = false
    /// Whether the header `Host` contains a port.
    package var hasPortInHost = false

    package init() {}
}

/// The maximum sizes of messages; larger ones are refused.
///
/// HAP: §10
package struct HTTPLimits: Sendable, Hashable {
    /// The maximum size of a head in bytes, including its empty line.
    package var maximumHeadBytes: Int
    /// The maximum size of a body in bytes.
    package var maximumBodyBytes: Int

    /// The maximum size of an event's body in bytes; events are not requested.
    package var maximumEventBytes: Int

    /// Creates limits; an event may be as large as a response by default.
    package init(maximumHeadBytes: Int, maximumBodyBytes: Int, maximumEventBytes: Int? = nil) {
        let maximumEventBytes = maximumEventBytes ?? maximumBodyBytes
        precondition(
            maximumHeadBytes >= 0 && maximumBodyBytes >= 0 && maximumEventBytes >= 0,
            "a limit is not negative"
        )
        self.maximumHeadBytes = maximumHeadBytes
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumEventBytes = maximumEventBytes
    }

    /// Returns the maximum size of the body of this kind of message.
    func maximumBytes(of kind: HTTPMessage.Kind) -> Int {
        switch kind {
        case .response: maximumBodyBytes
        case .event: maximumEventBytes
        }
    }

    /// The limits for requests without a session: 16 KiB each, since no pairing message exceeds 1 KiB.
    package static let unverified = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 16 << 10)
    /// The limits for requests within a session: a head of 16 KiB and a body of 4 MiB, since a `data` value may have 2
    /// MiB, which are sent in Base64.
    package static let verified = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 4 << 20)
    /// The limits for unencrypted responses of an accessory: a head of 16 KiB, and a body of 64 KiB, because the
    /// accessory's identity is not proven yet.
    package static let unverifiedResponses = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 64 << 10)
    /// The limits for messages of an accessory within a session: a head of 16 KiB; a body of 16 MiB, since a bridge's
    /// database is large; and 4 MiB for an event, as for a write.
    package static let responses = HTTPLimits(
        maximumHeadBytes: 16 << 10,
        maximumBodyBytes: 16 << 20,
        maximumEventBytes: 4 << 20
    )
}
