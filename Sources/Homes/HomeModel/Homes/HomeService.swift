public import AccessoryModel
public import HAPCore

/// A service of an accessory, such as the garage door or its light; it has a name and a room for users.
public struct HomeService: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<HomeService>
    /// The name; that of a visible service is unique among visible services and service groups.
    public var name: ObjectName
    /// The type of the service.
    public var type: ServiceType
    /// The instance ID, or `nil` if the accessory was not found yet.
    public var iid: InstanceID?
    /// The type that an outlet or a switch counts as, such as a light bulb; see ``AssociatedTypes``.
    public var associatedType: ServiceType?
    /// The service's own room, or `nil` if it is in the room of its accessory.
    public var room: ObjectID<Room>?
    /// Whether the service is the main function of the accessory.
    public var isPrimary = false
    /// Whether the accessory hides the service from users.
    public var isHidden = false
    /// The instance IDs of linked services of the same accessory.
    public var linked: [InstanceID] = []
    /// The characteristics, in the accessory's order.
    public var characteristics: [HomeCharacteristic] = []

    /// Whether users see the service: it is not hidden, and its type is not one that only informs controllers.
    public var isVisible: Bool {
        !isHidden && type.isUserFacing
    }

    /// The associated type, or the type if there is none.
    public var effectiveType: ServiceType {
        associatedType ?? type
    }

    /// Returns the characteristic with a type, or `nil` if there is none.
    public func characteristic(_ type: CharacteristicType) -> HomeCharacteristic? {
        characteristics.first { $0.base.type == type }
    }
}

extension HomeService {
    /// Creates a service from an announced one; of several characteristics with the same type, only the first is used.
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

    /// Creates a service from an announced one, with its own name or a default name.
    ///
    /// - Parameters:
    ///   - accessory: The name of the accessory.
    ///   - isAlone: Whether the accessory has exactly one visible service.
    init(_ announced: RemoteService, id: ObjectID<HomeService>, of accessory: ObjectName, isAlone: Bool) {
        self.init(announced, id: id)
        name = defaultName(announcedAs: announced.ownName, accessory, isAlone: isAlone)
    }

    /// Returns the name of the service if the user has chosen none.
    ///
    /// - Parameter isAlone: Whether the accessory has exactly one visible service.
    func defaultName(announcedAs name: String?, _ accessory: ObjectName, isAlone: Bool) -> ObjectName {
        if let name = name.flatMap(ObjectName.init(cleaning:)) { return name }
        if isVisible, isAlone { return accessory }
        return Catalog.service(type).flatMap { ObjectName(cleaning: $0.name) } ?? .service
    }

    /// Returns the announced service with the id, name, room and associated type of this one.
    func updated(to announced: RemoteService) -> HomeService {
        var updated = HomeService(announced, id: id, name: name)
        updated.room = room
        updated.associatedType = associatedType
        return updated
    }
}

extension ServiceType {
    /// Whether the type is meant for users; the other types only inform controllers.
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
