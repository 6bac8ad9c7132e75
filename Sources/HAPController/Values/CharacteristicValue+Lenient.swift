internal import AccessoryModel
internal import HAPCore

extension CharacteristicValue {
    /// Takes what an accessory sent for a characteristic of a format, if it is known, and of another kind rather than
    /// none; `nil` for `null`, arrays and objects.
    ///
    /// HAP: §11.5
    init?(lenient json: JSONValue, as format: CharacteristicFormat?) {
        switch (json, format) {
        case (.null, _), (.array, _), (.object, _):
            return nil
        case (.bool(let value), .bool), (.bool(let value), .none), (.bool(let value), .string),
            (.bool(let value), .tlv8), (.bool(let value), .data):
            self = .bool(value)
        case (.bool(let value), _):
            self = .number(value ? 1 : 0)
        case (.number(let value), .bool) where value == 0 || value == 1:
            self = .bool(value == 1)
        case (.number(let value), _):
            self = .number(value)
        case (.string(let text), .tlv8), (.string(let text), .data):
            self = Base64.decode(text).map(CharacteristicValue.data) ?? .string(text)
        case (.string(let text), _):
            self = .string(text)
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
