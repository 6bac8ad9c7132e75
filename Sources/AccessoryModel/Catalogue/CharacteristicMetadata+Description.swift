package import HAPCore

extension CharacteristicMetadata {
    /// Takes what a characteristic of `/accessories` says of its values; what is not as HAP has it counts as not said.
    ///
    /// HAP: §11.4
    package init(describedBy object: JSONObject, format: CharacteristicFormat) {
        self.init(
            format: format,
            unit: object["unit"]?.string.flatMap { CharacteristicUnit(rawValue: $0) },
            minimum: object["minValue"]?.number,
            maximum: object["maxValue"]?.number,
            step: object["minStep"]?.number,
            maximumLength: object["maxLen"]?.number?.integer(),
            maximumDataLength: object["maxDataLen"]?.number?.integer(),
            validValues: (object["valid-values"]?.array ?? []).compactMap(\.number).sorted()
        )
    }
}
