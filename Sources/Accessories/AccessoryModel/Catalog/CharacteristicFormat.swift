public import HAPCore

/// The type of a characteristic's value.
///
/// HAP: §11.5
public enum CharacteristicFormat: String, Sendable, Hashable, CaseIterable {
    /// True or false, sent as 1 or 0.
    case bool
    /// An integer from 0 to 255.
    case uint8
    /// An integer from 0 to 65,535.
    case uint16
    /// An integer from 0 to 4,294,967,295.
    case uint32
    /// An integer from 0 to 18,446,744,073,709,551,615.
    case uint64
    /// An integer from −2,147,483,648 to 2,147,483,647.
    case int
    /// A finite number.
    case float
    /// UTF-8 text.
    case string
    /// A TLV8 message, sent in Base64.
    case tlv8
    /// Bytes, sent in Base64.
    case data

    /// The range of an integer format, or `nil` for other formats.
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
    /// Creates a format from the name that a device has sent, in upper or lower case.
    ///
    /// Returns `nil` for an unknown name.
    package init?(deviceText name: String) {
        self.init(rawValue: name.lowercased())
    }
}
