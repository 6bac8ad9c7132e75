internal import AccessoryModel
internal import HAPCore

/// A characteristic in the form of an archive: with numbers for format, unit and permissions.
struct ArchivedCharacteristic {
    var type: CharacteristicType
    var format: UInt64
    var unit: UInt64 = 0
    var properties: UInt64
    var permissions: UInt64
    var description: String?
    var value: CharacteristicValue?
    var minimum: JSONNumber?
    var maximum: JSONNumber?
    var step: JSONNumber?
    var maximumLength: Int?

    /// Creates an archived characteristic from the properties that an archive can contain.
    init(_ characteristic: Characteristic) {
        typealias Property = ArchiveCodes.Property
        typealias Permission = ArchiveCodes.Permission
        let metadata = characteristic.metadata
        type = characteristic.type
        format = ArchiveCodes.code(of: metadata.format)
        unit = metadata.unit.map(ArchiveCodes.code) ?? 0
        properties = 0
        permissions = 0
        if characteristic.permissions.contains(.read) {
            properties |= Property.read
            permissions |= Permission.read
        }
        if characteristic.permissions.contains(.write) {
            properties |= Property.write
            permissions |= Permission.write
        }
        if characteristic.permissions.contains(.events) {
            properties |= Property.notify
        }
        description = characteristic.description
        value = characteristic.value
        switch metadata.format {
        case .string: maximumLength = metadata.maximumLength
        case .data, .tlv8: maximumLength = metadata.maximumDataLength
        case .bool, .uint8, .uint16, .uint32, .uint64, .int, .float:
            minimum = metadata.minimum
            maximum = metadata.maximum
            step = metadata.step
        }
    }

    private init(
        pairing type: CharacteristicType,
        format: CharacteristicFormat,
        properties: UInt64,
        permissions: UInt64,
        value: CharacteristicValue? = nil
    ) {
        self.type = type
        self.format = ArchiveCodes.code(of: format)
        self.properties = properties
        self.permissions = permissions
        self.value = value
    }

    /// The characteristics of the Bluetooth pairing service, as in every real file.
    static let pairing: [ArchivedCharacteristic] = [
        ArchivedCharacteristic(pairing: .pairSetup, format: .tlv8, properties: 3, permissions: 3),
        ArchivedCharacteristic(pairing: .pairVerify, format: .tlv8, properties: 3, permissions: 3),
        ArchivedCharacteristic(pairing: .pairingFeatures, format: .uint8, properties: 1, permissions: 1, value: 0),
        ArchivedCharacteristic(pairing: .listPairings, format: .tlv8, properties: 3, permissions: 12),
    ]
}
