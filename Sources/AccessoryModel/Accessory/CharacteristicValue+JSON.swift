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
