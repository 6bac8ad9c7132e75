package import HAPCore

extension CharacteristicMetadata {
    /// Takes what a characteristic of `/accessories` says of its values; what is not as HAP has it counts as not said.
    ///
    /// Numbers may be written as texts, and the unit in upper case.
    ///
    /// HAP: §11.4
    package init(describedBy object: JSONObject, format: CharacteristicFormat) {
        self.init(
            format: format,
            unit: object["unit"]?.string.flatMap { CharacteristicUnit(rawValue: $0.lowercased()) },
            minimum: object["minValue"]?.numberOrText,
            maximum: object["maxValue"]?.numberOrText,
            step: object["minStep"]?.numberOrText,
            maximumLength: object["maxLen"]?.numberOrText?.integer(),
            maximumDataLength: object["maxDataLen"]?.numberOrText?.integer(),
            validValues: (object["valid-values"]?.array ?? []).compactMap(\.numberOrText).sorted()
        )
    }
}
