package import HAPCore

/// Reads members leniently, as real receivers do: a number may be written as a string, and `null` means missing.
extension JSONObject {
    package func text(_ key: String) -> String? { self[key]?.string }

    /// Returns a finite number; a string such as `"1.5"` is one, too.
    package func number(_ key: String) -> Double? {
        if let number = self[key]?.number { return number.double }
        return self[key]?.string.flatMap { JSONNumber(parsing: $0) }?.double
    }

    /// Returns an integer; a string, and a number such as `1.0`, may be one, too.
    package func integer(_ key: String) -> Int? { self[key]?.castInteger }

    /// Returns a Boolean, also from `"true"`, `"false"`, 1 and 0.
    package func flag(_ key: String) -> Bool? {
        switch self[key] {
        case .string(let text): text.lowercased() == "true" ? true : text.lowercased() == "false" ? false : nil
        case let value: value?.hapBool
        }
    }

    /// Returns a Boolean as JavaScript does, in which every text that is not empty is true.
    ///
    /// VLC writes `"autoplay": "false"`, and expects that its content plays.
    func truth(_ key: String) -> Bool? { self[key]?.string.map { !$0.isEmpty } ?? flag(key) }

    package func object(_ key: String) -> JSONObject? { self[key]?.object }

    /// Returns the objects of an array; other elements are left out.
    package func objects(_ key: String) -> [JSONObject]? { self[key]?.array.map { $0.compactMap(\.object) } }

    package func texts(_ key: String) -> [String]? { self[key]?.array.map { $0.compactMap(\.string) } }

    package func integers(_ key: String) -> [Int]? { self[key]?.array.map { $0.compactMap(\.castInteger) } }

    /// Returns the object without its members that are `null`.
    package var withoutNulls: JSONObject {
        JSONObject(uniqueMembers: members.filter { $0.value != .null })
    }

    /// The compact text.
    package var text: String { String(decoding: JSONValue.object(self).encoded, as: UTF8.self) }

    /// The number of bytes of the compact text, or a few more, without making it.
    var maximumByteCount: Int { JSONValue.object(self).maximumByteCount }
}

extension JSONValue {
    fileprivate var castInteger: Int? {
        if let number { return number.integer() ?? Int(exactly: number.double.rounded()) }
        return string.flatMap { JSONNumber(parsing: $0)?.integer() }
    }

    fileprivate var maximumByteCount: Int {
        switch self {
        case .null, .bool: 5
        case .number: 32
        case .string(let text): text.maximumByteCount
        case .array(let elements): elements.reduce(2) { $0 + $1.maximumByteCount + 1 }
        case .object(let object):
            object.members.reduce(2) { $0 + $1.key.maximumByteCount + $1.value.maximumByteCount + 2 }
        }
    }
}

extension String {
    /// The number of bytes in JSON, or a few more: control characters are escaped, of which some have several bytes.
    fileprivate var maximumByteCount: Int {
        utf8.reduce(2) { count, byte in
            switch byte {
            case 0..<0x20, 0x7F: count + 6
            case 0x80...: count + 3
            case 0x22, 0x2F, 0x5C: count + 2
            default: count + 1
            }
        }
    }
}
