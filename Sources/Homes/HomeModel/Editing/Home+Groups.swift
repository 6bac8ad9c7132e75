extension Home {
    /// Adds a service group.
    ///
    /// - Throws: ``HomeError`` if a visible service or a group has the name, or if a limit is exceeded. It also throws
    ///   if a service is hidden, is listed twice or belongs to another home.
    public mutating func addServiceGroup(
        named name: ObjectName,
        services: [ObjectID<HomeService>] = []
    ) throws(HomeError) -> ObjectID<ServiceGroup> {
        try checkServiceOrGroupName(named: name)
        try checkCount(serviceGroups.count + 1, "service groups", limit: HomeLimits.serviceGroups)
        var group = ServiceGroup(id: ObjectID(nextID), name: name)
        for service in services {
            try add(service, to: &group)
        }
        _ = try nextNumber()
        serviceGroups.append(group)
        return group.id
    }

    /// Renames a service group.
    ///
    /// - Throws: ``HomeError`` if the group does not exist or the name is taken.
    public mutating func renameServiceGroup(_ id: ObjectID<ServiceGroup>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: serviceGroups, "service group")
        try checkServiceOrGroupName(named: name, exceptGroup: id)
        serviceGroups[index].name = name
    }

    /// Removes a service group, but not its services.
    ///
    /// - Throws: ``HomeError`` if the group does not exist.
    public mutating func removeServiceGroup(_ id: ObjectID<ServiceGroup>) throws(HomeError) {
        serviceGroups.remove(at: try index(of: id, in: serviceGroups, "service group"))
    }

    /// Adds a service to a group.
    ///
    /// - Throws: ``HomeError`` if the group does not exist, or if the service is hidden, is already in the group, or
    ///   belongs to another home.
    public mutating func addService(
        _ service: ObjectID<HomeService>,
        to group: ObjectID<ServiceGroup>
    ) throws(HomeError) {
        let index = try index(of: group, in: serviceGroups, "service group")
        try add(service, to: &serviceGroups[index])
    }

    /// Removes a service from a group.
    ///
    /// - Throws: ``HomeError`` if the group does not exist or does not contain the service.
    public mutating func removeService(
        _ service: ObjectID<HomeService>,
        from group: ObjectID<ServiceGroup>
    ) throws(HomeError) {
        let index = try index(of: group, in: serviceGroups, "service group")
        let group = serviceGroups[index]
        serviceGroups[index].services
            .remove(at: try position(of: service, in: group.services, "service", path(group.name)))
    }

    /// Checks that no other visible service or group has a name.
    func checkServiceOrGroupName(
        named name: ObjectName,
        exceptService service: ObjectID<HomeService>? = nil,
        exceptGroup group: ObjectID<ServiceGroup>? = nil
    ) throws(HomeError) {
        for accessory in accessories {
            for other in accessory.services where other.isVisible && other.id != service && other.name.key == name.key {
                throw .duplicateName(name, "a service of \(accessory.name)", at: path(name))
            }
        }
        try checkIsUnused(name, in: serviceGroups, "a service group", except: group)
    }

    private func add(_ id: ObjectID<HomeService>, to group: inout ServiceGroup) throws(HomeError) {
        guard let service = service(id) else { throw .foreignService(at: path(group.name)) }
        guard service.isVisible else { throw .hiddenService(service.name.text, at: path(group.name)) }
        guard !group.services.contains(id) else { throw .serviceTwice(service.name.text, at: path(group.name)) }
        let others = serviceGroups.lazy.filter { [id = group.id] in $0.id != id }.map(\.services.count).reduce(0, +)
        try checkCount(others + group.services.count + 1, "services of groups", limit: HomeLimits.groupServices)
        group.services.append(id)
    }
}
