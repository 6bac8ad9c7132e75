public import AccessoryModel
public import HAPCore

/// A service as its server describes it.
///
/// HAP: §11.4
public struct RemoteService: Sendable, Hashable {
    /// Its number in the accessory.
    public var iid: InstanceID
    /// What it does.
    public var type: ServiceType
    /// Whether it is the accessory's main function.
    public var isPrimary: Bool
    /// Whether people do not see it.
    public var isHidden: Bool
    /// The services that it belongs with.
    public var linked: [InstanceID]
    /// Its properties, in the server's order.
    public var characteristics: [RemoteCharacteristic]

    /// Creates one.
    public init(
        iid: InstanceID,
        type: ServiceType,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [InstanceID] = [],
        characteristics: [RemoteCharacteristic] = []
    ) {
        self.iid = iid
        self.type = type
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }
}
