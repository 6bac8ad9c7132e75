package import AccessoryModel
package import HAPCore

/// Where a characteristic stands in a running server.
package struct CharacteristicPlace: Sendable, Hashable {
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
    /// Where every characteristic stands, in the order in which controllers see them.
    package var characteristicPlaces: [CharacteristicPlace] {
        database.characteristics.map { characteristic in
            CharacteristicPlace(
                id: characteristic.id,
                service: database.services[characteristic.service].key,
                type: characteristic.type,
                format: characteristic.metadata.format
            )
        }
    }
}
