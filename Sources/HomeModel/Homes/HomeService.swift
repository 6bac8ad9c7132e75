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
    public var isPrimary = false
    /// Whether its accessory hides it from people.
    public var isHidden = false
    /// The services of the same accessory that it belongs with.
    public var linked: [InstanceID] = []
    /// Its properties, in the accessory's order.
    public var characteristics: [HomeCharacteristic] = []

    /// Whether people see it: it is neither hidden nor one that only informs controllers.
    public var isVisible: Bool {
        !isHidden && type.isUserFacing
    }

    /// What it counts as: the associated type where it has one.
    public var effectiveType: ServiceType {
        associatedType ?? type
    }

    /// The characteristic of a type, `nil` when it has none.
    public func characteristic(_ type: CharacteristicType) -> HomeCharacteristic? {
        characteristics.first { $0.base.type == type }
    }
}

extension HomeService {
    /// A service as its accessory announces it; of two characteristics of one type the first counts.
    init(_ announced: RemoteService, id: ObjectID<HomeService>, name: ObjectName = .service) {
        var types: Set<CharacteristicType> = []
        self.init(
            id: id,
            name: name,
            type: announced.type,
            iid: announced.iid,
            isPrimary: announced.isPrimary,
            isHidden: announced.isHidden,
            linked: announced.linked,
            characteristics: announced.characteristics.filter { types.insert($0.type).inserted }
                .map { HomeCharacteristic(iid: $0.iid, $0.base) }
        )
    }

    /// The service as its accessory announces it now, with the id, the name and the room that it has.
    func updated(to announced: RemoteService) -> HomeService {
        var updated = HomeService(announced, id: id, name: name)
        updated.room = room
        updated.associatedType = associatedType
        return updated
    }
}

extension ServiceType {
    /// Whether people use it: it is none that only informs controllers.
    var isUserFacing: Bool {
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
