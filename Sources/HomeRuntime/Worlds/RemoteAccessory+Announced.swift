package import HAPController
internal import HAPCore
package import HomeModel

extension RemoteAccessory {
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
