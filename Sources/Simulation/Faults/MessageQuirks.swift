internal import HAPCore

/// How the messages of a server look that says the same in another way.
struct MessageQuirks: Hashable {
    /// Whether a JSON body goes in chunks.
    var isChunked = false
    /// Whether JSON has blanks between its tokens.
    var hasExtraWhitespace = false
    /// Whether names of headers are in lower and upper case in turn.
    var hasOddHeaders = false
    /// Whether the list of changes is turned round.
    var isReversed = false
    /// The characteristics whose values are told in words; `nil` to leave numbers as they are.
    var booleanIDs: Set<CharacteristicID>?

    /// For what the server itself has composed.
    private static let limits = JSONLimits(maximumValues: 10_000_000)

    /// How many bytes of a body a chunk has at most.
    static let chunkSize = 100

    /// The message in this style; `nil` when it is the same then, or is none that can be read.
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
    /// The object with every element of one of its lists put through a function.
    fileprivate func mappingElements(of key: String, _ transform: (JSONValue) -> JSONValue) -> JSONValue {
        guard var object, let elements = object[key]?.array else { return self }
        object[key] = .array(elements.map(transform))
        return .object(object)
    }
}

/// A composed response or event, taken apart so that it can be said in another way.
struct ParsedMessage: Hashable {
    private let startLine: String
    private var headers: [Header] = []
    /// What comes behind the headers.
    var body: [UInt8]

    private struct Header: Hashable {
        var name: String
        var value: String
    }

    /// Takes a message apart; `nil` for what has no end of headers.
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

    /// Gives a header a value, in its place or behind the others.
    mutating func setHeader(_ name: String, _ value: String) {
        if let index = headers.firstIndex(where: { $0.name == name }) {
            headers[index].value = value
        } else {
            headers.append(Header(name: name, value: value))
        }
    }

    /// Takes a header away.
    mutating func removeHeader(_ name: String) {
        headers.removeAll { $0.name == name }
    }

    /// Writes the names of the headers in lower and upper case in turn.
    mutating func varyHeaderCase() {
        for index in headers.indices {
            let name = headers[index].name
            headers[index].name = index.isMultiple(of: 2) ? name.lowercased() : name.uppercased()
        }
    }

    /// The message as it travels.
    var bytes: [UInt8] {
        var bytes = Array(startLine.utf8)
        for header in headers {
            bytes += "\r\n\(header.name): \(header.value)".utf8
        }
        return bytes + "\r\n\r\n".utf8 + body
    }
}
