public import HAPCore

/// Where a characteristic is on the network.
public struct CharacteristicReference: Sendable, Hashable {
    /// The accessory.
    public var accessory: AccessoryReference
    /// The characteristic in it.
    public var iid: InstanceID

    /// Creates a reference.
    public init(accessory: AccessoryReference, iid: InstanceID) {
        self.accessory = accessory
        self.iid = iid
    }

    /// What addresses it in its server.
    public var id: CharacteristicID {
        CharacteristicID(aid: accessory.aid, iid: iid)
    }
}
