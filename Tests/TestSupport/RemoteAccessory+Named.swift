package import AccessoryModel
package import HAPCore

extension RemoteService {
    /// Creates a service with a name in its own characteristic Name.
    package init(
        named name: String?,
        _ type: ServiceType,
        iid: UInt64 = 10,
        isHidden: Bool = false,
        characteristics: [RemoteCharacteristic] = []
    ) {
        self.init(
            iid: InstanceID(iid) ?? .accessoryInformation,
            type: type,
            isHidden: isHidden,
            characteristics: characteristics
        )
        if let name, type != .accessoryInformation {
            setName(name)
        }
    }

    fileprivate mutating func setName(_ name: String) {
        if let index = characteristics.firstIndex(where: { $0.type == .name }) {
            characteristics[index].value = .string(name)
        } else {
            var characteristic = RemoteCharacteristic(iid: RemoteCharacteristic.firstAssignedIID, .name)
            characteristic.value = .string(name)
            characteristics.append(characteristic)
        }
    }
}

extension RemoteCharacteristic {
    /// Creates a characteristic from the catalog.
    package init(iid: UInt64, _ type: CharacteristicType) {
        self.init(iid: InstanceID(iid) ?? .accessoryInformation, Characteristic(cataloged: type).base)
    }

    /// The first iid of added characteristics, which the accessory replaces with unique ones.
    fileprivate static let firstAssignedIID: UInt64 = 1 << 40
}

extension RemoteAccessory {
    /// Creates an accessory with a name in its Accessory Information, which is added at the end if it is missing.
    package init(named name: String?, aid: AccessoryID = .primary, services: [RemoteService]) {
        self.init(aid: aid, services: services)
        if let name {
            if !services.contains(where: { $0.type == .accessoryInformation }) {
                self.services.append(RemoteService(named: nil, .accessoryInformation, iid: 1 << 39))
            }
            for index in self.services.indices where self.services[index].type == .accessoryInformation {
                self.services[index].setName(name)
            }
        }
        // The same service may be passed several times, so each added characteristic gets an iid of its own.
        for (service, index) in self.services.indices.flatMap({ service in
            self.services[service].characteristics.indices.map { (service, $0) }
        }) where self.services[service].characteristics[index].iid.rawValue >= RemoteCharacteristic.firstAssignedIID {
            let number = RemoteCharacteristic.firstAssignedIID + UInt64(service)
            self.services[service].characteristics[index].iid = InstanceID(number) ?? .accessoryInformation
        }
    }
}
