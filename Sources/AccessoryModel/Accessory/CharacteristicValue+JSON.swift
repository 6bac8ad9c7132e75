package import HAPCore

extension CharacteristicValue {
    /// The value as it is written.
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
    /// The most bytes that the value takes in JSON.
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

    /// The longest text of a number: a `Double` has 17 digits, a sign, a point and an exponent.
    private static let maximumNumberSize = 26
    /// The size of `null`, which takes the place of each value that a controller may not read.
    fileprivate static let nullSize = 4
}

extension CharacteristicValue? {
    /// The most bytes that the value takes in JSON, or what is written in place of one that is absent.
    package var maximumJSONSize: Int {
        self?.maximumJSONSize ?? CharacteristicValue.nullSize
    }
}
