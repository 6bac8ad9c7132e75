internal import HAPCore

/// Unusual but equivalent ways to write a server's messages.
struct MessageQuirks: Hashable {
    /// Whether a JSON body is sent in chunks.
    var isChunked = false
    /// Whether JSON has white space between its tokens.
    var hasExtraWhitespace = false
    /// Whether header names alternate between lower and upper case.
    var hasOddHeaders = false
    /// Whether the list of changes is reversed.
    var isReversed = false
    /// The characteristics whose values are written as words; `nil` to leave numbers unchanged.
    var booleanIDs: Set<CharacteristicID>?

    /// The limits for parsing messages that the server itself composed.
    private static let limits = JSONLimits(maximumValues: 10_000_000)

    /// The largest number of bytes in a chunk.
    static let chunkSize = 100

    /// Returns the message with these quirks; `nil` if it does not change or cannot be parsed.
    func applied(to message: [UInt8]) -> [UInt8]? {
        guard self != MessageQuirks(), var text = ParsedMessage(message) else { return nil }
        let original = text
        if text.isJSON {
            if isReversed || booleanIDs != nil, let body = try? JSONValue(parsing: text.body, limits: Self.limits) {
                text.body = rewritten(body).encoded
            }
            if hasExtraWhitespace {
                text.body = Self.withExtraWhitespace(text.body)
            }
            if text.body != original.body {
                text.setHeader("Content-Length", "\(text.body.count)")
            }
            if isChunked, !text.body.isEmpty {
                text.removeHeader("Content-Length")
                text.setHeader("Transfer-Encoding", "chunked")
                text.body = Self.chunked(text.body)
            }
        }
        if hasOddHeaders {
            text.varyHeaderCase()
        }
        return text == original ? nil : text.bytes
    }

    private func rewritten(_ body: JSONValue) -> JSONValue {
        guard var object = body.object else { return body }
        if let items = object["characteristics"]?.array {
            let written = items.map(withBooleanValue)
            object["characteristics"] = .array(isReversed ? written.reversed() : written)
        }
        if booleanIDs != nil, let accessories = object["accessories"]?.array {
            object["accessories"] = .array(
                accessories.map { accessory in
                    accessory.mappingElements(of: "services") {
                        $0.mappingElements(of: "characteristics", Self.withBooleanValueByFormat)
                    }
                }
            )
        }
        return .object(object)
    }

    private func withBooleanValue(_ item: JSONValue) -> JSONValue {
        guard let booleanIDs, var object = item.object, let aid = object["aid"]?.unsigned,
            let iid = object["iid"]?.unsigned, let id = CharacteristicID(aid, iid), booleanIDs.contains(id),
            let flag = object["value"]?.hapBool
        else { return item }
        object["value"] = .bool(flag)
        return .object(object)
    }

    private static func withBooleanValueByFormat(_ characteristic: JSONValue) -> JSONValue {
        guard var object = characteristic.object, object["format"]?.string == "bool",
            let flag = object["value"]?.hapBool
        else { return characteristic }
        object["value"] = .bool(flag)
        return .object(object)
    }

    private static func withExtraWhitespace(_ json: [UInt8]) -> [UInt8] {
        var spaced: [UInt8] = []
        spaced.reserveCapacity(json.count * 3 / 2)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                spaced.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                spaced.append(byte)
            case UInt8(ascii: ":"): spaced += " : ".utf8
            case UInt8(ascii: ","): spaced += " ,\r\n\t".utf8
            case UInt8(ascii: "{"), UInt8(ascii: "["): spaced += [byte, UInt8(ascii: " ")]
            case UInt8(ascii: "}"), UInt8(ascii: "]"): spaced += [UInt8(ascii: " "), byte]
            default: spaced.append(byte)
            }
        }
        return spaced
    }

    private static func chunked(_ body: [UInt8]) -> [UInt8] {
        var chunked: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: chunkSize) {
            let chunk = body[start..<min(start + chunkSize, body.count)]
            chunked += String(chunk.count, radix: 16).utf8
            chunked += "\r\n".utf8
            chunked += chunk
            chunked += "\r\n".utf8
        }
        return chunked + "0\r\n\r\n".utf8
    }
}

extension JSONValue {
    /// Returns the object with a function applied to each element of one of its lists.
    fileprivate func mappingElements(of key: String, _ transform: (JSONValue) -> JSONValue) -> JSONValue {
        guard var object, let elements = object[key]?.array else { return self }
        object[key] = .array(elements.map(transform))
        return .object(object)
    }
}

/// A response or event message, parsed so that it can be rewritten.
struct ParsedMessage: Hashable {
    private let startLine: String
    private var headers: [Header] = []
    /// The bytes after the headers.
    var body: [UInt8]

    private struct Header: Hashable {
        var name: String
        var value: String
    }

    /// Parses a message; `nil` if the end of the headers is missing.
    init?(_ message: [UInt8]) {
        var lines: [String] = []
        var start = 0
        var position = 0
        while true {
            guard position + 1 < message.count else { return nil }
            guard message[position] == UInt8(ascii: "\r"), message[position + 1] == UInt8(ascii: "\n") else {
                position += 1
                continue
            }
            let line = message[start..<position]
            position += 2
            start = position
            if line.isEmpty { break }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        guard let first = lines.first else { return nil }
        startLine = first
        body = Array(message[start...])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append(Header(name: String(line[..<colon]), value: String(value)))
        }
    }

    /// Whether the body is JSON.
    var isJSON: Bool {
        headers.contains { $0.name == "Content-Type" && $0.value.hasSuffix("json") }
    }

    /// Replaces the value of a header, or appends the header.
    mutating func setHeader(_ name: String, _ value: String) {
        if let index = headers.firstIndex(where: { $0.name == name }) {
            headers[index].value = value
        } else {
            headers.append(Header(name: name, value: value))
        }
    }

    /// Removes a header.
    mutating func removeHeader(_ name: String) {
        headers.removeAll { $0.name == name }
    }

    /// Writes header names alternately in lower and upper case.
    mutating func varyHeaderCase() {
        for index in headers.indices {
            let name = headers[index].name
            headers[index].name = index.isMultiple(of: 2) ? name.lowercased() : name.uppercased()
        }
    }

    /// The serialized message.
    var bytes: [UInt8] {
        var bytes = Array(startLine.utf8)
        for header in headers {
            bytes += "\r\n\(header.name): \(header.value)".utf8
        }
        return bytes + "\r\n\r\n".utf8 + body
    }
}
