public import AccessoryModel

extension Home {
    /// Renames an accessory.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist or the name is taken.
    public mutating func renameAccessory(
        _ id: ObjectID<HomeAccessory>,
        to name: ObjectName
    ) throws(HomeError) {
        let index = try accessoryIndex(id)
        try checkIsUnused(name, in: accessories, "another accessory", except: id)
        accessories[index].name = name
    }

    /// Moves an accessory to a room, together with its services, except for those in a room of their own.
    ///
    /// - Throws: ``HomeError`` if the accessory or the room does not exist.
    public mutating func moveAccessory(
        _ id: ObjectID<HomeAccessory>,
        to room: ObjectID<Room>
    ) throws(HomeError) {
        let index = try accessoryIndex(id)
        try checkRoom(room)
        accessories[index].room = room
    }

    /// Sets where an accessory is on the network; `nil` means that it can no longer be found.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist, if the reference belongs to another accessory, or if
    ///   the accessory and its bridge would have different servers.
    public mutating func setReference(
        _ reference: AccessoryReference?,
        of id: ObjectID<HomeAccessory>
    ) throws(HomeError) {
        let index = try accessoryIndex(id)
        var changed = accessories[index]
        let place = path(changed.name)
        if let reference, let other = accessory(at: reference), other.id != id {
            throw .accessoryTwice(reference, other.name.text, at: place)
        }
        changed.reference = reference
        if let bridge = changed.bridge, let error = changed.violation(bridge: accessory(bridge), at: place) {
            throw error
        }
        if let server = reference?.server {
            for bridged in accessories where bridged.bridge == id {
                guard let other = bridged.reference?.server, other != server else { continue }
                throw .bridge("\(bridged.name) behind it is announced by \(other), not \(server).", at: place)
            }
        }
        accessories[index] = changed
    }

    /// Removes an accessory with its services; if it is a bridge, also removes the accessories behind it.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist or is behind a bridge.
    @discardableResult
    public mutating func removeAccessory(_ id: ObjectID<HomeAccessory>) throws(HomeError) -> [EditEffect] {
        let accessory = accessories[try accessoryIndex(id)]
        if let bridge = accessory.bridge {
            throw .bridgedAccessoryAlone(self.accessory(bridge)?.name.text ?? "", at: path(accessory.name))
        }
        let gone = removeAccessories([id])
        let names = gone.lazy.flatMap(\.services).keyed(by: \.id, \.name)
        return gone.filter { $0.id != id }.map { .accessoryRemoved($0.name) }
            + removeReferences(to: RemovedObjects(services: Set(names.keys)), names: names)
    }

    /// Removes accessories and those behind them, but not the references to their services, and returns all of them.
    mutating func removeAccessories(_ ids: Set<ObjectID<HomeAccessory>>) -> [HomeAccessory] {
        let isRemoved = { (accessory: HomeAccessory) in
            ids.contains(accessory.id) || accessory.bridge.map(ids.contains) ?? false
        }
        let gone = accessories.filter(isRemoved)
        accessories.removeAll(where: isRemoved)
        return gone
    }

    // MARK: Services

    /// Renames a service.
    ///
    /// - Throws: ``HomeError`` if the service does not exist, or if another visible service or a group has the name.
    public mutating func renameService(_ id: ObjectID<HomeService>, to name: ObjectName) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        if accessories[accessory].services[index].isVisible {
            try checkServiceOrGroupName(named: name, exceptService: id)
        }
        accessories[accessory].services[index].name = name
    }

    /// Renames several services at once; only the final names must be unique, so two services can swap their names.
    ///
    /// - Throws: ``HomeError`` if a service does not exist, or if another visible service or a group has one of the
    ///   final names. The home is then unchanged.
    public mutating func renameServices(_ names: [ObjectID<HomeService>: ObjectName]) throws(HomeError) {
        // Sorted, so that the reported error is always the same.
        let names = names.sorted { $0.key < $1.key }
        guard !names.isEmpty else { return }
        var changed = self
        var places: [ObjectID<HomeService>: (accessory: Int, service: Int)] = [:]
        for accessory in accessories.indices {
            for service in accessories[accessory].services.indices {
                places[accessories[accessory].services[service].id] = (accessory, service)
            }
        }
        for (id, name) in names {
            guard let place = places[id] else { throw .unknown("service", "\(id)", at: self.name.text) }
            changed.accessories[place.accessory].services[place.service].name = name
        }
        let taken = changed.serviceAndGroupNames
        for (id, name) in names where taken.count(of: name) > 1 && changed.service(id)?.isVisible == true {
            try changed.checkServiceOrGroupName(named: name, exceptService: id)
        }
        self = changed
    }

    /// Moves a service to a room of its own, or with `nil` back to the room of its accessory.
    ///
    /// - Throws: ``HomeError`` if the service or the room does not exist.
    public mutating func moveService(_ id: ObjectID<HomeService>, to room: ObjectID<Room>?) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        if let room {
            try checkRoom(room)
        }
        accessories[accessory].services[index].room = room
    }

    /// Sets the type that an outlet or a switch counts as; `nil` means its own type.
    ///
    /// - Throws: ``HomeError`` if the service does not exist, or with ``HomeError/Code/disallowedAssociatedType``.
    public mutating func setAssociatedType(
        _ type: ServiceType?,
        of id: ObjectID<HomeService>
    ) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        let service = accessories[accessory].services[index]
        if let type, !AssociatedTypes.allows(type, for: service.type) {
            throw .disallowedAssociatedType(type, at: path(service.name))
        }
        accessories[accessory].services[index].associatedType = type
    }

    func accessoryIndex(_ id: ObjectID<HomeAccessory>) throws(HomeError) -> Int {
        try index(of: id, in: accessories, "accessory")
    }

    private func serviceIndex(_ id: ObjectID<HomeService>) throws(HomeError) -> (accessory: Int, service: Int) {
        for (index, accessory) in accessories.enumerated() {
            if let service = accessory.services.firstIndex(where: { $0.id == id }) { return (index, service) }
        }
        throw .unknown("service", "\(id)", at: name.text)
    }
}
