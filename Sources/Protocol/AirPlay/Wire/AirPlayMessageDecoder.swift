/// Splits the bytes of a connection into messages.
///
/// A line ends with CR LF or LF. A body has the length that its head says, and no other encoding.
///
/// See `docs/airplay.md`.
package struct AirPlayMessageDecoder: Sendable {
    /// The maximum number of bytes of a head.
    package static let maximumHead = 16_384
    /// The maximum number of header fields.
    package static let maximumFields = 64
    /// The maximum number of bytes of the body of a sender that is not known yet.
    package static let unknownSenderBody = 16_384
    /// The maximum number of bytes of any other body, such as a picture.
    package static let knownSenderBody = 2 << 20

    /// The maximum number of bytes of the next body.
    package var maximumBody: Int
    private var bytes: [UInt8] = []
    /// The number of bytes in which no end of the head was found.
    private var scanned = 0
    /// A head whose body has not arrived.
    private var head: Head?

    private struct Head: Sendable {
        let firstLine: String
        let headers: AirPlayHeaders
        /// The number of bytes of the head, and of the body.
        let size: Int
        let length: Int
    }

    package init(maximumBody: Int = Self.unknownSenderBody) {
        self.maximumBody = maximumBody
    }

    /// The bytes that no returned message has used.
    package var unread: [UInt8] { bytes }

    package mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// Removes the bytes that are not part of a returned message, and returns them.
    package mutating func takeUnread() -> [UInt8] {
        defer { (bytes, scanned, head) = ([], 0, nil) }
        return bytes
    }

    /// Returns the next request, or `nil` if more bytes are needed.
    ///
    /// - Throws: The answer to a request that cannot be read; the connection is then of no more use.
    package mutating func nextRequest() throws(AirPlayRefusal) -> AirPlayRequest? {
        guard let message = try next() else { return nil }
        let parts = message.firstLine.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw AirPlayRefusal(400, "a request has no method, target and version")
        }
        guard let version = AirPlayRequest.Version(rawValue: String(parts[2])) else {
            throw AirPlayRefusal(505, "a request is neither RTSP/1.0 nor HTTP/1.1")
        }
        return AirPlayRequest(String(parts[0]), String(parts[1]), version, message.headers, message.body)
    }

    /// Returns the next response, or `nil` if more bytes are needed.
    package mutating func nextResponse() throws(AirPlayRefusal) -> AirPlayResponse? {
        guard let message = try next() else { return nil }
        let parts = message.firstLine.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, let status = Int(parts[1]), (100...999).contains(status) else {
            throw AirPlayRefusal(400, "a response has no status")
        }
        return AirPlayResponse(status, message.headers, message.body)
    }

    private struct Message {
        let firstLine: String
        let headers: AirPlayHeaders
        let body: [UInt8]
    }

    private mutating func next() throws(AirPlayRefusal) -> Message? {
        if head == nil { head = try nextHead() }
        guard let head, bytes.count - head.size >= head.length else { return nil }
        let body = Array(bytes[head.size..<head.size + head.length])
        bytes.removeFirst(head.size + head.length)
        (scanned, self.head) = (0, nil)
        return Message(firstLine: head.firstLine, headers: head.headers, body: body)
    }

    private mutating func nextHead() throws(AirPlayRefusal) -> Head? {
        // Blank lines between messages are skipped.
        let blanks = bytes.prefix { $0 == 0x0D || $0 == 0x0A }.count
        if blanks > 0 { bytes.removeFirst(blanks) }
        guard let end = headEnd() else {
            guard bytes.count <= Self.maximumHead else { throw AirPlayRefusal(431, "a head has too many bytes") }
            return nil
        }
        guard end <= Self.maximumHead else { throw AirPlayRefusal(431, "a head has too many bytes") }
        guard let head = String(validating: bytes[..<end], as: UTF8.self) else {
            throw AirPlayRefusal(400, "a head is not UTF-8")
        }
        // In Swift, CR LF is one character.
        var lines = head.split(whereSeparator: \.isNewline)[...]
        guard let firstLine = lines.popFirst() else { throw AirPlayRefusal(400, "a head is empty") }
        guard lines.count <= Self.maximumFields else { throw AirPlayRefusal(431, "a head has too many fields") }
        var headers = AirPlayHeaders()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                throw AirPlayRefusal(400, "a header field has no name")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers[String(line[..<colon])] = String(value)
        }
        let length = try Self.length(headers["Content-Length"])
        guard length <= maximumBody else { throw AirPlayRefusal(413, "a body has \(length) bytes") }
        return Head(firstLine: String(firstLine), headers: headers, size: end, length: length)
    }

    private static func length(_ text: String?) throws(AirPlayRefusal) -> Int {
        guard let text else { return 0 }
        let digits = text.prefix { $0 != " " }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw AirPlayRefusal(400, "Content-Length is not a number")
        }
        return Int(digits) ?? .max
    }

    /// Returns the number of bytes of the head with its blank line.
    private mutating func headEnd() -> Int? {
        var position = max(scanned - 3, 0)
        while position < bytes.count {
            if bytes[position] == 0x0A {
                let next = bytes[(position + 1)...]
                if next.first == 0x0A { return position + 2 }
                if next.prefix(2).elementsEqual([0x0D, 0x0A]) { return position + 3 }
            }
            position += 1
        }
        scanned = bytes.count
        return nil
    }
}

/// The answer to a request that is not done, and the reason for the log.
package struct AirPlayRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The status, from 400 to 599.
    package let status: Int
    package let reason: String

    package init(_ status: Int, _ reason: String) {
        (self.status, self.reason) = (status, reason)
    }

    package var description: String { "\(status): \(reason)" }
}
