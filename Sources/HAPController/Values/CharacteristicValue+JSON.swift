internal import AccessoryModel
internal import HAPCore

extension CharacteristicValue {
    /// Takes what an accessory sent for a characteristic that its database does not hold; `nil` for `null`, arrays and
    /// objects.
    init?(untyped json: JSONValue) {
        switch json {
        case .null, .array, .object: return nil
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .number(value)
        case .string(let text): self = .string(text)
        }
    }

    /// The value as it is written.
    var json: JSONValue {
        switch self {
        case .bool(let value): .bool(value)
        case .number(let value): .number(value)
        case .string(let text): .string(text)
        case .data(let bytes): .string(Base64.encode(bytes))
        }
    }
}
