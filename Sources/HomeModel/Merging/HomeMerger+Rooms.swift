internal import Documents

extension HomeMerger {
    /// Takes away what the file does not name.
    mutating func removeTheRest() {
        let rooms = Set(document.rooms.map(\.value.key))
        for room in home.rooms where !rooms.contains(room.name.key) {
            consequences += (try? home.removeRoom(room.id)) ?? []
        }
        remove(from: \.zones, except: document.zones.map(\.name))
        let kept = Set(placed.compactMap(\.self))
        for accessory in home.accessories where !kept.contains(accessory.id) && accessory.bridge == nil {
            // What is behind a bridge goes with it alone.
            guard !home.accessories.contains(where: { $0.bridge == accessory.id && kept.contains($0.id) }) else {
                continue
            }
            consequences += (try? home.removeAccessory(accessory.id)) ?? []
        }
        remove(from: \.serviceGroups, except: document.groups.map(\.name))
        remove(from: \.automations, except: document.automations.map(\.name))
        let kinds = Set(home.scenes.map(\.kind))
        // One of a built-in kind is the home's of that kind, and no other that is called so.
        let scenes = Set(
            document.scenes.lazy.filter { !$0.content.kind.isBuiltIn || !kinds.contains($0.content.kind) }
                .map(\.name.value.key)
        )
        for scene in home.scenes where !scenes.contains(scene.name.key) && !scene.kind.isBuiltIn {
            consequences += (try? home.removeScene(scene.id)) ?? []
        }
        let gone = remove(from: \.users, except: document.users.map(\.name))
        consequences += home.forget(RemovedObjects(users: Set(gone)), names: [:])
    }

    /// Removes the things whose names the file does not have; returns their ids.
    @discardableResult private mutating func remove<Thing: HomeObject>(
        from things: WritableKeyPath<Home, [Thing]>,
        except names: [Located<ObjectName>]
    ) -> [ObjectID<Thing>] {
        let keys = Set(names.map(\.value.key))
        let gone = home[keyPath: things].filter { !keys.contains($0.name.key) }.map(\.id)
        home[keyPath: things].removeAll { !keys.contains($0.name.key) }
        return gone
    }

    mutating func mergeRooms() {
        var (keys, zones): (Set<String>, Set<String>) = ([], [])
        for room in document.rooms where isFirst(room, "room", among: &keys) {
            put(room.value, into: \.rooms, new: Room.init(id:name:))
        }
        let rooms = home.rooms.idsByName
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
            put(zone.name.value, into: \.zones, new: { Zone(id: $0, name: $1) }, change: { $0.rooms = ids })
        }
    }

    /// The room with a name; notes that there is none.
    mutating func room(_ name: Located<String>, among rooms: [String: ObjectID<Room>]) -> ObjectID<Room>? {
        let key = MergeDirectory.key(of: name.value)
        if key == ObjectName.entireHome.key { return .entireHome }
        if let id = rooms[key] { return id }
        report(name.location, unknown("room", name.value, among: home.rooms.nameTexts))
        return nil
    }

    mutating func mergeUsers() {
        var keys: Set<String> = []
        for user in document.users where isFirst(user.name, "user", among: &keys) {
            let new = { (id: ObjectID<HomeUser>, name: ObjectName) in
                HomeUser(id: id, name: name, access: UserAccess(role: .member))
            }
            put(user.name.value, into: \.users, new: new, change: { $0.access = user.content })
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
