public import HAPCore

/// How a characteristic's value is typed.
///
/// HAP: §11.5
public enum CharacteristicFormat: String, Sendable, Hashable, CaseIterable {
    /// True or false; 1 and 0 on the wire.
    case bool
    /// 0 to 255.
    case uint8
    /// 0 to 65,535.
    case uint16
    /// 0 to 4,294,967,295.
    case uint32
    /// 0 to 18,446,744,073,709,551,615.
    case uint64
    /// −2,147,483,648 to 2,147,483,647.
    case int
    /// A finite number.
    case float
    /// UTF-8 text.
    case string
    /// A TLV8 message, Base64 on the wire.
    case tlv8
    /// Bytes, Base64 on the wire.
    case data

    /// The integers that the format holds, `nil` for the formats that are not integers.
    public var integerRange: ClosedRange<JSONNumber>? {
        switch self {
        case .uint8: 0...JSONNumber(UInt8.max)
        case .uint16: 0...JSONNumber(UInt16.max)
        case .uint32: 0...JSONNumber(UInt32.max)
        case .uint64: 0...JSONNumber(UInt64.max)
        case .int: JSONNumber(Int32.min)...JSONNumber(Int32.max)
        case .bool, .float, .string, .tlv8, .data: nil
        }
    }
}

extension CharacteristicFormat {
    /// Infers the format from a value.
    package init(inferredFrom value: JSONValue?) {
        switch value {
        case .bool: self = .bool
        case .number(let number):
            if case .real = number {
                self = .float
            } else {
                self = CharacteristicFormat.int.integerRange?.contains(number) == true ? .int : .uint64
            }
        case nil, .null, .string, .array, .object: self = .string
        }
    }
}

extension CharacteristicFormat {
    /// The format with a name that a device has written, in upper or lower case; `nil` for an unknown one.
    package init?(deviceText name: String) {
        self.init(rawValue: name.lowercased())
    }
}
