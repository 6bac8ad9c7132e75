internal import AccessoryModel

extension CharacteristicValue {
    /// How many bytes it has beside its own memory, about.
    var size: Int {
        switch self {
        case .bool: 0
        case .number(let number): number.description.utf8.count
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        }
    }
}
