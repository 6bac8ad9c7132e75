// The stored forms of values. They are defined here explicitly, so that renaming a type or a case does not change them.

/// A value whose stored form is its text.
package protocol StoredAsText: Codable, CustomStringConvertible {
    /// Reads a text that ``CustomStringConvertible/description`` has written; `nil` for any other text.
    init?(storedText text: String)
}

extension StoredAsText {
    /// Decodes the text; throws if it is not valid for the type.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(storedText: text) else { throw decoder.dataCorrupted("not a \(Self.self)") }
        self = value
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension HAPUUID: StoredAsText {
    package init?(storedText text: String) { self.init(text) }
}

extension DeviceID: StoredAsText {
    package init?(storedText text: String) { self.init(text) }
}

/// A value whose stored form is a number.
package protocol StoredAsNumber: Codable {
    associatedtype StoredNumber: Codable
    var storedNumber: StoredNumber { get }
    /// Converts a stored number; `nil` if it is not a value of the type.
    init?(storedNumber: StoredNumber)
}

extension StoredAsNumber {
    /// Decodes the number; throws if it is not valid for the type.
    public init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(StoredNumber.self)
        guard let value = Self(storedNumber: number) else { throw decoder.dataCorrupted("not a \(Self.self)") }
        self = value
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(storedNumber)
    }
}

extension AccessoryID: StoredAsNumber {
    package var storedNumber: UInt64 { rawValue }
    package init?(storedNumber: UInt64) { self.init(storedNumber) }
}

extension InstanceID: StoredAsNumber {
    package var storedNumber: UInt64 { rawValue }
    package init?(storedNumber: UInt64) { self.init(storedNumber) }
}

extension AccessoryCategory: StoredAsNumber {
    package var storedNumber: UInt8 { rawValue }
    package init?(storedNumber: UInt8) { self.init(storedNumber) }
}

extension JSONNumber: Codable {
    /// Decodes a number, every integer of 64 bits exactly.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(Double.self)
        if value.magnitude >= 0x1p53 {
            if let integer = try? container.decode(UInt64.self) {
                self = .unsigned(integer)
                return
            }
            if let integer = try? container.decode(Int64.self) {
                self.init(integer)
                return
            }
        }
        guard let number = JSONNumber(value) else { throw decoder.dataCorrupted("not a number") }
        self = number
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .unsigned(let value): try container.encode(value)
        case .negative(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        }
    }
}

extension Decoder {
    /// Returns the error for stored text that no version has written.
    package func dataCorrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }
}

extension KeyedDecodingContainer {
    /// Returns the error for stored text that no version has written.
    package func dataCorrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }

    /// Decodes a value of the inferred type.
    package func decode<Value: Decodable>(forKey key: Key) throws -> Value {
        try decode(Value.self, forKey: key)
    }

    /// Decodes a duration; throws if it is longer than thousands of years.
    package func decodeDuration(forKey key: Key) throws -> Duration {
        let duration = try decode(Duration.self, forKey: key)
        guard abs(duration.components.seconds) < 100_000_000_000 else { throw dataCorrupted("a duration out of range") }
        return duration
    }
}
