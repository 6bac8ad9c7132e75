package import AccessoryModel
package import HAPCore

/// The names that describe the events of a server.
package struct ServerEventNames: Sendable {
    /// The names of the characteristics, such as `Garage Door: Current Door State`.
    let characteristics: [CharacteristicID: String]
    /// The metadata of the characteristics, which describes values that their types do not define.
    let metadata: [CharacteristicID: CharacteristicMetadata]
    /// The names of the accessories.
    let accessories: [AccessoryID: String]

    /// Creates names; without one, an object is described by its id.
    package init(
        characteristics: [CharacteristicID: String] = [:],
        metadata: [CharacteristicID: CharacteristicMetadata] = [:],
        accessories: [AccessoryID: String] = [:]
    ) {
        self.characteristics = characteristics
        self.metadata = metadata
        self.accessories = accessories
    }

    /// Creates the names of accessories.
    ///
    /// - Parameter ids: The ids of their characteristics.
    package init(_ declared: [Accessory], _ ids: [CharacteristicKey: CharacteristicID]) {
        var characteristics: [CharacteristicID: String] = [:]
        var metadata: [CharacteristicID: CharacteristicMetadata] = [:]
        var accessories: [AccessoryID: String] = [:]
        for accessory in declared {
            for service in accessory.services {
                let given = service.characteristics.first { $0.type == .name }?.value?.string
                for characteristic in service.characteristics {
                    let key = CharacteristicKey(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    guard let id = ids[key] else { continue }
                    if service.key.type == .accessoryInformation { accessories[id.aid] = given }
                    let name = characteristic.description ?? characteristic.type.description
                    metadata[id] = characteristic.metadata
                    characteristics[id] = "\(given ?? service.key.type.description): \(name)"
                }
            }
        }
        self.init(characteristics: characteristics, metadata: metadata, accessories: accessories)
    }
}

/// The peer of a connection, as far as it is known.
package struct ConnectionPeer: Sendable, Hashable {
    package let connection: ConnectionID
    /// The address and the port.
    package let address: String
    /// The controller, once it is verified.
    package var controller: ControllerIdentifier?

    package init(_ connection: ConnectionID, address: String, controller: ControllerIdentifier? = nil) {
        self.connection = connection
        self.address = address
        self.controller = controller
    }
}

extension ConnectionPeer: CustomStringConvertible {
    /// The text for the peer in a line of the log.
    package var description: String {
        controller.map { "controller \($0.shortText)" } ?? "\(connection) from \(address)"
    }
}

extension ControllerIdentifier {
    /// The identifier in a line of the log: the first eight characters of a UUID, or all of any other text.
    package var shortText: String {
        let text = description
        return HAPUUID(text) != nil && text.utf8.count == 36 ? String(text.prefix(8)) : text
    }
}
