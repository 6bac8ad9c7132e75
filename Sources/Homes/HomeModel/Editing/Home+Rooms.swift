extension Home {
    /// Adds a room.
    ///
    /// - Throws: ``HomeError`` if a room or zone has the name, or there are too many rooms.
    public mutating func addRoom(named name: ObjectName) throws(HomeError) -> ObjectID<Room> {
        try checkRoomOrZoneName(named: name)
        try checkCount(rooms.count + 1, "rooms", limit: HomeLimits.rooms)
        let id = ObjectID<Room>(try nextNumber())
        rooms.append(Room(id: id, name: name))
        return id
    }

    /// Renames a room.
    ///
    /// - Throws: ``HomeError`` if the room does not exist or is the one for the entire home, or if the name is taken.
    public mutating func renameRoom(_ id: ObjectID<Room>, to name: ObjectName) throws(HomeError) {
        let index = try roomIndex(id)
        try checkRoomOrZoneName(named: name, exceptRoom: id)
        rooms[index].name = name
    }

    /// Removes a room.
    ///
    /// Its accessories move to the room for the entire home. Services of accessories in other rooms move back to the
    /// room of their accessory.
    ///
    /// - Throws: ``HomeError`` if the room does not exist or is the one for the entire home.
    @discardableResult
    public mutating func removeRoom(_ id: ObjectID<Room>) throws(HomeError) -> [EditEffect] {
        _ = try roomIndex(id)
        return removeRooms([id])
    }

    /// Removes rooms, as ``removeRoom(_:)`` does, and returns the effects.
    mutating func removeRooms(_ ids: Set<ObjectID<Room>>) -> [EditEffect] {
        guard !ids.isEmpty else { return [] }
        let names = rooms.lazy.filter { ids.contains($0.id) }.keyed(by: \.id, \.name)
        rooms.removeAll { ids.contains($0.id) }
        let remaining = rooms.byID
        var consequences: [EditEffect] = []
        for index in accessories.indices {
            if ids.contains(accessories[index].room) {
                accessories[index].room = .entireHome
                consequences.append(.accessoryMoved(accessories[index].name, to: .entireHome))
            }
            for service in accessories[index].services.indices {
                guard let room = accessories[index].services[service].room, ids.contains(room) else { continue }
                accessories[index].services[service].room = nil
                let home = remaining[accessories[index].room]?.name ?? .entireHome
                consequences.append(.serviceMoved(accessories[index].services[service].name, to: home))
            }
        }
        for index in zones.indices {
            let lost = zones[index].rooms.compactMap { names[$0] }
            guard !lost.isEmpty else { continue }
            zones[index].rooms.removeAll(where: ids.contains)
            consequences += lost.map { .zoneLostRoom(zones[index].name, room: $0) }
        }
        return consequences
    }

    /// Checks that no other room or zone has a name.
    func checkRoomOrZoneName(
        named name: ObjectName,
        exceptRoom room: ObjectID<Room>? = nil,
        exceptZone zone: ObjectID<Zone>? = nil
    ) throws(HomeError) {
        if name.key == ObjectName.entireHome.key {
            throw .duplicateName(name, "the room for the entire home", at: path(name))
        }
        try checkIsUnused(name, in: rooms, "a room", except: room)
        try checkIsUnused(name, in: zones, "a zone", except: zone)
    }

    /// Checks that a room is in the home; the room for the entire home always is.
    func checkRoom(_ id: ObjectID<Room>) throws(HomeError) {
        guard id != .entireHome else { return }
        _ = try roomIndex(id)
    }

    private func roomIndex(_ id: ObjectID<Room>) throws(HomeError) -> Int {
        guard id != .entireHome else { throw .entireHomeRoomFixed(at: path(.entireHome)) }
        return try index(of: id, in: rooms, "room")
    }
}
