import AccessoryModel
import Documents
import HAPCore
import HomeModel

@testable import AccessoryFiles

extension AccessoryDocument {
    /// The accessories of the definition, with the names that a home file uses for them.
    var knownAccessories: [KnownAccessory] {
        accessories.enumerated()
            .map { position, accessory in
                let isMain = position == 0
                let announced = accessory.remoteAccessory
                return KnownAccessory(
                    name: isMain ? name : announced.name ?? accessory.key,
                    bridge: isMain ? nil : name,
                    announced: announced
                )
            }
    }
}

extension FileAccessory {
    /// The accessory, with generated ids where the definition has none.
    fileprivate var remoteAccessory: RemoteAccessory {
        var last: UInt64 = 1_000
        func number(_ iid: InstanceID?) -> InstanceID {
            last += 1
            return iid ?? InstanceID(last) ?? .accessoryInformation
        }
        return RemoteAccessory(
            aid: .primary,
            services: services.map { service in
                RemoteService(
                    iid: number(service.iid),
                    type: service.key.type,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    characteristics: service.characteristics
                        .map { RemoteCharacteristic(iid: number($0.iid), $0.base, value: $0.value) }
                )
            }
        )
    }
}
