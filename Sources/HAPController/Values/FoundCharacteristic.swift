public import HAPCore

/// A characteristic with the accessory and the service that it belongs to.
public struct FoundCharacteristic: Sendable, Hashable {
    /// The accessory.
    public var accessory: RemoteAccessory
    /// The service.
    public var service: RemoteService
    /// The characteristic.
    public var characteristic: RemoteCharacteristic

    /// Creates one.
    public init(accessory: RemoteAccessory, service: RemoteService, characteristic: RemoteCharacteristic) {
        self.accessory = accessory
        self.service = service
        self.characteristic = characteristic
    }

    /// What addresses it in the server.
    public var id: CharacteristicID {
        CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
    }

    /// `service/characteristic`, as people write it.
    public var path: String {
        "\(service.name)/\(characteristic.name)"
    }
}
