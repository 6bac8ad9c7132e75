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
            try check(name, isFreeIn: accessories, "another accessory", except: nil)
        }
        let name = placement.name ?? freeName(for: announced.name, category)
        if let reference, let other = accessory(at: reference) {
            throw .accessoryTwice(reference, other.name.text, at: place(name))
        }
        var changed = self
        var accessory = HomeAccessory(
            id: ObjectID(try changed.takeNumber()),
            name: name,
            room: placement.room,
            reference: reference,
            category: category,
            bridge: placement.bridge
        )
        if let id = placement.bridge, let error = accessory.violation(bridge: self.accessory(id), at: place(name)) {
            throw error
        }
        try checkStructure(of: announced.services.map(\.iids), replacing: 0, at: place(name))
        accessory.services = try changed.services(of: announced, accessory: name, placed: placement.services)
        changed.accessories.append(accessory)
        self = changed
        return accessory.id
    }

    private func freeName(for name: String?, _ category: AccessoryCategory?) -> ObjectName {
        var names = NameBook(accessories.lazy.map(\.name))
        return names.free(name.flatMap(ObjectName.init(sensibly:)) ?? .unnamed(category))
    }

    /// The services of a new accessory, those with chosen names first, so that those get them.
    private mutating func services(
        of announced: RemoteAccessory,
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
        let shown = announced.services.count(where: \.isShown)
        return try announced.services.enumerated()
            .map { index, announced throws(HomeError) in
                var service = HomeService(announced, id: ObjectID(try takeNumber()))
                service.room = decisions[index]?.room
                if let name = decisions[index]?.name {
                    service.name = name
                } else {
                    let name = announced.ownName
                    service.name = .sensible(for: service, announcedAs: name, accessory, isAlone: shown == 1)
                    if service.isShown { service.name = book.free(service.name) }
                }
                return service
            }
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
    /// Whether people see it, as ``HomeService/isShown``.
    package var isShown: Bool { !isHidden && type.isForPeople }

    /// The numbers of its characteristics.
    var iids: [InstanceID?] { characteristics.map(\.iid) }
}

extension ObjectName {
    /// The name of a service that a person has not named.
    ///
    /// - Parameter isAlone: Whether the accessory has one service to be seen.
    static func sensible(
        for service: HomeService,
        announcedAs name: String?,
        _ accessory: ObjectName,
        isAlone: Bool
    ) -> ObjectName {
        if let name = name.flatMap(ObjectName.init(sensibly:)) { return name }
        if service.isShown, isAlone { return accessory }
        return Catalogue.service(service.type).flatMap { ObjectName(sensibly: $0.name) } ?? .service
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
