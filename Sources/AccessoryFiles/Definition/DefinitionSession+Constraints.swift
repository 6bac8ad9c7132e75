internal import AccessoryModel
internal import Documents

extension DefinitionSession {
    /// Notes a least length of a text that is above the greatest one.
    mutating func checkLengths(
        _ map: DocumentMap<FreeKey>,
        _ metadata: inout CharacteristicMetadata
    ) {
        let greatest = metadata.maximumLength ?? CharacteristicMetadata.standardLength
        guard let field = map["minLength"] ?? map["maxLength"], metadata.format == .string,
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
