/// Reads one JSON text strictly as RFC 8259 has it, within limits.
///
/// Refused beyond the grammar: duplicate keys, lone surrogates, invalid UTF-8, a byte order mark, numbers too large for
/// a `Double`.
///
/// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
struct JSONReader {
    private var tokens = JSONTokenizer()
    private let maximumDepth: Int
    private var remainingValues: Int

    init(limits: JSONLimits) {
        maximumDepth = limits.maximumDepth
        remainingValues = limits.maximumValues
    }

    /// Reads a text that is one value between blanks.
    mutating func text(_ input: Span<UInt8>) throws(ProtocolError) -> JSONValue {
        do throws(JSONFault) {
            tokens.skipBlanks(input)
            let value = try value(input, depth: 0)
            tokens.skipBlanks(input)
            guard tokens.position == input.count else { throw .textAfterEnd }
            return value
        } catch {
            throw ProtocolError(error.code, error.rawValue, at: "JSON byte \(tokens.position)")
        }
    }

    private mutating func value(_ input: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONValue {
        guard remainingValues > 0 else {
            throw .tooManyValues
        }
        remainingValues -= 1
        switch tokens.peek(input) {
        case UInt8(ascii: "{"):
            return .object(try object(input, depth: depth + 1))
        case UInt8(ascii: "["):
            return .array(try array(input, depth: depth + 1))
        case UInt8(ascii: "\""):
            return .string(try tokens.string(input))
        case UInt8(ascii: "t"):
            try tokens.word("true", input)
            return .bool(true)
        case UInt8(ascii: "f"):
            try tokens.word("false", input)
            return .bool(false)
        case UInt8(ascii: "n"):
            try tokens.word("null", input)
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try tokens.number(input))
        default:
            throw tokens.position == input.count ? JSONFault.missingValue : .unknownValue
        }
    }

    private mutating func array(_ input: Span<UInt8>, depth: Int) throws(JSONFault) -> [JSONValue] {
        guard depth <= maximumDepth else {
            throw .tooDeep
        }
        tokens.position += 1
        tokens.skipBlanks(input)
        var elements: [JSONValue] = []
        if tokens.take(UInt8(ascii: "]"), input) {
            return elements
        }
        while true {
            tokens.skipBlanks(input)
            elements.append(try value(input, depth: depth))
            tokens.skipBlanks(input)
            if tokens.take(UInt8(ascii: "]"), input) {
                return elements
            }
            guard tokens.take(UInt8(ascii: ","), input) else { throw .unendedArray }
        }
    }

    private mutating func object(_ input: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONObject {
        guard depth <= maximumDepth else {
            throw .tooDeep
        }
        tokens.position += 1
        tokens.skipBlanks(input)
        var members: [JSONObject.Member] = []
        if tokens.take(UInt8(ascii: "}"), input) {
            return JSONObject()
        }
        // An item of a write has three or four: so nearly every object takes one allocation.
        members.reserveCapacity(4)
        var seen: Set<ExactText> = []
        while true {
            tokens.skipBlanks(input)
            guard tokens.peek(input) == UInt8(ascii: "\"") else { throw .missingKey }
            let key = try tokens.string(input)
            guard Self.isNew(key, among: members, seen: &seen) else { throw .duplicateKey }
            tokens.skipBlanks(input)
            guard tokens.take(UInt8(ascii: ":"), input) else { throw .missingColon }
            tokens.skipBlanks(input)
            members.append(JSONObject.Member(key: key, value: try value(input, depth: depth)))
            tokens.skipBlanks(input)
            if tokens.take(UInt8(ascii: "}"), input) {
                return JSONObject(uniqueMembers: members)
            }
            guard tokens.take(UInt8(ascii: ","), input) else { throw .unendedObject }
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
}

extension JSONFault {
    fileprivate var code: ProtocolError.Code {
        self == .tooManyValues || self == .tooDeep ? .tooLarge : .json
    }
}
