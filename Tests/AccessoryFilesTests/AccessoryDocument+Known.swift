import AccessoryModel
import Documents
import HAPCore
import HomeModel

@testable import AccessoryFiles

extension AccessoryDocument {
    /// The accessories of a definition as a home file speaks of them: by their names.
    var knownAccessories: [KnownAccessory] {
        accessories.enumerated()
            .map { position, accessory in
                let isMain = position == 0
                let announced = accessory.announced(category: isMain ? category : nil)
                return KnownAccessory(
                    name: isMain ? name : announced.name ?? accessory.key,
                    bridge: isMain ? nil : name,
                    announced: announced
                )
            }
    }
}

extension FileAccessory {
    fileprivate func announced(category: AccessoryCategory?) -> AnnouncedAccessory {
        let information = services.first { $0.key.type == .accessoryInformation }
        let type = DefinitionStandard.mainType(of: services.lazy.map(\.key.type))
        return AnnouncedAccessory(
            name: information?.description.ownName,
            category: category ?? AccessoryCategory(following: type),
            services: services.map(\.description.announced)
        )
    }
}

extension ServiceDescription {
    fileprivate var ownName: String? {
        characteristics.first { $0.type == .name }?.value?.string
    }

    fileprivate var announced: AnnouncedService {
        AnnouncedService(
            name: ownName,
            type: key.type,
            iid: iid,
            isPrimary: isPrimary,
            isHidden: isHidden,
            characteristics: characteristics.map { characteristic in
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
}
