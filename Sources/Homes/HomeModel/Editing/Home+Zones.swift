extension Home {
    /// Adds a zone.
    ///
    /// - Throws: ``HomeError`` if a room or zone has the name, or if a limit is exceeded. It also throws if a room does
    ///   not exist, is listed twice or is the one for the entire home.
    public mutating func addZone(
        named name: ObjectName,
        rooms: [ObjectID<Room>] = []
    ) throws(HomeError) -> ObjectID<Zone> {
        try checkRoomOrZoneName(named: name)
        try checkCount(zones.count + 1, "zones", limit: HomeLimits.zones)
        var zone = Zone(id: ObjectID(nextID), name: name)
        for room in rooms {
            try add(room, to: &zone)
        }
        _ = try nextNumber()
        zones.append(zone)
        return zone.id
    }

    /// Renames a zone.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist or the name is taken.
    public mutating func renameZone(_ id: ObjectID<Zone>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: zones, "zone")
        try checkRoomOrZoneName(named: name, exceptZone: id)
        zones[index].name = name
    }

    /// Removes a zone, but not its rooms.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist.
    public mutating func removeZone(_ id: ObjectID<Zone>) throws(HomeError) {
        zones.remove(at: try index(of: id, in: zones, "zone"))
    }

    /// Adds a room to a zone.
    ///
    /// - Throws: ``HomeError`` if the zone or the room does not exist, the room is the one for the entire home, or the
    ///   room is already in the zone.
    public mutating func addRoom(_ room: ObjectID<Room>, to zone: ObjectID<Zone>) throws(HomeError) {
        let index = try index(of: zone, in: zones, "zone")
        try add(room, to: &zones[index])
    }

    /// Removes a room from a zone.
    ///
    /// - Throws: ``HomeError`` if the zone does not exist or does not contain the room.
    public mutating func removeRoom(_ room: ObjectID<Room>, from zone: ObjectID<Zone>) throws(HomeError) {
        let index = try index(of: zone, in: zones, "zone")
        let zone = zones[index]
        zones[index].rooms.remove(at: try position(of: room, in: zone.rooms, "room", path(zone.name)))
    }

    private func add(_ room: ObjectID<Room>, to zone: inout Zone) throws(HomeError) {
        guard room != .entireHome else { throw .entireHomeRoomInZone(at: path(zone.name)) }
        guard let known = self.room(room) else { throw .unknown("room", "\(room)", at: path(zone.name)) }
        guard !zone.rooms.contains(room) else { throw .roomTwice(known.name.text, at: path(zone.name)) }
        let others = zones.lazy.filter { [id = zone.id] in $0.id != id }.map(\.rooms.count).reduce(0, +)
        try checkCount(others + zone.rooms.count + 1, "rooms of zones", limit: HomeLimits.zoneRooms)
        zone.rooms.append(room)
    }
}
