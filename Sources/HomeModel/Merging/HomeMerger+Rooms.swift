internal import Documents

extension HomeMerger {
    /// Takes away what the file does not name.
    mutating func removeTheRest() {
        let rooms = Set(document.rooms.map(\.value.key))
        for room in home.rooms where !rooms.contains(room.name.key) {
            consequences += (try? home.removeRoom(room.id)) ?? []
        }
        let zones = Set(document.zones.map(\.name.value.key))
        home.zones.removeAll { !zones.contains($0.name.key) }
        let kept = Set(placed.compactMap(\.self))
        for accessory in home.accessories where !kept.contains(accessory.id) && accessory.bridge == nil {
            // What is behind a bridge goes with it alone.
            guard !home.accessories.contains(where: { $0.bridge == accessory.id && kept.contains($0.id) }) else {
                continue
            }
            consequences += (try? home.removeAccessory(accessory.id)) ?? []
        }
        let groups = Set(document.groups.map(\.name.value.key))
        home.serviceGroups.removeAll { !groups.contains($0.name.key) }
        let automations = Set(document.automations.map(\.name.value.key))
        home.automations.removeAll { !automations.contains($0.name.key) }
        let kinds = Set(home.scenes.map(\.kind))
        // One of a built-in kind is the home's of that kind, and no other that is called so.
        let scenes = Set(
            document.scenes.lazy.filter { !$0.content.kind.isBuiltIn || !kinds.contains($0.content.kind) }
                .map(\.name.value.key)
        )
        for scene in home.scenes where !scenes.contains(scene.name.key) && !scene.kind.isBuiltIn {
            consequences += (try? home.removeScene(scene.id)) ?? []
        }
        let users = Set(document.users.map(\.name.value.key))
        let gone = home.users.filter { !users.contains($0.name.key) }.map(\.id)
        home.users.removeAll { gone.contains($0.id) }
        consequences += home.forget(RemovedObjects(users: Set(gone)), names: [:])
    }

    mutating func mergeRooms() {
        var keys: Set<String> = []
        for room in document.rooms where isFirst(room, "room", among: &keys) {
            if let index = home.rooms.firstIndex(where: { $0.name.key == room.value.key }) {
                home.rooms[index].name = room.value
            } else {
                home.rooms.append(Room(id: ObjectID(number()), name: room.value))
            }
        }
        var zones: Set<String> = []
        let rooms = Dictionary(home.rooms.map { ($0.name.key, $0.id) }) { first, _ in first }
        for zone in document.zones where isFirst(zone.name, "zone", among: &zones) {
            var ids: [ObjectID<Room>] = []
            var seen: Set<ObjectID<Room>> = []
            for name in zone.content {
                guard let id = room(name, among: rooms) else { continue }
                if id == .entireHome {
                    report(name.location, .entireHomeRoomInZone(at: place(zone.name.value)))
                } else if !seen.insert(id).inserted {
                    report(name.location, .roomTwice(name.value, at: place(zone.name.value)))
                } else {
                    ids.append(id)
                }
            }
            if let index = home.zones.firstIndex(where: { $0.name.key == zone.name.value.key }) {
                home.zones[index].name = zone.name.value
                home.zones[index].rooms = ids
            } else {
                home.zones.append(Zone(id: ObjectID(number()), name: zone.name.value, rooms: ids))
            }
        }
    }

    /// The room with a name; notes that there is none.
    mutating func room(_ name: Located<String>, among rooms: [String: ObjectID<Room>]) -> ObjectID<Room>? {
        let key = MergeDirectory.key(of: name.value)
        if key == ObjectName.entireHome.key { return .entireHome }
        if let id = rooms[key] { return id }
        report(name.location, unknown("room", name.value, among: home.rooms.lazy.map(\.name.text)))
        return nil
    }

    mutating func mergeUsers() {
        var keys: Set<String> = []
        for user in document.users where isFirst(user.name, "user", among: &keys) {
            if let index = home.users.firstIndex(where: { $0.name.key == user.name.value.key }) {
                home.users[index].name = user.name.value
                home.users[index].role = user.content.role
                home.users[index].isRemote = user.content.isRemote
            } else {
                home.users.append(
                    HomeUser(
                        id: ObjectID(number()),
                        name: user.name.value,
                        role: user.content.role,
                        isRemote: user.content.isRemote
                    )
                )
            }
        }
        guard let owner = document.users.first(where: { $0.content.role == .owner }) else { return }
        // With a new owner the one before becomes an administrator, unless the file itself names two.
        for index in home.users.indices
        where home.users[index].role == .owner && home.users[index].name.key != owner.name.value.key {
            guard !keys.contains(home.users[index].name.key) else { continue }
            home.users[index].role = .administrator
        }
    }
}
