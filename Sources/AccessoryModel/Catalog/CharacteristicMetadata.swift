public import HAPCore

/// The allowed values of a characteristic, and their presentation by controllers.
///
/// HAP: §11.4
public struct CharacteristicMetadata: Sendable, Hashable {
    /// How values are typed.
    public var format: CharacteristicFormat
    /// The unit of a number.
    public var unit: CharacteristicUnit?
    /// The minimum; `nil` means the format's.
    public var minimum: JSONNumber?
    /// The maximum; `nil` means the format's.
    public var maximum: JSONNumber?
    /// The distance between numbers, counted from the minimum.
    public var step: JSONNumber?
    /// The least length of a string in bytes; never sent.
    public var minimumLength: Int?
    /// The maximum length of a string in bytes, at most 256; `nil` means 64.
    public var maximumLength: Int?
    /// The maximum number of bytes of a data value; `nil` means 2,097,152.
    public var maximumDataLength: Int?
    /// The only numbers allowed, ascending; empty allows every number in range.
    ///
    /// An Apple-defined enumeration has its full set in the catalog, and only a subset is sent.
    public var validValues: [JSONNumber]

    /// Creates metadata.
    public init(
        format: CharacteristicFormat,
        unit: CharacteristicUnit? = nil,
        minimum: JSONNumber? = nil,
        maximum: JSONNumber? = nil,
        step: JSONNumber? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil,
        maximumDataLength: Int? = nil,
        validValues: [JSONNumber] = []
    ) {
        self.format = format
        self.unit = unit
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.maximumDataLength = maximumDataLength
        self.validValues = validValues
    }
}

extension CharacteristicMetadata: Codable {
    private enum CodingKeys: String, CodingKey {
        case format, unit, minimum, maximum, step, minimumLength, maximumLength, maximumDataLength, validValues
    }
}

extension CharacteristicFormat: Codable {}
extension CharacteristicUnit: Codable {}

extension CharacteristicMetadata {
    /// Reads the metadata of a characteristic in `/accessories`; invalid members count as absent.
    ///
    /// Numbers may be written as texts, and the unit in upper case.
    ///
    /// HAP: §11.4
    package init(describedBy object: JSONObject, format: CharacteristicFormat) {
        self.init(
            format: format,
            unit: object["unit"]?.string.flatMap { CharacteristicUnit(rawValue: $0.lowercased()) },
            minimum: object["minValue"]?.numericValue,
            maximum: object["maxValue"]?.numericValue,
            step: object["minStep"]?.numericValue,
            maximumLength: object["maxLen"]?.numericValue?.integer(),
            maximumDataLength: object["maxDataLen"]?.numericValue?.integer(),
            validValues: (object["valid-values"]?.array ?? []).compactMap(\.numericValue).sorted()
        )
    }
}
