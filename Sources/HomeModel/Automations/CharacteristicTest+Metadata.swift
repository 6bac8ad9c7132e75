internal import AccessoryModel
internal import HAPCore

extension CharacteristicTest {
    /// Whether a characteristic can ever be so; limits that it cannot cross are let through.
    func suits(_ metadata: CharacteristicMetadata) -> Bool {
        switch self {
        case .changes: true
        case .equals(let value): metadata.value(from: value, isStrict: false) != nil
        case .above, .below, .within: metadata.format.isNumeric
        }
    }
}

extension CharacteristicFormat {
    fileprivate var isNumeric: Bool {
        switch self {
        case .uint8, .uint16, .uint32, .uint64, .int, .float: true
        case .bool, .string, .tlv8, .data: false
        }
    }
}

extension CharacteristicMetadata {
    /// What its values are, as a sentence goes on: `0 to 100`.
    var words: String {
        if !validValues.isEmpty { return validValues.map(\.description).joined(separator: ", ") }
        if let minimum, let maximum { return "\(minimum) to \(maximum)" }
        return switch format {
        case .bool: "true or false"
        case .string: "text"
        case .tlv8, .data: "bytes"
        case .uint8, .uint16, .uint32, .uint64, .int, .float: "numbers"
        }
    }
}
