internal import AccessoryModel
internal import Documents

extension HomeMerger {
    /// Gives rooms, services and what they are called as the file has them.
    mutating func mergeServices() {
        let rooms = home.rooms.idsByName
        var named: Set<ObjectID<HomeService>> = []
        for (accessory, id) in zip(document.accessories, placed) {
            guard let id, let index = accessoryIndex(id) else { continue }
            if let name = accessory.room, let room = room(name, among: rooms) {
                home.accessories[index].room = room
            }
            var seen: Set<Int> = []
            var positions = ServicePositions(of: home.accessories[index].services, announced: announced[id])
            for service in accessory.services {
                guard let position = position(of: service, in: home.accessories[index], positions) else { continue }
                var merged = home.accessories[index].services[position]
                guard seen.insert(position).inserted else {
                    report(service.key.location, .serviceTwice(merged.name.text, at: place()))
                    continue
                }
                if let name = service.name {
                    positions.rename(position, from: merged.name, to: name.value)
                    merged.name = name.value
                    named.insert(merged.id)
                }
                let location = service.name?.location ?? service.key.location
                note(location, at: [home.accessories[index].name, merged.name])
                note(location, at: [merged.name])
                if let name = service.room, let room = room(name, among: rooms) {
                    merged.room = room
                } else if isWhole, service.room == nil {
                    merged.room = nil
                }
                merged.associatedType = associatedType(service.associatedType, of: merged)
                home.accessories[index].services[position] = merged
            }
            if isWhole {
                resetPlaces(of: index, as: accessory, except: seen)
            }
        }
        unnamed.subtract(named)
        nameTheRest()
        directory = MergeDirectory(home)
    }

    /// Takes back what a file says nothing of that is taken for the whole home.
    private mutating func resetPlaces(of index: Int, as accessory: HomeDescription.Accessory, except named: Set<Int>) {
        if accessory.room == nil {
            home.accessories[index].room = .entireHome
        }
        for position in home.accessories[index].services.indices where !named.contains(position) {
            home.accessories[index].services[position].room = nil
            home.accessories[index].services[position].associatedType = nil
        }
    }

    private mutating func associatedType(_ type: Located<ServiceType>?, of service: HomeService) -> ServiceType? {
        guard let type else { return isWhole ? nil : service.associatedType }
        if AssociatedTypes.allows(type.value, for: service.type) { return type.value }
        report(type.location, .associatedType(type.value, at: place(service.name)))
        return service.associatedType
    }

    /// Finds free names for the new services whose names the file does not say.
    private mutating func nameTheRest() {
        guard !unnamed.isEmpty else { return }
        var book = NameBook(document.groups.map(\.name.value) + home.serviceGroups.map(\.name))
        for service in home.accessories.lazy.flatMap(\.services) where service.isShown && !unnamed.contains(service.id)
        {
            book.insert(service.name)
        }
        for index in home.accessories.indices {
            for position in home.accessories[index].services.indices {
                let service = home.accessories[index].services[position]
                if unnamed.contains(service.id), service.isShown {
                    home.accessories[index].services[position].name = book.free(service.name)
                }
            }
        }
    }

    /// The service of an accessory that an entry is about; notes that there is none.
    private mutating func position(
        of service: HomeDescription.Service,
        in accessory: HomeAccessory,
        _ positions: ServicePositions
    ) -> Int? {
        let designation = ServiceDesignation(service.key.value)
        if let position = positions.position(of: designation) { return position }
        // What the file has named before is called so.
        if let name = service.name, let position = positions.first(named: name.value) { return position }
        let count = positions.count(of: designation)
        if designation.number == nil, count > 1 {
            let type = designation.type?.written ?? ""
            let error = HomeError(
                .ambiguousName,
                at: place(accessory.name),
                "It has \(count) services \(ObjectName.quoted(service.key.value)).",
                remedy: "Write \(type) (1)\(count == 2 ? " or" : " to") \(type) (\(count))."
            )
            report(service.key.location, error)
            return nil
        }
        var error = unknown(
            "service",
            service.key.value,
            among: accessory.services.lazy.filter(\.isShown).map(\.name.text)
        )
        error.place = place(accessory.name)
        if isMissing(accessory) {
            error.remedy = "Say its \"type\", or import the file again once the accessory is found."
            wait(service.key.location, error)
            hasUnknownServices = true
        } else {
            report(service.key.location, error)
        }
        return nil
    }

    mutating func mergeGroups() {
        var keys: Set<String> = []
        for group in document.groups where isFirst(group.name, "service group", among: &keys) {
            var ids: [ObjectID<HomeService>] = []
            var seen: Set<ObjectID<HomeService>> = []
            for name in group.content {
                guard let id = service(name, at: group.name.value) else { continue }
                guard let service = directory.services[id] else { continue }
                if !service.isShown {
                    report(name.location, .unseenService(service.name.text, at: place(group.name.value)))
                } else if !seen.insert(id).inserted {
                    report(name.location, .serviceTwice(service.name.text, at: place(group.name.value)))
                } else {
                    ids.append(id)
                }
            }
            let new = { (id: ObjectID<ServiceGroup>, name: ObjectName) in ServiceGroup(id: id, name: name) }
            put(group.name.value, into: \.serviceGroups, new: new, change: { $0.services = ids })
        }
    }

    /// The service with a name; notes that there is none.
    private mutating func service(_ name: Located<String>, at owner: ObjectName) -> ObjectID<HomeService>? {
        if let id = directory.service(name.value) { return id }
        reportUnknown(service: name, at: owner)
        return nil
    }

    /// Notes that there is no such service: it may be that of an accessory which is missing.
    mutating func reportUnknown(service name: Located<String>, at owner: ObjectName) {
        var error = unknown("service", name.value, among: directory.names)
        error.place = place(owner)
        if hasUnknownServices {
            wait(name.location, error)
        } else {
            report(name.location, error)
        }
    }
}
