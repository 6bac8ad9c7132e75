public import AccessoryModel
public import HAPCore

extension Home {
    /// Adds an accessory to the home.
    ///
    /// A name that the user chose is used unchanged, or refused. A name that the accessory announces is adapted to the
    /// rules: each invalid character becomes a space, and if the name is taken, a number is appended. If a service has
    /// no name and is the accessory's only visible service, it gets the name of the accessory. Any other service
    /// without a name gets the name of its type.
    ///
    /// - Parameters:
    ///   - category: The category, which names an accessory that has no name of its own.
    ///   - reference: The location on the network, or `nil` if only a file describes the accessory.
    /// - Throws: ``HomeError`` if a chosen name is taken, the room does not exist, or the bridge is not allowed. It
    ///   also throws if the accessory is already in the home, two characteristics have the same instance ID, or a limit
    ///   is exceeded.
    public mutating func addAccessory(
        _ announced: RemoteAccessory,
        category: AccessoryCategory? = nil,
        at reference: AccessoryReference? = nil,
        placed placement: AccessoryPlacement = AccessoryPlacement()
    ) throws(HomeError) -> ObjectID<HomeAccessory> {
        try checkCount(accessories.count + 1, "accessories", limit: HomeLimits.accessories)
        try checkRoom(placement.room)
        if let name = placement.name {
            try checkIsUnused(name, in: accessories, "another accessory", except: nil)
        }
        let name = placement.name ?? unusedName(for: announced.name, category)
        if let reference, let other = accessory(at: reference) {
            throw .accessoryTwice(reference, other.name.text, at: path(name))
        }
        var changed = self
        var accessory = HomeAccessory(
            id: ObjectID(try changed.nextNumber()),
            name: name,
            room: placement.room,
            reference: reference,
            category: category,
            bridge: placement.bridge
        )
        if let id = placement.bridge, let error = accessory.violation(bridge: self.accessory(id), at: path(name)) {
            throw error
        }
        try checkStructure(of: announced.services.map(\.iids), besides: serviceCount, at: path(name))
        accessory.services = try changed.services(of: announced, accessory: name, placed: placement.services)
        changed.accessories.append(accessory)
        self = changed
        return accessory.id
    }

    private func unusedName(for name: String?, _ category: AccessoryCategory?) -> ObjectName {
        var names = NameRegistry(accessories.lazy.map(\.name))
        return names.registerUnused(name.flatMap(ObjectName.init(cleaning:)) ?? .defaultName(category))
    }

    /// Returns the services of a new accessory; reserves the chosen names first, so that default names do not take
    /// them.
    private mutating func services(
        of announced: RemoteAccessory,
        accessory: ObjectName,
        placed decisions: [Int: AccessoryPlacement.Service]
    ) throws(HomeError) -> [HomeService] {
        var book = serviceAndGroupNames
        for index in announced.services.indices {
            guard let decision = decisions[index] else { continue }
            if let room = decision.room {
                try checkRoom(room)
            }
            guard let name = decision.name, announced.services[index].isVisible else { continue }
            guard !book.contains(name) else {
                throw .duplicateName(name, "a service or a service group", at: "\(path(accessory))/\(name)")
            }
            book.insert(name)
        }
        let shown = announced.services.count(where: \.isVisible)
        return try announced.services.enumerated()
            .map { index, announced throws(HomeError) in
                var service = HomeService(announced, id: ObjectID(try nextNumber()))
                service.room = decisions[index]?.room
                if let name = decisions[index]?.name {
                    service.name = name
                } else {
                    let name = announced.ownName
                    service.name = .defaultName(for: service, announcedAs: name, accessory, isAlone: shown == 1)
                    if service.isVisible { service.name = book.registerUnused(service.name) }
                }
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

extension ObjectName {
    /// Returns the name of a service for which the user has chosen none.
    ///
    /// - Parameter isAlone: Whether the accessory has exactly one visible service.
    static func defaultName(
        for service: HomeService,
        announcedAs name: String?,
        _ accessory: ObjectName,
        isAlone: Bool
    ) -> ObjectName {
        if let name = name.flatMap(ObjectName.init(cleaning:)) { return name }
        if service.isVisible, isAlone { return accessory }
        return Catalog.service(service.type).flatMap { ObjectName(cleaning: $0.name) } ?? .service
    }
}

extension ObjectName {
    /// Returns the name of an accessory without a name of its own.
    fileprivate static func defaultName(_ category: AccessoryCategory?) -> ObjectName {
        category.flatMap { ObjectName(cleaning: $0.displayName) } ?? .accessory
    }
}

extension AccessoryCategory {
    /// The name in the usual spelling, such as `Garage Door Opener`, or an empty string if the category is unknown.
    fileprivate var displayName: String {
        guard Self.names.contains(where: { $0.category == self }), self != .other else { return "" }
        var words = ""
        for character in description {
            if character.isUppercase, words.last?.isLowercase == true {
                words.append(" ")
            }
            words.append(character)
        }
        return words
    }
}
