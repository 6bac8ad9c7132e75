/// Reads one JSON text strictly as RFC 8259 has it, within limits.
///
/// Refused beyond the grammar: duplicate keys, lone surrogates, invalid UTF-8, a byte order mark, numbers too large for
/// a `Double`.
///
/// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
struct JSONReader {
    /// The offset of the next byte.
    ///
    /// Never beyond the end of the text.
    var position = 0

    private let maximumDepth: Int
    private var remainingValues: Int

    init(limits: JSONLimits) {
        maximumDepth = limits.maximumDepth
        remainingValues = limits.maximumValues
    }

    /// Reads a text that is one value between blanks.
    mutating func text(_ input: Span<UInt8>) throws(ProtocolError) -> JSONValue {
        skipBlanks(input)
        let value = try value(input, depth: 0)
        skipBlanks(input)
        guard position == input.count else { throw fault("text after the end of the value") }
        return value
    }

    /// An error at the present position.
    func fault(_ reason: String) -> ProtocolError {
        ProtocolError(.json, reason, at: "JSON byte \(position)")
    }

    /// The next byte without taking it.
    ///
    /// At the end a zero byte, which no rule of the grammar admits.
    func peek(_ input: Span<UInt8>) -> UInt8 {
        position < input.count ? input[position] : 0
    }

    private mutating func value(_ input: Span<UInt8>, depth: Int) throws(ProtocolError) -> JSONValue {
        guard remainingValues > 0 else {
            throw ProtocolError(.tooLarge, "more values than the limit", at: "JSON byte \(position)")
        }
        remainingValues -= 1
        switch peek(input) {
        case UInt8(ascii: "{"):
            return .object(try object(input, depth: depth + 1))
        case UInt8(ascii: "["):
            return .array(try array(input, depth: depth + 1))
        case UInt8(ascii: "\""):
            return .string(try string(input))
        case UInt8(ascii: "t"):
            try word("true", input)
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false", input)
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null", input)
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number(input))
        default:
            throw fault(position == input.count ? "a value is missing" : "no value begins like this")
        }
    }

    private mutating func array(_ input: Span<UInt8>, depth: Int) throws(ProtocolError) -> [JSONValue] {
        guard depth <= maximumDepth else {
            throw ProtocolError(.tooLarge, "nested deeper than the limit", at: "JSON byte \(position)")
        }
        position += 1
        skipBlanks(input)
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]"), input) {
            return elements
        }
        while true {
            skipBlanks(input)
            elements.append(try value(input, depth: depth))
            skipBlanks(input)
            if take(UInt8(ascii: "]"), input) {
                return elements
            }
            guard take(UInt8(ascii: ","), input) else { throw fault("an array goes on with , or ]") }
        }
    }

    private mutating func object(_ input: Span<UInt8>, depth: Int) throws(ProtocolError) -> JSONObject {
        guard depth <= maximumDepth else {
            throw ProtocolError(.tooLarge, "nested deeper than the limit", at: "JSON byte \(position)")
        }
        position += 1
        skipBlanks(input)
        var members: [JSONObject.Member] = []
        if take(UInt8(ascii: "}"), input) {
            return JSONObject()
        }
        // An item of a write has three or four: so nearly every object takes one allocation.
        members.reserveCapacity(4)
        var seen: Set<ExactText> = []
        while true {
            skipBlanks(input)
            guard peek(input) == UInt8(ascii: "\"") else { throw fault("a member begins with its key") }
            let key = try string(input)
            guard Self.isNew(key, among: members, seen: &seen) else { throw fault("a key occurs twice") }
            skipBlanks(input)
            guard take(UInt8(ascii: ":"), input) else { throw fault("a key is followed by :") }
            skipBlanks(input)
            members.append(JSONObject.Member(key: key, value: try value(input, depth: depth)))
            skipBlanks(input)
            if take(UInt8(ascii: "}"), input) {
                return JSONObject(uniqueMembers: members)
            }
            guard take(UInt8(ascii: ","), input) else { throw fault("an object goes on with , or }") }
        }
    }

    /// Compares with each key while they are few: a set costs more than it saves then, and would cost an allocation.
    private static func isNew(_ key: String, among members: [JSONObject.Member], seen: inout Set<ExactText>) -> Bool {
        let few = 16
        if members.count < few {
            return !members.contains { $0.key.hasSameBytes(as: key) }
        }
        if members.count == few {
            seen = Set(members.lazy.map { ExactText($0.key) })
        }
        return seen.insert(ExactText(key)).inserted
    }

    private mutating func skipBlanks(_ input: Span<UInt8>) {
        while position < input.count {
            switch input[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8, _ input: Span<UInt8>) -> Bool {
        guard peek(input) == byte else { return false }
        position += 1
        return true
    }

    private mutating func word(_ word: StaticString, _ input: Span<UInt8>) throws(ProtocolError) {
        let end = position + word.utf8CodeUnitCount
        guard end <= input.count, input.extracting(position..<end).isEqual(to: word) else {
            throw fault("neither true, false nor null")
        }
        position = end
    }
}
