public import HAPCore

/// Where a service is on the network.
public struct ServiceReference: Sendable, Hashable {
    /// The accessory.
    public var accessory: AccessoryReference
    /// The service in it.
    public var iid: InstanceID

    /// Creates a reference.
    public init(accessory: AccessoryReference, iid: InstanceID) {
        self.accessory = accessory
        self.iid = iid
    }
}
