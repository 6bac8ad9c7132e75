internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import PropertyLists

extension ArchiveReader {
    /// Reads a characteristic.
    mutating func characteristic(
        _ part: LocatedObject,
        type: CharacteristicType
    ) throws(DocumentError) -> Characteristic {
        try warnAboutUnknown(in: part, classes: ArchivedClass.characteristicNames, keys: Self.characteristicKeys)
        let value = try field("value", of: part.object)
        let format = try format(of: part, type: type, value: value)
        var characteristic = Characteristic(
            type: type,
            permissions: try permissions(of: part),
            metadata: CharacteristicMetadata(format: format, unit: try unit(of: part)),
            description: try text("description", of: part),
            iid: try instanceID(of: part)
        )
        try readConstraints(of: part, into: &characteristic.metadata)
        if let value = self.value(value, format: format, at: part.path(of: "value")) {
            characteristic.value = fit(value, &characteristic.metadata, at: part.path(of: "value"))
        }
        characteristic.addFromCatalog()
        return characteristic
    }

    private mutating func format(
        of part: LocatedObject,
        type: CharacteristicType,
        value: ArchivedValue
    ) throws(DocumentError) -> CharacteristicFormat {
        let number = try integer("format", of: part)
        if let known = number.flatMap(ArchiveCodes.format) { return known }
        let format = Catalog.characteristic(type)?.metadata.format ?? value.likelyFormat
        let problem = number.map { "\($0) is not a known format" } ?? "the format is missing or invalid"
        warn(part.path(of: "format"), "\(problem); \(format.rawValue) is used")
        return format
    }

    private mutating func unit(of part: LocatedObject) throws(DocumentError) -> CharacteristicUnit? {
        guard let number = try integer("unit", of: part), number != 0 else { return nil }
        if let known = ArchiveCodes.unit(of: number) { return known }
        warn(part.path(of: "unit"), "\(number) is not a known unit; it is left out")
        return nil
    }

    /// Reads the permissions of a paired controller.
    ///
    /// HAP: §11.6
    private mutating func permissions(of part: LocatedObject) throws(DocumentError) -> CharacteristicPermissions {
        typealias Property = ArchiveCodes.Property
        typealias Permission = ArchiveCodes.Permission
        let properties = try integer("properties", of: part) ?? 0
        let bits = try integer("permissions", of: part) ?? 0
        let unknownBits = [("properties", properties & ~Property.all), ("permissions", bits & ~Permission.all)]
        for (name, unknown) in unknownBits where unknown != 0 {
            warn(part.path(of: name), "the bits \(unknown) are unknown; they are left out")
        }
        if bits & (Permission.openRead | Permission.openWrite) != 0 {
            warn(
                part.path(of: "permissions"),
                "HAP does not allow unpaired access over IP; these permissions are left out"
            )
        }
        let mayRead = bits & (Permission.read | Permission.openRead) != 0
        let mayWrite = bits & (Permission.write | Permission.openWrite) != 0
        if (properties & Property.read != 0) != mayRead || (properties & Property.write != 0) != mayWrite {
            warn(
                part.path(of: "properties"),
                "properties and permissions contradict each other; the permissions are used"
            )
        }
        var permissions: CharacteristicPermissions = []
        if bits & Permission.read != 0 { permissions.insert(.read) }
        if bits & Permission.write != 0 { permissions.insert(.write) }
        if properties & Property.notify != 0 { permissions.insert(.events) }
        return permissions
    }

    private mutating func readConstraints(
        of part: LocatedObject,
        into metadata: inout CharacteristicMetadata
    ) throws(DocumentError) {
        let object = try field("constrains", of: part, "is not an object with constraints; it is left out") { value in
            if case .object(let object) = value { object } else { nil }
        }
        guard let object else { return }
        let constraints = LocatedObject(object: object, path: part.path(of: "constrains"))
        try warnAboutUnknown(in: constraints, classes: Self.constraintNames, keys: Self.constraintKeys)
        switch metadata.format {
        case .string, .data, .tlv8:
            try readLength(of: constraints, into: &metadata)
        case .bool:
            for entry in object.fields.entries where entry.key.isOne(of: Self.constraintKeys) {
                guard try archive.value(entry.value) != .null else { continue }
                warn(constraints.path, "a Boolean has no range; \(entry.key) is left out")
            }
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            try readRange(of: constraints, into: &metadata)
        }
    }

    private mutating func readRange(
        of constraints: LocatedObject,
        into metadata: inout CharacteristicMetadata
    ) throws(DocumentError) {
        metadata.minimum = try number("minValue", of: constraints)
        metadata.maximum = try number("maxValue", of: constraints)
        metadata.step = try number("stepValue", of: constraints)
        if try field("maxLength", of: constraints.object) != .null {
            warn(constraints.path(of: "maxLength"), "only a text or data has a length; it is left out")
        }
        if let minimum = metadata.minimum, let maximum = metadata.maximum, minimum > maximum {
            warn(constraints.path, "the minimum \(minimum) is above the maximum \(maximum); both are left out")
            metadata.minimum = nil
            metadata.maximum = nil
        }
        if let step = metadata.step, step <= 0 {
            warn(constraints.path(of: "stepValue"), "the step \(step) is not above 0; it is left out")
            metadata.step = nil
        }
    }

    private mutating func readLength(
        of constraints: LocatedObject,
        into metadata: inout CharacteristicMetadata
    ) throws(DocumentError) {
        for name in ["minValue", "maxValue", "stepValue"] where try field(name, of: constraints.object) != .null {
            warn(constraints.path, "only a number has a range; HAK.\(name) is left out")
        }
        guard let length = try integer("maxLength", of: constraints) else { return }
        if metadata.format != .string {
            metadata.maximumDataLength = Int(clamping: length)
        } else if 1...256 ~= length {
            metadata.maximumLength = Int(length)
        } else {
            warn(
                constraints.path(of: "maxLength"),
                "\(length) is not a valid maximum length, which is 1 to 256 bytes; it is left out"
            )
        }
    }

    private mutating func number(_ name: String, of part: LocatedObject) throws(DocumentError) -> JSONNumber? {
        try field(name, of: part, "is not a number; it is left out") { value in
            if case .number(let number) = value { number } else { nil }
        }
    }

    private static let characteristicKeys: Set<String> = [
        "HAK.properties", "HAK.permissions", "HAK.format", "HAK.unit", "HAK.description", "HAK.value", "HAK.constrains",
        "HAK.instanceid", "HAK.uuid", "HAK.service", "HAK.characteristicDelegate",
    ]
    private static let constraintNames: Set<String> = ["HAKNumberConstraints", "HAKStringConstraints"]
    private static let constraintKeys: Set<String> = [
        "HAK.minValue", "HAK.maxValue", "HAK.stepValue", "HAK.maxLength",
    ]
}

extension ArchivedValue {
    /// The most likely format of a characteristic with this value, if the catalog does not know its type.
    fileprivate var likelyFormat: CharacteristicFormat {
        switch self {
        case .bool: .bool
        case .number(.unsigned(...UInt64(Int32.max))), .number(.negative(Int64(Int32.min)...)): .int
        case .number: .float
        case .data: .data
        case .null, .text, .list, .dictionary, .object, .unreadable: .string
        }
    }
}
