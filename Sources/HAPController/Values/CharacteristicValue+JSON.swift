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
}
