public import AccessoryModel
internal import HAPCore

extension Home {
    /// Adds an accessory to the home.
    ///
    /// A name that the user chose is used unchanged. A name that the accessory announces is adapted to the rules: each
    /// invalid character becomes a space, and if the name is taken, a number is appended. If a service has no name and is
    /// the accessory's only visible service, it gets the name of the accessory. Any other service without a name gets the
    /// name of its type.
    ///
    /// ``Homes/edit(_:_:)`` refuses chosen names that are taken, a room that does not exist, a bridge that is not allowed,
    /// and an accessory that is already in a home.
    ///
    /// - Parameter reference: The location on the network, or `nil` if only a file describes the accessory.
    /// - Throws: ``HomeError`` if two characteristics have the same instance ID, or a limit of services is exceeded.
    public mutating func addAccessory(
        _ announced: RemoteAccessory,
        at reference: AccessoryReference? = nil,
        placed placement: AccessoryPlacement = AccessoryPlacement()
    ) throws(HomeError) -> ObjectID<HomeAccessory> {
        let name = placement.name ?? unusedName(for: announced.name)
        try checkStructure(of: announced.services.map(\.iids), besides: serviceCount, at: path(name))
        var changed = self
        var accessory = HomeAccessory(
            id: ObjectID(try changed.nextNumber()),
            name: name,
            room: placement.room,
            reference: reference,
            bridge: placement.bridge
        )
        accessory.services = try changed.services(of: announced, accessory: name, named: placement.services)
        changed.accessories.append(accessory)
        self = changed
        return accessory.id
    }

    private func unusedName(for name: String?) -> ObjectName {
        var names = NameRegistry(accessories.lazy.map(\.name))
        return names.registerUnused(name.flatMap(ObjectName.init(cleaning:)) ?? .accessory)
    }

    /// Returns the services of a new accessory; reserves the chosen names first, so that default names do not take
    /// them.
    private mutating func services(
        of announced: RemoteAccessory,
        accessory: ObjectName,
        named chosen: [Int: ObjectName]
    ) throws(HomeError) -> [HomeService] {
        var book = serviceAndGroupNames
        for index in announced.services.indices where announced.services[index].isVisible {
            if let name = chosen[index] { book.insert(name) }
        }
        let shown = announced.services.count(where: \.isVisible)
        return try announced.services.enumerated()
            .map { index, announced throws(HomeError) in
                let id = ObjectID<HomeService>(try nextNumber())
                if let name = chosen[index] { return HomeService(announced, id: id, name: name) }
                var service = HomeService(announced, id: id, of: accessory, isAlone: shown == 1)
                if service.isVisible { service.name = book.registerUnused(service.name) }
                return service
            }
    }

    /// The names that must be unique among visible services and service groups.
    var serviceAndGroupNames: NameRegistry {
        var book = NameRegistry(serviceGroups.lazy.map(\.name))
        for accessory in accessories {
            for service in accessory.services where service.isVisible {
                book.insert(service.name)
            }
        }
        return book
    }

    /// The number of services of all accessories.
    var serviceCount: Int { accessories.lazy.map(\.services.count).reduce(0, +) }

    /// Checks the number of services and characteristics, and the uniqueness of instance IDs.
    ///
    /// - Parameters:
    ///   - services: The instance IDs of the characteristics of each service.
    ///   - others: The number of other services in the home.
    /// - Throws: ``HomeError`` if a limit is exceeded or two objects have the same instance ID.
    func checkStructure(of services: [[InstanceID?]], besides others: Int, at place: String) throws(HomeError) {
        try checkCount(others + services.count, "services", limit: HomeLimits.services)
        var iids: Set<InstanceID> = []
        for characteristics in services {
            try checkCount(characteristics.count, "characteristics of a service", limit: HomeLimits.characteristics)
            for case let iid? in characteristics where !iids.insert(iid).inserted {
                throw .instanceTwice(at: place)
            }
        }
    }
}

extension RemoteService {
    /// Whether the service is visible to users, as in ``HomeService/isVisible``.
    package var isVisible: Bool { !isHidden && type.isUserFacing }

    /// The instance IDs of the characteristics.
    var iids: [InstanceID?] { characteristics.map(\.iid) }
}
