public import AccessoryModel
package import HAPCore

/// The key of a characteristic in a declaration: its accessory, service and type, before it has an id.
public struct CharacteristicKey: Sendable, Hashable {
    /// The accessory's key.
    public var accessory: String
    /// The service's type and subtype.
    public var service: ServiceKey
    /// The characteristic's type.
    public var type: CharacteristicType

    /// Creates a key.
    public init(accessory: String, service: ServiceKey, type: CharacteristicType) {
        self.accessory = accessory
        self.service = service
        self.type = type
    }
}

extension CharacteristicKey: CustomStringConvertible {
    /// Accessory, service and characteristic by name, such as `Kilgo Garage/Light Bulb/Brightness`.
    public var description: String {
        "\(accessory)/\(service.type)/\(type)"
    }
}

/// The position of a characteristic in a running server.
package struct CharacteristicLocation: Sendable, Hashable {
    /// Its id.
    package let id: CharacteristicID
    /// The service of its accessory that it belongs to.
    package let service: ServiceKey
    /// Its type.
    package let type: CharacteristicType
    /// The format of its values.
    package let format: CharacteristicFormat
}

extension AccessoryServer {
    /// The positions of all characteristics, in the order in which controllers see them.
    package var characteristicLocations: [CharacteristicLocation] {
        database.characteristics.map { characteristic in
            CharacteristicLocation(
                id: characteristic.id,
                service: database.services[characteristic.service].key,
                type: characteristic.type,
                format: characteristic.metadata.format
            )
        }
    }
}
