import HAPCore

/// Splits the bytes that a server sends into responses and events.
///
/// HAP: §10, §14
struct HTTPMessageParser: Sendable {
    private var bytes: [UInt8] = []
    private var head: Head?

    /// A message whose body has not arrived in full.
    private struct Head {
        var message: HTTPMessage
        /// The number of bytes of the body, or `nil` for a body in chunks.
        var length: Int?
    }

    /// Whether part of a message has arrived.
    var isMidMessage: Bool {
        head != nil || !bytes.isEmpty
    }

    mutating func append(_ arrived: [UInt8]) {
        bytes += arrived
    }

    /// Returns the next complete message, or `nil` if none has arrived.
    ///
    /// - Throws: `ProtocolError` when the bytes are not HTTP.
    mutating func next() throws -> HTTPMessage? {
        if head == nil {
            guard let text = readText(upTo: "\r\n\r\n") else { return nil }
            head = try Self.head(text)
        }
        guard var present = head else { return nil }
        if let length = present.length {
            guard bytes.count >= length else { return nil }
            present.message.body = read(length)
        } else {
            guard let body = try readChunks() else { return nil }
            present.message.body = body
        }
        head = nil
        return present.message
    }

    private static func head(_ text: String) throws -> Head {
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let line = lines.removeFirst().split(separator: " ", maxSplits: 2)
        let kinds: [Substring: HTTPMessage.Kind] = ["HTTP/1.1": .response, "EVENT/1.0": .event]
        guard line.count == 3, let kind = kinds[line[0]], line[1].count == 3, let status = Int(line[1]) else {
            throw failure("the first line is «\(line.joined(separator: " "))»")
        }
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw failure("a header is «\(line)»") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            guard fields.updateValue(String(value), forKey: line[..<colon].lowercased()) == nil else {
                throw failure("\(line[..<colon]) is there twice")
            }
        }
        let type = HTTPContentType.allCases.first { "\($0.text)" == fields["content-type"] }
        let message = HTTPMessage(kind, status: status, contentType: type)
        if fields["transfer-encoding"] == "chunked" { return Head(message: message, length: nil) }
        guard let length = Int(fields["content-length"] ?? (status == 204 ? "0" : "?")), length >= 0 else {
            throw failure("no length is in «\(text)»")
        }
        return Head(message: message, length: length)
    }

    /// Returns the body of a message in chunks, or `nil` if the last chunk has not arrived.
    private mutating func readChunks() throws -> [UInt8]? {
        var (rest, body) = (self, [UInt8]())
        while let line = rest.readText(upTo: "\r\n") {
            guard let size = Int(line, radix: 16), size >= 0 else {
                throw Self.failure("a chunk begins with «\(line)»")
            }
            guard rest.bytes.count >= size + 2 else { return nil }
            body += rest.read(size)
            guard rest.read(2) == Array("\r\n".utf8) else { throw Self.failure("a chunk is longer than it says") }
            guard size > 0 else {
                self = rest
                return body
            }
        }
        return nil
    }

    /// Removes and returns the text before an end mark, or `nil` if the mark has not arrived.
    private mutating func readText(upTo end: String) -> String? {
        let end = Array(end.utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        defer { _ = read(end.count) }
        return String(decoding: read(start), as: UTF8.self)
    }

    private mutating func read(_ count: Int) -> [UInt8] {
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }

    private static func failure(_ reason: String) -> ProtocolError {
        ProtocolError(.http, reason, at: "message of the server")
    }
}
