internal import HAPCore

/// Unusual ways to write a server's messages, which mean the same to a lenient controller.
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
    /// Whether a comma follows the last element of a list.
    var hasTrailingCommas = false
    /// The number of items without ids in a response to a write; 0 to leave the response unchanged.
    var anonymousItemCount = 0
    /// The values of buttons in responses to reads.
    var presses: [CharacteristicID: JSONValue] = [:]
    /// Whether the separators of a list of pairings are omitted.
    var omitsSeparators = false

    /// The limits for parsing messages that the server itself composed.
    private static let limits = JSONLimits(maximumValues: 10_000_000)

    /// The largest number of bytes in a chunk.
    static let chunkSize = 100

    /// Returns the message with these quirks; `nil` if it does not change or cannot be parsed.
    func applied(to message: [UInt8]) -> [UInt8]? {
        guard self != MessageQuirks(), let original = ParsedMessage(message) else { return nil }
        var text = original
        if anonymousItemCount > 0, let answer = withoutIDs(message, text) {
            text = answer
        }
        if omitsSeparators, let body = Self.withoutSeparators(text.body), body != text.body {
            text.body = body
            text.setHeader("Content-Length", "\(body.count)")
        }
        if text.isJSON {
            if isReversed || booleanIDs != nil || !presses.isEmpty,
                let body = try? JSONValue(parsing: text.body, limits: Self.limits)
            {
                text.body = rewritten(body).encoded
            }
            if hasTrailingCommas {
                text.body = Self.withTrailingCommas(text.body)
            }
            if hasExtraWhitespace {
                text.body = Self.withExtraWhitespace(text.body)
            }
            if text.body != original.body || text.startLine != original.startLine {
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
            let written = items.map { $0.replacingValue(replacement) }
            object["characteristics"] = .array(isReversed ? written.reversed() : written)
        }
        if booleanIDs != nil, let accessories = object["accessories"]?.array {
            object["accessories"] = .array(
                accessories.map { accessory in
                    accessory.mappingElements(of: "services") {
                        $0.mappingElements(of: "characteristics") { characteristic in
                            characteristic.replacingValue { $0["format"]?.string == "bool" ? $0.booleanValue : nil }
                        }
                    }
                }
            )
        }
        return .object(object)
    }

    /// Returns another value for an item, or `nil` to leave its value unchanged.
    private func replacement(of item: JSONObject) -> JSONValue? {
        guard let aid = item["aid"]?.unsigned, let iid = item["iid"]?.unsigned, let id = CharacteristicID(aid, iid)
        else { return nil }
        if booleanIDs?.contains(id) == true, let flag = item.booleanValue { return flag }
        return item["value"] == .null ? presses[id] : nil
    }

    /// Returns the response to a write with a status for each item, but without ids; `nil` for any other response.
    private func withoutIDs(_ message: [UInt8], _ text: ParsedMessage) -> ParsedMessage? {
        let success = JSONValue.object(["status": .number(0)])
        var items: [JSONValue]
        if text.body.isEmpty {
            guard message.starts(with: "HTTP/1.1 204".utf8) else { return nil }
            items = Array(repeating: success, count: anonymousItemCount)
        } else {
            guard let body = try? JSONValue(parsing: text.body, limits: Self.limits),
                let written = body.object?["characteristics"]?.array
            else { return nil }
            items = written.map { item in
                guard var object = item.object else { return item }
                object["aid"] = nil
                object["iid"] = nil
                return .object(object)
            }
        }
        let body = JSONValue.object(["characteristics": .array(items)]).encoded
        var answer: [UInt8] = []
        HTTPResponse.json(.multiStatus, body).append(to: &answer)
        return ParsedMessage(answer)
    }

    private static func withoutSeparators(_ pairings: [UInt8]) -> [UInt8]? {
        var reader = TLV8Reader(pairings, at: "pairings M2")
        var writer = TLV8Writer()
        do throws(ProtocolError) {
            while let item = try reader.next() {
                if item.type != TLVType.separator.rawValue {
                    writer.write(item.value, type: item.type)
                }
            }
        } catch {
            return nil
        }
        return writer.bytes
    }

    private static func withTrailingCommas(_ json: [UInt8]) -> [UInt8] {
        rewritten(json, reserving: json.count + 64) { byte, text in
            if byte == UInt8(ascii: "]"), text.last != UInt8(ascii: "[") {
                text.append(UInt8(ascii: ","))
            }
            text.append(byte)
        }
    }

    private static func withExtraWhitespace(_ json: [UInt8]) -> [UInt8] {
        rewritten(json, reserving: json.count * 3 / 2) { byte, text in
            switch byte {
            case UInt8(ascii: ":"): text += " : ".utf8
            case UInt8(ascii: ","): text += " ,\r\n\t".utf8
            case UInt8(ascii: "{"), UInt8(ascii: "["): text += [byte, UInt8(ascii: " ")]
            case UInt8(ascii: "}"), UInt8(ascii: "]"): text += [UInt8(ascii: " "), byte]
            default: text.append(byte)
            }
        }
    }

    /// Returns a JSON text with a function applied to each byte outside of its strings.
    ///
    /// - Parameter append: Appends the byte, or what replaces it.
    private static func rewritten(
        _ json: [UInt8],
        reserving capacity: Int,
        append: (UInt8, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(capacity)
        var isInString = false
        var isEscaped = false
        for byte in json {
            guard isInString else {
                isInString = byte == UInt8(ascii: "\"")
                append(byte, &text)
                continue
            }
            text.append(byte)
            isInString = isEscaped || byte != UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return text
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

    /// Returns the item with a replaced value, or unchanged if there is no replacement.
    fileprivate func replacingValue(_ replacement: (JSONObject) -> JSONValue?) -> JSONValue {
        guard var object, let value = replacement(object) else { return self }
        object["value"] = value
        return .object(object)
    }
}

extension JSONObject {
    /// The value of an item as `true` or `false`; `nil` if it is neither.
    fileprivate var booleanValue: JSONValue? {
        self["value"]?.hapBool.map(JSONValue.bool)
    }
}

/// A response or event message, parsed so that it can be rewritten.
struct ParsedMessage: Hashable {
    let startLine: String
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
