extension Home {
    /// Adds a room.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that a room or zone has.
    ///
    /// - Throws: ``HomeError`` if no id is left.
    public mutating func addRoom(named name: ObjectName) throws(HomeError) -> ObjectID<Room> {
        let id = ObjectID<Room>(try nextNumber())
        rooms.append(Room(id: id, name: name))
        return id
    }

    /// Renames a room.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the room does not exist or is the one for the entire home.
    public mutating func renameRoom(_ id: ObjectID<Room>, to name: ObjectName) throws(HomeError) {
        try checkIsNotFixed(id)
        try rename(id, in: \.rooms, to: name)
    }

    /// Removes a room.
    ///
    /// Its accessories move to the room for the entire home. Services of accessories in other rooms move back to the
    /// room of their accessory.
    ///
    /// - Throws: ``HomeError`` if the room does not exist or is the one for the entire home.
    @discardableResult
    public mutating func removeRoom(_ id: ObjectID<Room>) throws(HomeError) -> [EditEffect] {
        try checkIsNotFixed(id)
        _ = try index(of: id, in: rooms)
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

    private func checkIsNotFixed(_ room: ObjectID<Room>) throws(HomeError) {
        guard room == .entireHome else { return }
        let reason = "The room for the entire home cannot be renamed or removed."
        throw HomeError(.entireHomeRoomFixed, at: path(.entireHome), reason)
    }
}
