internal import HAPCore

extension AttributeDatabase {
    /// The accessories as they appear to a controller with all permissions.
    package var remoteAccessories: [RemoteAccessory] {
        let services = Dictionary(grouping: services, by: \.aid)
        return accessories.map { aid in
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
                            characteristics: service.characteristics.map(remoteCharacteristic)
                        )
                    }
            )
        }
    }

    private func remoteCharacteristic(at index: Int) -> RemoteCharacteristic {
        let characteristic = characteristics[index]
        var metadata = characteristic.announcedMetadata
        metadata.validValues.sort()
        return RemoteCharacteristic(
            iid: characteristic.id.iid,
            CharacteristicDescription(
                type: characteristic.type,
                permissions: characteristic.permissions,
                metadata: metadata,
                description: characteristic.description.flatMap { $0.hasLongCombiningMarkRun ? nil : $0 }
            ),
            value: characteristic.permissions.contains(.read) || isVerbatim ? value(at: index) : nil
        )
    }
}
