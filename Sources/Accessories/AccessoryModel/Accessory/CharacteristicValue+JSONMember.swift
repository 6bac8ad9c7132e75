package import HAPCore

/// Booleans are written as `true` and `false`, bytes as Base64.
extension CharacteristicValue: JSONMemberValue {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .bool(let value): writer.value(value)
        case .number(let value): writer.value(value)
        case .string(let value): writer.value(value)
        case .data(let bytes): writer.value(base64: bytes)
        }
    }
}
