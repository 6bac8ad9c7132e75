public import AccessoryModel
public import HAPCore

extension Home {
    /// Brings an accessory into the home.
    ///
    /// Names that people chose are taken or refused. A name that the accessory announces is made to obey the rules: what
    /// may not be in it becomes a space, and when it is taken a number goes behind it. A service without a name of its own
    /// is called like its accessory when that has no other to be seen, else like its type.
    ///
    /// - Parameters:
    ///   - category: What kind of thing it is; names an accessory without a name of its own.
    ///   - reference: Where it is on the network; `nil` when it is known from a file only.
    /// - Throws: ``HomeError``: a chosen name that is taken, no such room, a bridge that cannot be its bridge, an accessory
    ///   that is in the home, two services or characteristics with one number, or too many.
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
        try checkStructure(of: announced.services.map(\.iids), replacing: 0, at: path(name))
        accessory.services = try changed.services(of: announced, accessory: name, placed: placement.services)
        changed.accessories.append(accessory)
        self = changed
        return accessory.id
    }

    private func unusedName(for name: String?, _ category: AccessoryCategory?) -> ObjectName {
        var names = NameRegistry(accessories.lazy.map(\.name))
        return names.registerUnused(name.flatMap(ObjectName.init(cleaning:)) ?? .defaultName(category))
    }

    /// The services of a new accessory, those with chosen names first, so that those get them.
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

    /// The names that no other service or group may have.
    var serviceAndGroupNames: NameRegistry {
        var book = NameRegistry(serviceGroups.lazy.map(\.name))
        for accessory in accessories {
            for service in accessory.services where service.isVisible {
                book.insert(service.name)
            }
        }
        return book
    }

    /// Throws what is wrong with the numbers of an accessory, whoever made them.
    ///
    /// - Parameters:
    ///   - services: The numbers of the characteristics of each of its services.
    ///   - count: How many services of the home it replaces.
    func checkStructure(of services: [[InstanceID?]], replacing count: Int, at place: String) throws(HomeError) {
        let others = accessories.lazy.map(\.services.count).reduce(0, +) - count
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
    /// Whether people see it, as ``HomeService/isVisible``.
    package var isVisible: Bool { !isHidden && type.isUserFacing }

    /// The numbers of its characteristics.
    var iids: [InstanceID?] { characteristics.map(\.iid) }
}

extension ObjectName {
    /// The name of a service that a person has not named.
    ///
    /// - Parameter isAlone: Whether the accessory has one service to be seen.
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
    /// What something without a name of its own is called.
    fileprivate static func defaultName(_ category: AccessoryCategory?) -> ObjectName {
        category.flatMap { ObjectName(cleaning: $0.displayName) } ?? .accessory
    }
}

extension AccessoryCategory {
    /// The name as people write it: `Garage Door Opener`.
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
