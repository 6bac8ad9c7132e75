public import HAPCore

/// The allowed values of a characteristic, and how controllers display them.
///
/// HAP: §11.4
public struct CharacteristicMetadata: Sendable, Hashable {
    /// The type of the values.
    public var format: CharacteristicFormat
    /// The unit of a number.
    public var unit: CharacteristicUnit?
    /// The minimum; `nil` means the minimum of the format.
    public var minimum: JSONNumber?
    /// The maximum; `nil` means the maximum of the format.
    public var maximum: JSONNumber?
    /// The distance between allowed numbers, counted from the minimum.
    public var step: JSONNumber?
    /// The minimum length of a string in bytes; it is never sent.
    public var minimumLength: Int?
    /// The maximum length of a string in bytes, at most 256; `nil` means 64.
    public var maximumLength: Int?
    /// The maximum number of bytes of a data value; `nil` means 2,097,152.
    public var maximumDataLength: Int?
    /// The only numbers allowed, in ascending order; if empty, every number in range is allowed.
    ///
    /// The catalog contains all values of an Apple-defined enumeration. The list is sent only if it is a subset.
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

extension CharacteristicMetadata: Codable {}
extension CharacteristicFormat: Codable {}
extension CharacteristicUnit: Codable {}

extension CharacteristicMetadata {
    /// Creates metadata from a characteristic in `/accessories`; invalid members are ignored.
    ///
    /// Numbers may be strings, and the unit may be in upper case.
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
