extension Home {
    /// Adds a service group.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that a visible service or a group has, and services that are hidden, are
    /// listed twice or belong to another home.
    ///
    /// - Throws: ``HomeError`` if no id is left.
    public mutating func addServiceGroup(
        named name: ObjectName,
        services: [ObjectID<HomeService>] = []
    ) throws(HomeError) -> ObjectID<ServiceGroup> {
        let group = ServiceGroup(id: ObjectID(try nextNumber()), name: name, services: services)
        serviceGroups.append(group)
        return group.id
    }

    /// Renames a service group.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the group does not exist.
    public mutating func renameServiceGroup(_ id: ObjectID<ServiceGroup>, to name: ObjectName) throws(HomeError) {
        try rename(id, in: \.serviceGroups, to: name)
    }

    /// Removes a service group, but not its services.
    ///
    /// - Throws: ``HomeError`` if the group does not exist.
    public mutating func removeServiceGroup(_ id: ObjectID<ServiceGroup>) throws(HomeError) {
        try remove(id, from: \.serviceGroups)
    }

    /// Adds a service to a group.
    ///
    /// ``Homes/edit(_:_:)`` refuses a service that is hidden, is already in the group, or belongs to another home.
    ///
    /// - Throws: ``HomeError`` if the group does not exist.
    public mutating func addService(
        _ service: ObjectID<HomeService>,
        to group: ObjectID<ServiceGroup>
    ) throws(HomeError) {
        let index = try index(of: group, in: serviceGroups)
        serviceGroups[index].services.append(service)
    }

    /// Removes a service from a group.
    ///
    /// - Throws: ``HomeError`` if the group does not exist or does not contain the service.
    public mutating func removeService(
        _ service: ObjectID<HomeService>,
        from group: ObjectID<ServiceGroup>
    ) throws(HomeError) {
        let index = try index(of: group, in: serviceGroups)
        let group = serviceGroups[index]
        serviceGroups[index].services
            .remove(at: try position(of: service, in: group.services, at: path(group.name)))
    }
}
