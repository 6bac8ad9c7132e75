public import AccessoryModel
public import HAPCore

/// A service as its server or a file describes it, before it has a name in a home.
public struct AnnouncedService: Sendable, Hashable {
    /// What it calls itself; may hold anything.
    public var name: String?
    /// What it does.
    public var type: ServiceType
    /// Its number in the accessory; `nil` from a file.
    public var iid: InstanceID?
    /// Whether it is the accessory's main function.
    public var isPrimary: Bool
    /// Whether people do not see it.
    public var isHidden: Bool
    /// The services that it belongs with.
    public var linked: [InstanceID]
    /// Its properties, in its order; of two of one type the first counts.
    public var characteristics: [HomeCharacteristic]

    /// Creates one.
    public init(
        name: String?,
        type: ServiceType,
        iid: InstanceID? = nil,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [InstanceID] = [],
        characteristics: [HomeCharacteristic] = []
    ) {
        self.name = name
        self.type = type
        self.iid = iid
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }
    /// Whether people see it, as ``HomeService/isShown``.
    var isShown: Bool {
        !isHidden && type.isForPeople
    }
}
