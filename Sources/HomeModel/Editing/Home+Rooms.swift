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
        let room = rooms.remove(at: try roomIndex(id))
        var consequences: [EditEffect] = []
        for index in accessories.indices {
            if accessories[index].room == id {
                accessories[index].room = .entireHome
                consequences.append(.accessoryMoved(accessories[index].name, to: .entireHome))
            }
            for service in accessories[index].services.indices where accessories[index].services[service].room == id {
                accessories[index].services[service].room = nil
                let home = self.room(accessories[index].room)?.name ?? .entireHome
                consequences.append(.serviceMoved(accessories[index].services[service].name, to: home))
            }
        }
        for index in zones.indices where zones[index].rooms.contains(id) {
            zones[index].rooms.removeAll { $0 == id }
            consequences.append(.zoneLostRoom(zones[index].name, room: room.name))
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
