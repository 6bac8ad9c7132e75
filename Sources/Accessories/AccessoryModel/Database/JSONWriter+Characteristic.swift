package import HAPCore

extension JSONWriter {
    /// Writes a characteristic's value.
    ///
    /// Booleans are written as 1 and 0, and bytes in Base64. A missing value is written as `null`, or as an empty
    /// string if the format is tlv8.
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

    /// Writes the type, verbatim if the characteristic declares it so.
    mutating func writeType(of characteristic: RegisteredCharacteristic) {
        key(plain: "type")
        if let worded = characteristic.verbatimMembers?["type"] {
            value(worded)
        } else {
            value(characteristic.type.uuid.shortened)
        }
    }

    /// Writes the permissions, verbatim if the characteristic declares them so.
    mutating func writePermissions(of characteristic: RegisteredCharacteristic) {
        if let worded = characteristic.verbatimMembers?["perms"] {
            key(plain: "perms")
            value(worded)
        } else {
            writePermissions(characteristic.permissions)
        }
    }

    /// Writes format, limits and description, verbatim if the characteristic declares them so.
    mutating func writeMetadata(_ characteristic: RegisteredCharacteristic) {
        guard let wording = characteristic.verbatimMembers else {
            writeMetadata(
                characteristic.metadata,
                of: characteristic.type,
                description: characteristic.description,
                isVerbatim: characteristic.isVerbatim
            )
            return
        }
        for member in wording.members where member.key != "perms" && member.key != "type" {
            key(member.key)
            value(member.value)
        }
    }

    /// Writes permissions, format, limits and description.
    mutating func write(_ characteristic: CharacteristicDescription, isVerbatim: Bool) {
        writePermissions(characteristic.permissions)
        writeMetadata(
            characteristic.metadata,
            of: characteristic.type,
            description: characteristic.description,
            isVerbatim: isVerbatim
        )
    }

    /// Writes format, limits and description.
    ///
    /// Unless `isVerbatim` is `true`, the method writes only the members that
    /// ``CharacteristicMetadata/announced(for:)`` returns.
    ///
    /// HAP: §11.4
    mutating func writeMetadata(
        _ metadata: CharacteristicMetadata,
        of type: CharacteristicType,
        description: String?,
        isVerbatim: Bool
    ) {
        let metadata = isVerbatim ? metadata : metadata.announced(for: type)
        key(plain: "format")
        value(metadata.format.rawValue)
        if let description {
            key(plain: "description")
            value(description)
        }
        if let unit = metadata.unit {
            key(plain: "unit")
            value(unit.rawValue)
        }
        if let minimum = metadata.minimum {
            key(plain: "minValue")
            value(minimum)
        }
        if let maximum = metadata.maximum {
            key(plain: "maxValue")
            value(maximum)
        }
        if let step = metadata.step {
            key(plain: "minStep")
            value(step)
        }
        if let length = metadata.maximumLength {
            key(plain: "maxLen")
            value(length)
        }
        if let length = metadata.maximumDataLength {
            key(plain: "maxDataLen")
            value(length)
        }
        if !metadata.validValues.isEmpty {
            key(plain: "valid-values")
            beginArray()
            for number in metadata.validValues {
                value(number)
            }
            endArray()
        }
    }
}

extension CharacteristicMetadata {
    /// Returns the metadata that a server announces.
    ///
    /// It does not include:
    ///
    /// - the minimum length
    /// - limits that equal the range of the format
    /// - lengths that belong to another format
    /// - the valid values of an Apple-defined enumeration, if all are valid
    ///
    /// HAP: §11.4
    func announced(for type: CharacteristicType) -> CharacteristicMetadata {
        var metadata = self
        metadata.minimumLength = nil
        let range = format.integerRange
        if minimum == range?.lowerBound { metadata.minimum = nil }
        if maximum == range?.upperBound { metadata.maximum = nil }
        if format != .string { metadata.maximumLength = nil }
        if format != .data, format != .tlv8 { metadata.maximumDataLength = nil }
        if validValues == Catalog.characteristic(type)?.metadata.validValues { metadata.validValues = [] }
        return metadata
    }
}
