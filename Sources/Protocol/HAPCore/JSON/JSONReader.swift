/// Reads one JSON text strictly by RFC 8259, within limits; only trailing commas can be allowed.
///
/// The reader also refuses duplicate keys, lone surrogates, invalid UTF-8, a byte order mark, and numbers too large for
/// a `Double`.
///
/// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
struct JSONReader {
    private var tokens = JSONTokenizer()
    private let maximumDepth: Int
    private let allowsTrailingCommas: Bool
    private var remainingValues: Int
    /// The keys of the objects that are being read, outermost first.
    private var keys: [String] = []

    init(limits: JSONLimits) {
        maximumDepth = limits.maximumDepth
        allowsTrailingCommas = limits.allowsTrailingCommas
        remainingValues = limits.maximumValues
    }

    /// Reads a text of one value, with optional whitespace around it.
    mutating func readDocument(_ input: Span<UInt8>) throws(ProtocolError) -> JSONValue {
        try readDocument(input) { reader, input throws(JSONSyntaxError) in try reader.readValue(input, depth: 0) }
    }

    /// Reads a text with `read`, which begins at depth 0, and skips whitespace around it.
    mutating func readDocument<Value>(
        _ input: Span<UInt8>,
        _ read: (inout JSONReader, Span<UInt8>) throws(JSONSyntaxError) -> Value
    ) throws(ProtocolError) -> Value {
        do throws(JSONSyntaxError) {
            tokens.skipWhitespace(input)
            let value = try read(&self, input)
            tokens.skipWhitespace(input)
            guard tokens.position == input.count else { throw .textAfterEnd }
            return value
        } catch {
            throw ProtocolError(error.code, error.rawValue, at: "JSON byte \(tokens.position)")
        }
    }

    /// Reads an object, with `member` reading the value of each key; skips any other value and returns `false`.
    mutating func readMembers(
        _ input: Span<UInt8>,
        depth: Int,
        _ member: (inout JSONReader, Span<UInt8>, String) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) -> Bool {
        guard tokens.peek(input) == UInt8(ascii: "{") else {
            _ = try readValue(input, depth: depth)
            return false
        }
        try countValue()
        try readObject(input, depth: depth + 1, member)
        return true
    }

    /// Reads an array, with `element` reading each element; skips any other value and returns `false`.
    mutating func readElements(
        _ input: Span<UInt8>,
        depth: Int,
        _ element: (inout JSONReader, Span<UInt8>) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) -> Bool {
        guard tokens.peek(input) == UInt8(ascii: "[") else {
            _ = try readValue(input, depth: depth)
            return false
        }
        try countValue()
        try readArray(input, depth: depth + 1, element)
        return true
    }

    /// Reads a value that begins with the next byte.
    mutating func readValue(_ input: Span<UInt8>, depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try countValue()
        switch tokens.peek(input) {
        case UInt8(ascii: "{"):
            var members: [JSONObject.Member] = []
            try readObject(input, depth: depth + 1) { reader, input, key throws(JSONSyntaxError) in
                members.append(JSONObject.Member(key: key, value: try reader.readValue(input, depth: depth + 1)))
            }
            return .object(JSONObject(uniqueMembers: members))
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try readArray(input, depth: depth + 1) { reader, input throws(JSONSyntaxError) in
                elements.append(try reader.readValue(input, depth: depth + 1))
            }
            return .array(elements)
        case UInt8(ascii: "\""):
            return .string(try tokens.readString(input))
        case UInt8(ascii: "t"):
            try tokens.readLiteral("true", input)
            return .bool(true)
        case UInt8(ascii: "f"):
            try tokens.readLiteral("false", input)
            return .bool(false)
        case UInt8(ascii: "n"):
            try tokens.readLiteral("null", input)
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try tokens.readNumber(input))
        default:
            throw tokens.position == input.count ? JSONSyntaxError.missingValue : .unexpectedCharacter
        }
    }

    private mutating func countValue() throws(JSONSyntaxError) {
        guard remainingValues > 0 else { throw .tooManyValues }
        remainingValues -= 1
    }

    private mutating func readArray(
        _ input: Span<UInt8>,
        depth: Int,
        _ element: (inout JSONReader, Span<UInt8>) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        guard depth <= maximumDepth else { throw .tooDeep }
        tokens.position += 1
        tokens.skipWhitespace(input)
        if tokens.consume(UInt8(ascii: "]"), input) { return }
        while true {
            tokens.skipWhitespace(input)
            try element(&self, input)
            tokens.skipWhitespace(input)
            if tokens.consume(UInt8(ascii: "]"), input) { return }
            guard tokens.consume(UInt8(ascii: ","), input) else { throw .unterminatedArray }
            if consumeEndAfterComma(UInt8(ascii: "]"), input) { return }
        }
    }

    private mutating func readObject(
        _ input: Span<UInt8>,
        depth: Int,
        _ member: (inout JSONReader, Span<UInt8>, String) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        guard depth <= maximumDepth else { throw .tooDeep }
        tokens.position += 1
        tokens.skipWhitespace(input)
        if tokens.consume(UInt8(ascii: "}"), input) { return }
        let first = keys.count
        // A write has one key at the top and three or four in each item, so that one allocation suffices.
        if first == 0 { keys.reserveCapacity(8) }
        var seen: Set<BytewiseText> = []
        while true {
            tokens.skipWhitespace(input)
            guard tokens.peek(input) == UInt8(ascii: "\"") else { throw .missingKey }
            let key = try tokens.readString(input)
            guard isNew(key, since: first, seen: &seen) else { throw .duplicateKey }
            keys.append(key)
            tokens.skipWhitespace(input)
            guard tokens.consume(UInt8(ascii: ":"), input) else { throw .missingColon }
            tokens.skipWhitespace(input)
            try member(&self, input, key)
            tokens.skipWhitespace(input)
            if tokens.consume(UInt8(ascii: "}"), input) { break }
            guard tokens.consume(UInt8(ascii: ","), input) else { throw .unterminatedObject }
            if consumeEndAfterComma(UInt8(ascii: "}"), input) { break }
        }
        keys.removeLast(keys.count - first)
    }

    /// Consumes the end of an array or object after a comma, if trailing commas are allowed.
    private mutating func consumeEndAfterComma(_ end: UInt8, _ input: Span<UInt8>) -> Bool {
        guard allowsTrailingCommas else { return false }
        tokens.skipWhitespace(input)
        return tokens.consume(end, input)
    }

    /// Returns whether a key is new in its object; compares it with each key while they are few, which is faster than a
    /// set.
    private func isNew(_ key: String, since first: Int, seen: inout Set<BytewiseText>) -> Bool {
        let few = 16
        let count = keys.count - first
        if count < few {
            for earlier in first..<keys.count where keys[earlier].hasSameBytes(as: key) {
                return false
            }
            return true
        }
        if count == few {
            seen = Set(keys[first...].lazy.map { BytewiseText($0) })
        }
        return seen.insert(BytewiseText(key)).inserted
    }
}

extension JSONSyntaxError {
    fileprivate var code: ProtocolError.Code {
        self == .tooManyValues || self == .tooDeep ? .tooLarge : .json
    }
}
