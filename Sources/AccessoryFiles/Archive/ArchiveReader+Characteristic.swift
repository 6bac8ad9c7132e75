internal import AccessoryModel
internal import Documents
internal import HAPCore

extension ArchiveReader {
    /// Reads a characteristic.
    mutating func characteristic(
        _ object: ArchivedObject,
        type: CharacteristicType,
        at path: String
    ) throws(DocumentError) -> Characteristic {
        try noteUnknown(in: object, classes: ArchivedClass.characteristicNames, keys: Self.characteristicKeys, at: path)
        let value = try field("HAK.value", of: object)
        let format = try format(of: object, type: type, value: value, at: "\(path).format")
        var characteristic = Characteristic(
            type: type,
            permissions: try permissions(of: object, at: path),
            metadata: CharacteristicMetadata(format: format, unit: try unit(of: object, at: "\(path).unit")),
            description: try text("HAK.description", of: object, at: "\(path).description"),
            iid: try instanceID(of: object, at: path)
        )
        try readConstraints(of: object, into: &characteristic.metadata, at: "\(path).constrains")
        if let value = self.value(value, format: format, at: "\(path).value") {
            characteristic.value = fitting(value, &characteristic.metadata, at: "\(path).value")
        }
        characteristic.takeFromCatalogue()
        return characteristic
    }

    private mutating func format(
        of object: ArchivedObject,
        type: CharacteristicType,
        value: ArchivedValue,
        at path: String
    ) throws(DocumentError) -> CharacteristicFormat {
        let number = try integer("HAK.format", of: object, at: path)
        if let known = number.flatMap(ArchiveNumbers.format) { return known }
        let format = Catalogue.characteristic(type)?.metadata.format ?? value.likelyFormat
        warn(path, "\(number.map(String.init) ?? "nothing") is no format that is known; \(format.rawValue) is taken")
        return format
    }

    private mutating func unit(
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> CharacteristicUnit? {
        guard let number = try integer("HAK.unit", of: object, at: path), number != 0 else { return nil }
        guard let known = ArchiveNumbers.unit(of: number) else {
            warn(path, "\(number) is no unit that is known; it is left out")
            return nil
        }
        return known
    }

    /// What a paired controller may do.
    ///
    /// HAP: §11.6
    private mutating func permissions(
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> CharacteristicPermissions {
        typealias Property = ArchiveNumbers.Property
        typealias Permission = ArchiveNumbers.Permission
        let properties = try integer("HAK.properties", of: object, at: "\(path).properties") ?? 0
        let bits = try integer("HAK.permissions", of: object, at: "\(path).permissions") ?? 0
        if properties & ~Property.known != 0 {
            warn("\(path).properties", "the bits \(properties & ~Property.known) are not known; they are left out")
        }
        if bits & ~Permission.known != 0 {
            warn("\(path).permissions", "the bits \(bits & ~Permission.known) are not known; they are left out")
        }
        if bits & (Permission.openRead | Permission.openWrite) != 0 {
            warn("\(path).permissions", "over IP, nobody reads or writes without being paired; that is left out")
        }
        let mayRead = bits & (Permission.read | Permission.openRead) != 0
        let mayWrite = bits & (Permission.write | Permission.openWrite) != 0
        if (properties & Property.read != 0) != mayRead || (properties & Property.write != 0) != mayWrite {
            warn("\(path).properties", "properties and permissions disagree; the permissions count")
        }
        var permissions: CharacteristicPermissions = []
        if bits & Permission.read != 0 { permissions.insert(.read) }
        if bits & Permission.write != 0 { permissions.insert(.write) }
        if properties & Property.notify != 0 { permissions.insert(.events) }
        return permissions
    }

    private mutating func readConstraints(
        of object: ArchivedObject,
        into metadata: inout CharacteristicMetadata,
        at path: String
    ) throws(DocumentError) {
        let constraints: ArchivedObject
        switch try field("HAK.constrains", of: object) {
        case .null: return
        case .object(let object): constraints = object
        case let other: return warn(path, "\(other.kind) says nothing about values; it is left out")
        }
        try noteUnknown(in: constraints, classes: Self.constraintNames, keys: Self.constraintKeys, at: path)
        switch metadata.format {
        case .string, .data, .tlv8:
            try readLength(of: constraints, into: &metadata, at: path)
        case .bool:
            for entry in constraints.fields.entries where entry.key.isOne(of: Self.constraintKeys) {
                guard try field(entry.key, of: constraints) != .null else { continue }
                warn(path, "true and false have no range; \(entry.key) is left out")
            }
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            try readRange(of: constraints, into: &metadata, at: path)
        }
    }

    private mutating func readRange(
        of constraints: ArchivedObject,
        into metadata: inout CharacteristicMetadata,
        at path: String
    ) throws(DocumentError) {
        metadata.minimum = try number("HAK.minValue", of: constraints, at: "\(path).minValue")
        metadata.maximum = try number("HAK.maxValue", of: constraints, at: "\(path).maxValue")
        metadata.step = try number("HAK.stepValue", of: constraints, at: "\(path).stepValue")
        if try field("HAK.maxLength", of: constraints) != .null {
            warn("\(path).maxLength", "a number has no length; it is left out")
        }
        if let minimum = metadata.minimum, let maximum = metadata.maximum, minimum > maximum {
            warn(path, "the minimum \(minimum) is above the maximum \(maximum); both are left out")
            metadata.minimum = nil
            metadata.maximum = nil
        }
        if let step = metadata.step, step <= 0 {
            warn("\(path).stepValue", "the step \(step) is not above 0; it is left out")
            metadata.step = nil
        }
    }

    private mutating func readLength(
        of constraints: ArchivedObject,
        into metadata: inout CharacteristicMetadata,
        at path: String
    ) throws(DocumentError) {
        for key in ["HAK.minValue", "HAK.maxValue", "HAK.stepValue"] where try field(key, of: constraints) != .null {
            warn(path, "a text or data has no range; \(key) is left out")
        }
        let path = "\(path).maxLength"
        guard let length = try integer("HAK.maxLength", of: constraints, at: path) else { return }
        if metadata.format != .string {
            metadata.maximumDataLength = Int(clamping: length)
        } else if 1...256 ~= length {
            metadata.maximumLength = Int(length)
        } else {
            warn(path, "\(length) is no length of a text, which is 1 to 256 bytes; it is left out")
        }
    }

    private mutating func number(
        _ key: String,
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> JSONNumber? {
        switch try field(key, of: object) {
        case .null: return nil
        case .number(let number): return number
        case let other:
            warn(path, "\(other.kind) is no number; it is left out")
            return nil
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
    /// The format that such a value most likely has, for types that nobody knows.
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
