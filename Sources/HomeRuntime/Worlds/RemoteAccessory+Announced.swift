package import AccessoryModel
package import HAPController
internal import HAPCore
package import HomeModel

extension RemoteAccessory {
    /// The accessories of a server of this process, as a controller with every right reads them.
    package static func all(in database: AttributeDatabase) -> [RemoteAccessory] {
        let services = Dictionary(grouping: database.services, by: \.aid)
        return database.accessories.map { aid in
            RemoteAccessory(
                aid: aid,
                services: (services[aid] ?? [])
                    .map { service in
                        RemoteService(
                            iid: service.iid,
                            type: service.key.type,
                            isPrimary: service.isPrimary,
                            isHidden: service.isHidden,
                            linked: service.linked,
                            characteristics: service.characteristics.map { database.remoteCharacteristic(at: $0) }
                        )
                    }
            )
        }
    }

    /// What the accessory says of itself, as a home takes it.
    package func announced(category: AccessoryCategory? = nil) -> AnnouncedAccessory {
        AnnouncedAccessory(
            name: name,
            category: category,
            services: services.map { service in
                AnnouncedService(
                    // A service without a name of its own is called like its type by the controller, and is nameless here.
                    name: service.name == service.typeName ? nil : service.name,
                    type: service.type,
                    iid: service.iid,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    linked: service.linked,
                    characteristics: service.characteristics.map { characteristic in
                        HomeCharacteristic(
                            iid: characteristic.iid,
                            type: characteristic.type,
                            permissions: characteristic.permissions,
                            metadata: characteristic.metadata,
                            description: characteristic.description
                        )
                    }
                )
            }
        )
    }
}

extension AttributeDatabase {
    fileprivate func remoteCharacteristic(at index: Int) -> RemoteCharacteristic {
        let characteristic = characteristics[index]
        var metadata = characteristic.announcedMetadata
        metadata.validValues.sort()
        return RemoteCharacteristic(
            iid: characteristic.id.iid,
            type: characteristic.type,
            permissions: characteristic.permissions,
            metadata: metadata,
            description: characteristic.description.flatMap { $0.hasLongRunOfMarks ? nil : $0 },
            value: characteristic.permissions.contains(.read) || isVerbatim ? value(at: index) : nil
        )
    }
}
