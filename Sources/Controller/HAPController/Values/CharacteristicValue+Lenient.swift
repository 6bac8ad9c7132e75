internal import AccessoryModel
internal import HAPCore

extension CharacteristicValue {
    /// Converts a value from an accessory to the characteristic's format if possible, and otherwise leaves it
    /// unchanged.
    ///
    /// A number out of range is not changed, and invalid Base64 stays text. Returns `nil` for `null`, arrays, objects,
    /// and texts that would take minutes to compare.
    ///
    /// - Parameter format: The characteristic's format; `nil` derives it from the value.
    ///
    /// HAP: §11.5, §0 (bool output)
    init?(lenient json: JSONValue, as format: CharacteristicFormat?) {
        switch (json, format ?? CharacteristicFormat(inferredFrom: json)) {
        case (.null, _), (.array, _), (.object, _): return nil
        case (.bool(let value), .bool), (.bool(let value), .string), (.bool(let value), .tlv8),
            (.bool(let value), .data):
            self = .bool(value)
        case (.bool(let value), _): self = .number(value ? 1 : 0)
        case (.number(0), .bool): self = .bool(false)
        case (.number(1), .bool): self = .bool(true)
        case (.number(let value), .string): self = .string(value.description)
        case (.number(let value), _): self = .number(value)
        case (.string(let text), _) where text.hasLongCombiningMarkRun: return nil
        case (.string(let text), .string): self = .string(text)
        case (.string(let text), .tlv8), (.string(let text), .data):
            self = Base64.decode(text.utf8).map { .data($0) } ?? .string(text)
        case (.string(let text), .bool): self = Self.bool(in: text).map { .bool($0) } ?? .string(text)
        case (.string(let text), _): self = JSONNumber(parsing: text).map { .number($0) } ?? .string(text)
        }
    }

    private static func bool(in text: String) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

extension CharacteristicValue {
    /// Converts a value for a characteristic that is not in the database; `nil` for `null`, arrays and objects.
    init?(untyped json: JSONValue) {
        switch json {
        case .null, .array, .object: return nil
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .number(value)
        case .string(let text): self = .string(text)
        }
    }
}

extension CharacteristicValue {
    /// The approximate size of the value's content, in bytes; 0 for a Boolean.
    var size: Int {
        switch self {
        case .bool: 0
        case .number(let number): number.description.utf8.count
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        }
    }
}
