extension Home {
    /// Adds a zone.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that a room or zone has, and rooms that are listed twice, do not exist or are
    /// the one for the entire home.
    ///
    /// - Throws: ``HomeError`` if no id is left.
    public mutating func addZone(
        named name: ObjectName,
        rooms: [ObjectID<Room>] = []
    ) throws(HomeError) -> ObjectID<Zone> {
        let zone = Zone(id: ObjectID(try nextNumber()), name: name, rooms: rooms)
        zones.append(zone)
        return zone.id
    }

    /// Renames a zone.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist.
    public mutating func renameZone(_ id: ObjectID<Zone>, to name: ObjectName) throws(HomeError) {
        try rename(id, in: \.zones, to: name)
    }

    /// Removes a zone, but not its rooms.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist.
    public mutating func removeZone(_ id: ObjectID<Zone>) throws(HomeError) {
        try remove(id, from: \.zones)
    }

    /// Adds a room to a zone.
    ///
    /// ``Homes/edit(_:_:)`` refuses a room that does not exist, is already in the zone or is the one for the entire home.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist.
    public mutating func addRoom(_ room: ObjectID<Room>, to zone: ObjectID<Zone>) throws(HomeError) {
        let index = try index(of: zone, in: zones)
        zones[index].rooms.append(room)
    }

    /// Removes a room from a zone.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist or does not contain the room.
    public mutating func removeRoom(_ room: ObjectID<Room>, from zone: ObjectID<Zone>) throws(HomeError) {
        let index = try index(of: zone, in: zones)
        let zone = zones[index]
        zones[index].rooms.remove(at: try position(of: room, in: zone.rooms, at: path(zone.name)))
    }
}
