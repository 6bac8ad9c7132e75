internal import AccessoryModel
internal import Documents

extension DefinitionSession {
    /// Notes what is written of a characteristic and says nothing about the values of its format.
    mutating func noteForeign(_ map: DocumentMap<CharacteristicField>, to format: CharacteristicFormat) {
        let foreign: [CharacteristicField] =
            switch format {
            case .bool: [.unit, .range, .step, .validValues, .minLength, .maxLength, .maxDataLength]
            case .uint8, .uint16, .uint32, .uint64, .int, .float: [.minLength, .maxLength, .maxDataLength]
            case .string: [.range, .step, .validValues, .maxDataLength]
            case .tlv8, .data: [.range, .step, .validValues, .minLength, .maxLength]
            }
        for key in foreign {
            if let field = map[key], !isNone(field) {
                findings.report(field, "values of the format \(format.rawValue) have no \(key.rawValue); leave it away")
            }
        }
    }

    /// Notes a least length of a text that is above the greatest one.
    mutating func checkLengths(
        _ map: DocumentMap<CharacteristicField>,
        _ metadata: inout CharacteristicMetadata
    ) {
        let greatest = metadata.maximumLength ?? CharacteristicMetadata.standardLength
        guard let field = map[.minLength] ?? map[.maxLength], metadata.format == .string,
            let least = metadata.minimumLength, least > greatest
        else {
            return
        }
        findings.report(
            field,
            "the least length \(least) is above the greatest, \(greatest); write a least one of at most that"
        )
        // No value could be right.
        metadata.minimumLength = nil
    }
}

extension CharacteristicMetadata {
    /// The bytes that a text may have of which nothing else is said.
    fileprivate static let standardLength = 64
}
