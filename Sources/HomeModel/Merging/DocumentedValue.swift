internal import AccessoryModel
package import HAPCore

/// A value as people write it.
package enum DocumentedValue: Sendable, Hashable {
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// Everything else: the name of a value, `50%`, `on`, a text, bytes as Base64.
    case text(String)
    /// A value that is not written as this module would: `1.50`, which is a number, and another text than `1.5`.
    indirect case spelt(DocumentedValue, String)
}

extension DocumentedValue {
    /// What it is of a characteristic; `nil` when it is nothing there.
    func value(of characteristic: HomeCharacteristic) -> CharacteristicValue? {
        switch characteristic.metadata.format {
        case .tlv8, .data:
            guard case .text(let text) = self else { return nil }
            return Base64.decode(text).map(CharacteristicValue.data)
        case .string:
            switch self {
            case .bool(let value): return .string(value ? "true" : "false")
            case .number(let number): return .string(number.description)
            case .text(let text), .spelt(_, let text): return .string(text)
            }
        case .bool:
            switch self {
            case .bool(let value): return .bool(value)
            case .number(let number): return .number(number)
            case .text(let text):
                switch Catalogue.key(text) {
                case "on", "yes": return .bool(true)
                case "off", "no": return .bool(false)
                default: return Self.number(text, characteristic.type).map { .bool($0 != 0) }
                }
            case .spelt(let value, _): return value.value(of: characteristic)
            }
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            switch self {
            case .bool(let value): return .bool(value)
            case .number(let number): return .number(number)
            case .text(let text):
                let number =
                    Self.number(text, characteristic.type) ?? Self.percent(text) ?? Self.flag(text, characteristic.type)
                return number.map(CharacteristicValue.number)
            case .spelt(let value, _): return value.value(of: characteristic)
            }
        }
    }

    /// What a file writes for a value of a characteristic.
    init(_ value: CharacteristicValue, of characteristic: HomeCharacteristic?) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .string(let text): self = .text(text)
        case .data(let bytes): self = .text(Base64.encode(bytes))
        case .number(let number):
            self = .number(number)
            guard let characteristic, characteristic.metadata.format != .bool,
                let name = Catalogue.characteristic(characteristic.type)?.valueNames
                    .first(where: { $0.value == number }),
                Self.number(name.name, characteristic.type) == number, name.name.first?.isLetter == true
            else { return }
            self = .text(name.name)
        }
    }

    /// The number that a name of the catalogue stands for.
    private static func number(_ text: String, _ type: CharacteristicType) -> JSONNumber? {
        guard text.utf8.count <= 64 else { return nil }
        let key = Catalogue.key(text)
        return Catalogue.characteristic(type)?.valueNames.first { Catalogue.key($0.name) == key }?.value
    }

    /// The number of `on` and `off`, where that is what the numbers mean.
    private static func flag(_ text: String, _ type: CharacteristicType) -> JSONNumber? {
        guard type == .active else { return nil }
        switch Catalogue.key(text) {
        case "on", "yes": return 1
        case "off", "no": return 0
        default: return nil
        }
    }

    /// The number of `50%`.
    private static func percent(_ text: String) -> JSONNumber? {
        guard text.utf8.count <= 8, text.last == "%" else { return nil }
        let digits = text.dropLast().filter { $0 != " " }
        return Int64(digits).map { JSONNumber($0) } ?? Double(digits).flatMap { JSONNumber($0) }
    }
}
