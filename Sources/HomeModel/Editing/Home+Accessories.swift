public import AccessoryModel

extension Home {
    /// Gives an accessory another name.
    ///
    /// - Throws: ``HomeError``: no such accessory, or a name that is taken.
    public mutating func renameAccessory(
        _ id: ObjectID<HomeAccessory>,
        to name: ObjectName
    ) throws(HomeError) {
        let index = try accessoryIndex(id)
        try checkIsUnused(name, in: accessories, "another accessory", except: id)
        accessories[index].name = name
    }

    /// Puts an accessory into a room; its services go along, but for those in a room of their own.
    ///
    /// - Throws: ``HomeError``: no such accessory or room.
    public mutating func moveAccessory(
        _ id: ObjectID<HomeAccessory>,
        to room: ObjectID<Room>
    ) throws(HomeError) {
        let index = try accessoryIndex(id)
        try checkRoom(room)
        accessories[index].room = room
    }

    /// Says where an accessory is on the network; `nil` when it is found no more.
    ///
    /// - Throws: ``HomeError``: no such accessory, another one is there, or its bridge has another server.
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

    /// Removes an accessory with its services, and what is behind it when it is a bridge.
    ///
    /// - Throws: ``HomeError``: no such accessory, or one that is behind a bridge.
    @discardableResult
    public mutating func removeAccessory(_ id: ObjectID<HomeAccessory>) throws(HomeError) -> [EditEffect] {
        let accessory = accessories[try accessoryIndex(id)]
        if let bridge = accessory.bridge {
            throw .bridgedAccessoryAlone(self.accessory(bridge)?.name.text ?? "", at: path(accessory.name))
        }
        let gone = accessories.filter { $0.id == id || $0.bridge == id }
        accessories.removeAll { $0.id == id || $0.bridge == id }
        let services = gone.flatMap(\.services)
        let names = Dictionary(services.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return gone.filter { $0.id != id }.map { .accessoryRemoved($0.name) }
            + removeReferences(to: RemovedObjects(services: Set(names.keys)), names: names)
    }

    // MARK: Services

    /// Gives a service another name.
    ///
    /// - Throws: ``HomeError``: no such service, or a name that another one to be seen or a group has.
    public mutating func renameService(_ id: ObjectID<HomeService>, to name: ObjectName) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        if accessories[accessory].services[index].isVisible {
            try checkServiceOrGroupName(named: name, exceptService: id)
        }
        accessories[accessory].services[index].name = name
    }

    /// Gives services other names, all at once: what counts is who has which in the end, so that two can swap theirs.
    ///
    /// - Throws: ``HomeError``: no such service, or a name that in the end another one to be seen or a group has; the home
    ///   stays as it was.
    public mutating func renameServices(_ names: [ObjectID<HomeService>: ObjectName]) throws(HomeError) {
        // In one order, so that the same is told at every time.
        let names = names.sorted { $0.key < $1.key }
        var changed = self
        for (id, name) in names {
            let (accessory, index) = try changed.serviceIndex(id)
            changed.accessories[accessory].services[index].name = name
        }
        for (id, name) in names where changed.service(id)?.isVisible == true {
            try changed.checkServiceOrGroupName(named: name, exceptService: id)
        }
        self = changed
    }

    /// Puts a service into a room of its own; `nil` is its accessory's.
    ///
    /// - Throws: ``HomeError``: no such service or room.
    public mutating func moveService(_ id: ObjectID<HomeService>, to room: ObjectID<Room>?) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        if let room {
            try checkRoom(room)
        }
        accessories[accessory].services[index].room = room
    }

    /// Says what an outlet or a switch counts as; `nil` is what it is.
    ///
    /// - Throws: ``HomeError``: no such service, or ``HomeError/Code/associatedType``.
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
