public import AccessoryModel

extension Home {
    /// Renames an accessory.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist.
    public mutating func renameAccessory(
        _ id: ObjectID<HomeAccessory>,
        to name: ObjectName
    ) throws(HomeError) {
        try rename(id, in: \.accessories, to: name)
    }

    /// Moves an accessory to a room, together with its services, except for those in a room of their own.
    ///
    /// ``Homes/edit(_:_:)`` refuses a room that does not exist.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist.
    public mutating func moveAccessory(
        _ id: ObjectID<HomeAccessory>,
        to room: ObjectID<Room>
    ) throws(HomeError) {
        let index = try index(of: id, in: accessories)
        accessories[index].room = room
    }

    /// Sets where an accessory is on the network; `nil` means that it can no longer be found.
    ///
    /// ``Homes/edit(_:_:)`` refuses the reference of another accessory, and an accessory and its bridge with different
    /// servers.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist.
    public mutating func setReference(
        _ reference: AccessoryReference?,
        of id: ObjectID<HomeAccessory>
    ) throws(HomeError) {
        let index = try index(of: id, in: accessories)
        accessories[index].reference = reference
    }

    /// Removes an accessory with its services; if it is a bridge, also removes the accessories behind it.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist or is behind a bridge.
    @discardableResult
    public mutating func removeAccessory(_ id: ObjectID<HomeAccessory>) throws(HomeError) -> [EditEffect] {
        let accessory = accessories[try index(of: id, in: accessories)]
        if let bridge = accessory.bridge {
            let name = self.accessory(bridge)?.name.text ?? ""
            throw HomeError(
                .bridgedAccessoryAlone,
                at: path(accessory.name),
                "A bridged accessory cannot be removed alone.",
                remedy: "Remove its bridge \(name), with everything behind it."
            )
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
    /// ``Homes/edit(_:_:)`` refuses the name of another visible service or of a group.
    ///
    /// - Throws: ``HomeError`` if the service does not exist.
    public mutating func renameService(_ id: ObjectID<HomeService>, to name: ObjectName) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        accessories[accessory].services[index].name = name
    }

    /// Renames several services.
    ///
    /// ``Homes/edit(_:_:)`` refuses names that other visible services or groups have.
    ///
    /// - Throws: ``HomeError`` if a service does not exist. The home is then unchanged.
    public mutating func renameServices(_ names: [ObjectID<HomeService>: ObjectName]) throws(HomeError) {
        guard !names.isEmpty else { return }
        var places: [ObjectID<HomeService>: (accessory: Int, service: Int)] = [:]
        for accessory in accessories.indices {
            for service in accessories[accessory].services.indices {
                places[accessories[accessory].services[service].id] = (accessory, service)
            }
        }
        var changed = self
        // Sorted, so that the reported error is always the same.
        for (id, name) in names.sorted(by: { $0.key < $1.key }) {
            guard let place = places[id] else { throw .unknown("service", "\(id)", at: self.name.text) }
            changed.accessories[place.accessory].services[place.service].name = name
        }
        self = changed
    }

    /// Moves a service to a room of its own, or with `nil` back to the room of its accessory.
    ///
    /// ``Homes/edit(_:_:)`` refuses a room that does not exist.
    ///
    /// - Throws: ``HomeError`` if the service does not exist.
    public mutating func moveService(_ id: ObjectID<HomeService>, to room: ObjectID<Room>?) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        accessories[accessory].services[index].room = room
    }

    /// Sets the type that an outlet or a switch counts as; `nil` means its own type.
    ///
    /// ``Homes/edit(_:_:)`` refuses a type that is not allowed, with ``HomeError/Code/disallowedAssociatedType``.
    ///
    /// - Throws: ``HomeError`` if the service does not exist.
    public mutating func setAssociatedType(
        _ type: ServiceType?,
        of id: ObjectID<HomeService>
    ) throws(HomeError) {
        let (accessory, index) = try serviceIndex(id)
        accessories[accessory].services[index].associatedType = type
    }

    private func serviceIndex(_ id: ObjectID<HomeService>) throws(HomeError) -> (accessory: Int, service: Int) {
        for (index, accessory) in accessories.enumerated() {
            if let service = accessory.services.firstIndex(where: { $0.id == id }) { return (index, service) }
        }
        throw .unknown("service", "\(id)", at: name.text)
    }
}
