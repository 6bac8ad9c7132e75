public import HAPCore

/// The value of a characteristic.
public enum CharacteristicValue: Sendable, Hashable {
    /// A value of the format `bool`.
    case bool(Bool)
    /// A value of an integer format or of `float`.
    case number(JSONNumber)
    /// A value of the format `string`.
    case string(String)
    /// A value of the format `tlv8` or `data`.
    case data([UInt8])

    /// The Boolean, or `nil` for any other kind of value.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, or `nil` for any other kind of value.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The string, or `nil` for any other kind of value.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number as an integer, or `nil` if it is not an integer.
    public var integer: Int? {
        number?.integer()
    }

    /// Creates a value from an integer.
    @inlinable
    public static func integer(_ value: some BinaryInteger) -> CharacteristicValue {
        .number(JSONNumber(value))
    }
}

extension CharacteristicValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    /// Creates a value from `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates a value from an integer literal.
    public init(integerLiteral value: Int64) {
        self = .number(JSONNumber(value))
    }

    /// Creates a value from a floating-point literal.
    public init(floatLiteral value: Double) {
        self = .number(JSONNumber(floatLiteral: value))
    }

    /// Creates a value from a string literal.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension CharacteristicValue: CustomStringConvertible {
    /// The value for display on one line; bytes are only counted.
    public var description: String {
        switch self {
        case .bool(let value): String(value)
        case .number(let value): value.description
        case .string(let value): "\"\(value.escapingControlCharacters)\""
        case .data(let bytes): "\(bytes.count) bytes"
        }
    }
}

extension CharacteristicValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case data
    }

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        if let stored = try? decoder.container(keyedBy: CodingKeys.self) {
            guard let bytes = Base64.decode(try stored.decode(String.self, forKey: .data)) else {
                throw stored.dataCorrupted("not Base64")
            }
            self = .data(bytes)
            return
        }
        let stored = try decoder.singleValueContainer()
        if let value = try? stored.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? stored.decode(String.self) {
            self = .string(value)
        } else {
            self = .number(try stored.decode(JSONNumber.self))
        }
    }

    /// Encodes the value; bytes become an object with Base64.
    public func encode(to encoder: any Encoder) throws {
        if case .data(let bytes) = self {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Base64.encode(bytes), forKey: .data)
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data: break
        }
    }
}

extension CharacteristicValue {
    /// The value as JSON.
    package var json: JSONValue {
        switch self {
        case .bool(let value): .bool(value)
        case .number(let value): .number(value)
        case .string(let text): .string(text)
        case .data(let bytes): .string(Base64.encode(bytes))
        }
    }
}

extension CharacteristicValue {
    /// The maximum number of bytes of the value in JSON.
    ///
    /// HAP: §11.4, §11.5
    package var maximumJSONSize: Int {
        switch self {
        case .bool: Self.nullSize
        case .number(.unsigned(let number)) where number < 10_000: Self.nullSize
        case .number: Self.maximumNumberSize
        case .string(let text): JSONWriter.maximumEscapedSize(of: text)
        case .data(let bytes): Base64.encodedSize(of: bytes.count) + 2
        }
    }

    /// The maximum size of a number: a `Double` has 17 digits, a sign, a point and an exponent.
    private static let maximumNumberSize = 26
    /// The size of `null`, which replaces a value that a controller may not read.
    fileprivate static let nullSize = 4
}

extension CharacteristicValue? {
    /// The maximum number of bytes of the value in JSON, or of its placeholder if there is no value.
    package var maximumJSONSize: Int {
        self?.maximumJSONSize ?? CharacteristicValue.nullSize
    }
}
