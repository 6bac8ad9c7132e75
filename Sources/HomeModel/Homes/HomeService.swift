public import AccessoryModel
public import HAPCore

/// One function of an accessory, such as the garage door or the light in it: what people see and name.
public struct HomeService: Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<HomeService>
    /// What people call it; that of a service that is shown is unique among those and the service groups.
    public var name: ObjectName
    /// What it does.
    public var type: ServiceType
    /// Its number in the accessory; `nil` as long as the accessory is not found.
    public var iid: InstanceID?
    /// What an outlet or a switch feeds, such as a lamp; see ``AssociatedTypes``.
    public var associatedType: ServiceType?
    /// The room that it is in when that is another than its accessory's.
    public var room: ObjectID<Room>?
    /// Whether it is the accessory's main function.
    public var isPrimary: Bool
    /// Whether its accessory hides it from people.
    public var isHidden: Bool
    /// The services of the same accessory that it belongs with.
    public var linked: [InstanceID]
    /// Its properties, in the accessory's order.
    public var characteristics: [HomeCharacteristic]

    /// Creates a service.
    public init(
        id: ObjectID<HomeService>,
        name: ObjectName,
        type: ServiceType,
        iid: InstanceID? = nil,
        associatedType: ServiceType? = nil,
        room: ObjectID<Room>? = nil,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [InstanceID] = [],
        characteristics: [HomeCharacteristic] = []
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.iid = iid
        self.associatedType = associatedType
        self.room = room
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }

    /// Whether people see it: it is neither hidden nor one that only informs controllers.
    public var isShown: Bool {
        !isHidden && type.isForPeople
    }

    /// What it counts as: the associated type where it has one.
    public var effectiveType: ServiceType {
        associatedType ?? type
    }

    /// The characteristic of a type, `nil` when it has none.
    public func characteristic(_ type: CharacteristicType) -> HomeCharacteristic? {
        characteristics.first { $0.type == type }
    }
}

extension ServiceType {
    /// Whether people use it: it is none that only informs controllers.
    var isForPeople: Bool {
        self != .accessoryInformation && self != .protocolInformation && self != .pairing
    }
}

extension HomeService: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, type, iid, room, linked, characteristics
        case associatedType = "as"
        case isPrimary = "primary"
        case isHidden = "hidden"
    }
}
