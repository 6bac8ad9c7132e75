internal import AccessoryModel
internal import HAPCore

extension Home {
    /// Brings an accessory into the home.
    ///
    /// Names that people chose are taken or refused. A name that the accessory announces is made to obey the rules: what
    /// may not be in it becomes a space, and when it is taken a number goes behind it. A service without a name of its own
    /// is called like its accessory when that has no other to be seen, else like its type.
    ///
    /// - Parameter reference: Where it is on the network; `nil` when it is known from a file only.
    /// - Throws: ``HomeError``: a chosen name that is taken, no such room, a bridge that cannot be its bridge, an accessory
    ///   that is in the home, two services or characteristics with one number, or too many.
    public mutating func addAccessory(
        _ announced: AnnouncedAccessory,
        at reference: AccessoryReference? = nil,
        placed placement: AccessoryPlacement = AccessoryPlacement()
    ) throws(HomeError) -> ObjectID<HomeAccessory> {
        try checkCount(accessories.count + 1, "accessories", limit: HomeLimits.accessories)
        try checkRoom(placement.room)
        if let name = placement.name {
            try checkAccessory(named: name)
        }
        let name = placement.name ?? freeName(for: announced)
        if let reference, let other = accessory(at: reference) {
            throw .accessoryTwice(reference, other.name.text, at: place(name))
        }
        var changed = self
        var accessory = HomeAccessory(
            id: ObjectID(try changed.takeNumber()),
            name: name,
            room: placement.room,
            reference: reference,
            category: announced.category,
            bridge: placement.bridge
        )
        if let id = placement.bridge, let error = accessory.violation(bridge: self.accessory(id), at: place(name)) {
            throw error
        }
        try checkStructure(of: announced, replacing: 0, at: place(name))
        accessory.services = try changed.services(of: announced, accessory: name, placed: placement.services)
        changed.accessories.append(accessory)
        self = changed
        return accessory.id
    }

    private func freeName(for announced: AnnouncedAccessory) -> ObjectName {
        var names = NameBook(accessories.lazy.map(\.name))
        return names.free(announced.name.flatMap(ObjectName.init(sensibly:)) ?? .unnamed(announced.category))
    }

    /// The services of a new accessory, those with chosen names first, so that those get them.
    private mutating func services(
        of announced: AnnouncedAccessory,
        accessory: ObjectName,
        placed decisions: [Int: AccessoryPlacement.Service]
    ) throws(HomeError) -> [HomeService] {
        var book = controlNames
        for index in announced.services.indices {
            guard let decision = decisions[index] else { continue }
            if let room = decision.room {
                try checkRoom(room)
            }
            guard let name = decision.name, announced.services[index].isShown else { continue }
            guard !book.contains(name) else {
                throw .duplicateName(name, "a service or a service group", at: "\(place(accessory))/\(name)")
            }
            book.insert(name)
        }
        var services: [HomeService] = []
        for index in announced.services.indices {
            let decision = decisions[index]
            var service = announced.services[index]
                .home(
                    id: try takeNumber(),
                    name: decision?.name ?? announced.sensibleName(of: index, accessory: accessory)
                )
            service.room = decision?.room
            if decision?.name == nil, service.isShown {
                service.name = book.free(service.name)
            }
            services.append(service)
        }
        return services
    }

    /// The names that no other service or group may have.
    var controlNames: NameBook {
        var book = NameBook(serviceGroups.lazy.map(\.name))
        for accessory in accessories {
            for service in accessory.services where service.isShown {
                book.insert(service.name)
            }
        }
        return book
    }

    /// Throws when an accessory has the name.
    func checkAccessory(named name: ObjectName, except id: ObjectID<HomeAccessory>? = nil) throws(HomeError) {
        if accessories.contains(where: { $0.id != id && $0.name.key == name.key }) {
            throw .duplicateName(name, "another accessory", at: place(name))
        }
    }

    /// Throws what is wrong with the numbers of an accessory, whoever made them.
    ///
    /// - Parameter count: How many services of the home it replaces.
    func checkStructure(of announced: AnnouncedAccessory, replacing count: Int, at place: String) throws(HomeError) {
        let others = accessories.lazy.map(\.services.count).reduce(0, +) - count
        try checkCount(others + announced.services.count, "services", limit: HomeLimits.services)
        var iids: Set<InstanceID> = []
        for service in announced.services {
            try checkCount(
                service.characteristics.count,
                "characteristics of a service",
                limit: HomeLimits.characteristics
            )
            for case let iid? in service.characteristics.map(\.iid) where !iids.insert(iid).inserted {
                throw .instanceTwice(at: place)
            }
        }
    }
}

extension AnnouncedAccessory {
    /// What a service is called unless somebody says otherwise.
    func sensibleName(of index: Int, accessory: ObjectName) -> ObjectName {
        let service = services[index]
        if let name = service.name.flatMap(ObjectName.init(sensibly:)) { return name }
        if service.isShown, hasOneShownService { return accessory }
        return Catalogue.service(service.type).flatMap { ObjectName(sensibly: $0.name) } ?? .service
    }

    /// Asked for each service without a name: so it looks no further than the second.
    private var hasOneShownService: Bool {
        services.lazy.filter(\.isShown).prefix(2).count == 1
    }
}

extension AnnouncedService {
    /// The service in a home.
    func home(id: UInt64, name: ObjectName) -> HomeService {
        var types: Set<CharacteristicType> = []
        return HomeService(
            id: ObjectID(id),
            name: name,
            type: type,
            iid: iid,
            isPrimary: isPrimary,
            isHidden: isHidden,
            linked: linked,
            characteristics: characteristics.filter { types.insert($0.type).inserted }
        )
    }
}

extension ObjectName {
    /// What something without a name of its own is called.
    fileprivate static func unnamed(_ category: AccessoryCategory?) -> ObjectName {
        category.flatMap { ObjectName(sensibly: $0.words) } ?? .accessory
    }
}

extension AccessoryCategory {
    /// The name as people write it: `Garage Door Opener`.
    fileprivate var words: String {
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
