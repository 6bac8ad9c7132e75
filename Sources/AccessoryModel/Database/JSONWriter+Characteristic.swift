package import HAPCore

extension JSONWriter {
    /// Writes a characteristic's value: booleans as 1 and 0, bytes in Base64, an absent one as `null` or, for tlv8, as
    /// an empty text.
    ///
    /// HAP: §11.4, §11.5, §0 (bool output)
    package mutating func value(_ value: CharacteristicValue?, of format: CharacteristicFormat) {
        switch value {
        case .bool(let value): self.value(value ? 1 as UInt64 : 0)
        case .number(let value): self.value(value)
        case .string(let value): self.value(value)
        case .data(let bytes): self.value(base64: bytes)
        case nil where format == .tlv8: self.value("")
        case nil: null()
        }
    }

    mutating func writePermissions(_ permissions: CharacteristicPermissions) {
        key(plain: "perms")
        beginArray()
        for known in CharacteristicPermissions.names where permissions.contains(known.permission) {
            value(known.name)
        }
        endArray()
    }

    /// Writes format, limits and description.
    ///
    /// What equals the format's own range is left out, and so is the full set of an Apple-defined enumeration.
    ///
    /// HAP: §11.4
    mutating func writeMetadata(_ characteristic: RegisteredCharacteristic) {
        let metadata = characteristic.metadata
        key(plain: "format")
        value(metadata.format.rawValue)
        if let description = characteristic.description {
            key(plain: "description")
            value(description)
        }
        if let unit = metadata.unit {
            key(plain: "unit")
            value(unit.rawValue)
        }
        let range = metadata.format.integerRange
        if let minimum = metadata.minimum, minimum != range?.lowerBound {
            key(plain: "minValue")
            value(minimum)
        }
        if let maximum = metadata.maximum, maximum != range?.upperBound {
            key(plain: "maxValue")
            value(maximum)
        }
        if let step = metadata.step {
            key(plain: "minStep")
            value(step)
        }
        if let length = metadata.maximumLength, metadata.format == .string {
            key(plain: "maxLen")
            value(length)
        }
        if let length = metadata.maximumDataLength, metadata.format == .data || metadata.format == .tlv8 {
            key(plain: "maxDataLen")
            value(length)
        }
        let catalogued = Catalogue.characteristic(characteristic.type)?.metadata.validValues
        if !metadata.validValues.isEmpty, metadata.validValues != catalogued {
            key(plain: "valid-values")
            beginArray()
            for number in metadata.validValues {
                value(number)
            }
            endArray()
        }
    }
}
