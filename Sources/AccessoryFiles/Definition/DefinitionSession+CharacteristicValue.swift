internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DefinitionSession {
    /// The value of a characteristic; notes what is none of its values.
    mutating func value(_ field: DocumentField, of characteristic: Characteristic) -> CharacteristicValue? {
        let words = characteristic.words
        guard let scalar = field.node.scalar else {
            findings.report(field, "\(field.node.kind) is no value; write \(words.allowedValues)")
            return nil
        }
        if case .null = scalar.meaning { return nil }
        if isVerbatim {
            return verbatim(scalar, as: characteristic.metadata.format)
        }
        guard let value = words.value(of: scalar.text) else {
            findings.report(field, "\(scalar.kind) is no value of this characteristic; write \(words.allowedValues)")
            return nil
        }
        let metadata = characteristic.metadata
        guard let served = metadata.value(from: value, isStrict: false) else {
            findings.report(field, "\(Self.shown(value, scalar)) is out of range; write \(words.allowedValues)")
            return nil
        }
        if metadata.value(from: value, isStrict: true) == nil {
            findings.warn(
                field,
                "\(value) is between two steps of \(metadata.step ?? 1) and is served as \(served); write that"
            )
        }
        return value
    }

    /// The value as it is written, whatever the format.
    private func verbatim(_ scalar: DocumentScalar, as format: CharacteristicFormat) -> CharacteristicValue? {
        switch scalar.meaning {
        case .null: return nil
        case .bool(let value): return .bool(value)
        case .number(let number): return .number(number)
        case .text:
            guard format == .tlv8 || format == .data, let bytes = Base64.decode(scalar.text) else {
                return .string(scalar.text)
            }
            return .data(bytes)
        }
    }

    private static func shown(_ value: CharacteristicValue, _ scalar: DocumentScalar) -> String {
        switch value {
        case .bool, .number: scalar.kind
        case .string(let text): "a text of \(text.utf8.count) bytes"
        case .data(let bytes): "a value of \(bytes.count) bytes"
        }
    }
}
