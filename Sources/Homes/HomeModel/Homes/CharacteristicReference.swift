public import HAPCore

/// The location of a characteristic on the network.
public struct CharacteristicReference: Sendable, Hashable {
    /// The accessory that has the characteristic.
    public var accessory: AccessoryReference
    /// The instance ID of the characteristic.
    public var iid: InstanceID

    /// Creates a reference.
    public init(accessory: AccessoryReference, iid: InstanceID) {
        self.accessory = accessory
        self.iid = iid
    }

    /// The id of the characteristic in its server.
    public var id: CharacteristicID {
        CharacteristicID(aid: accessory.aid, iid: iid)
    }
}
