extension Home {
    /// Adds a zone.
    ///
    /// - Throws: ``HomeError``: a name that a room or zone has, a room that is not in the home, is the one for the entire
    ///   home or is named twice, or too many.
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

    /// Gives a zone another name.
    ///
    /// - Throws: ``HomeError``: no such zone, or a name that is taken.
    public mutating func renameZone(_ id: ObjectID<Zone>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: zones, "zone")
        try checkRoomOrZoneName(named: name, exceptZone: id)
        zones[index].name = name
    }

    /// Removes a zone; its rooms stay.
    ///
    /// - Throws: ``HomeError``: no such zone.
    public mutating func removeZone(_ id: ObjectID<Zone>) throws(HomeError) {
        zones.remove(at: try index(of: id, in: zones, "zone"))
    }

    /// Puts a room into a zone.
    ///
    /// - Throws: ``HomeError``: no such zone or room, the room for the entire home, or a room that is in the zone.
    public mutating func addRoom(_ room: ObjectID<Room>, to zone: ObjectID<Zone>) throws(HomeError) {
        let index = try index(of: zone, in: zones, "zone")
        try add(room, to: &zones[index])
    }

    /// Takes a room out of a zone.
    ///
    /// - Throws: ``HomeError``: no such zone, or a room that is not in it.
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
