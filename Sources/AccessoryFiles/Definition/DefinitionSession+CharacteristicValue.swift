internal import AccessoryModel
internal import HAPCore

extension DefinitionSession {
    /// The value of a characteristic; notes what is none of its values.
    mutating func value(_ field: DefinitionField, of characteristic: Characteristic) -> CharacteristicValue? {
        guard let scalar = field.node.scalar else {
            findings.report(field, "\(field.node.kind) is no value\(Self.remedy(for: characteristic))")
            return nil
        }
        if case .null = scalar.meaning { return nil }
        if isVerbatim {
            return verbatim(scalar, as: characteristic.metadata.format)
        }
        guard let value = plain(scalar, of: characteristic) else {
            findings.report(
                field,
                "\(scalar.kind) is no value of this characteristic\(Self.remedy(for: characteristic))"
            )
            return nil
        }
        let metadata = characteristic.metadata
        guard let served = metadata.value(from: value, isStrict: false) else {
            findings.report(field, "\(Self.shown(value, scalar)) is out of range\(Self.remedy(for: characteristic))")
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

    /// The value as a format has it; `nil` when it is of another kind.
    private func plain(_ scalar: DefinitionScalar, of characteristic: Characteristic) -> CharacteristicValue? {
        let definition = Catalogue.characteristic(characteristic.type)
        switch characteristic.metadata.format {
        case .bool:
            switch scalar.meaning {
            case .bool(let value): return .bool(value)
            case .number(0): return false
            case .number(1): return true
            case .text: return definition?.value(named: scalar.text).map { .bool($0 != 0) }
            case .number, .null: return nil
            }
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            switch scalar.meaning {
            case .number(let number): return .number(number)
            case .text: return definition?.value(named: scalar.text).map(CharacteristicValue.number)
            case .bool, .null: return nil
            }
        case .string:
            switch scalar.meaning {
            case .number, .text: return .string(scalar.text)
            case .bool, .null: return nil
            }
        case .tlv8, .data:
            return Base64.decode(scalar.text).map(CharacteristicValue.data)
        }
    }

    /// The value as it is written, whatever the format.
    private func verbatim(_ scalar: DefinitionScalar, as format: CharacteristicFormat) -> CharacteristicValue? {
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

    private static func shown(_ value: CharacteristicValue, _ scalar: DefinitionScalar) -> String {
        switch value {
        case .bool, .number: scalar.kind
        case .string(let text): "a text of \(text.utf8.count) bytes"
        case .data(let bytes): "a value of \(bytes.count) bytes"
        }
    }

    /// The end of a sentence: what may be written.
    private static func remedy(for characteristic: Characteristic) -> String {
        let metadata = characteristic.metadata
        switch metadata.format {
        case .bool: return "; write true or false"
        case .string:
            let most = metadata.maximumLength ?? 64
            return "; write a text of \(metadata.minimumLength ?? 0) to \(most) bytes, in quotes if it looks otherwise"
        case .tlv8, .data:
            return "; write Base64 of at most \(metadata.maximumDataLength ?? 2_097_152) bytes"
        case .uint8, .uint16, .uint32, .uint64, .int, .float: break
        }
        let definition = Catalogue.characteristic(characteristic.type)
        if let definition, !definition.valueNames.isEmpty {
            let values = metadata.validValues
            return orName(of: definition) { values.isEmpty || values.contains($0) }
        }
        if !metadata.validValues.isEmpty {
            return "; write one of \(metadata.validValues.map(\.description).joined(separator: ", "))"
        }
        let whole = metadata.format.integerRange
        let least = (metadata.minimum ?? whole?.lowerBound)?.description
        let greatest = (metadata.maximum ?? whole?.upperBound)?.description
        let kind = whole == nil ? "a number" : "a whole number"
        switch (least, greatest) {
        case (let least?, let greatest?): return "; write \(kind) from \(least) to \(greatest)"
        case (let least?, nil): return "; write \(kind) from \(least) on"
        case (nil, let greatest?): return "; write \(kind) up to \(greatest)"
        case (nil, nil): return "; write \(kind)"
        }
    }
}
