internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Storage

/// Reads what ``KeptWriter`` has written; everything else is damage.
struct KeptReader {
    /// What is thrown.
    let damage: DamagedRow

    init(_ damage: DamagedRow) {
        self.damage = damage
    }

    /// Reads a home, with who is there.
    func home(
        _ text: [UInt8],
        id: ObjectID<Home>,
        present: [ObjectID<HomeUser>: Bool]
    ) throws(DamagedRow) -> Home {
        let home = try parse(text)
        let users = try list(home["users"]) { value throws(DamagedRow) in
            let user = try object(value)
            let id: ObjectID<HomeUser> = try self.id(user["id"])
            guard let role = UserRole(rawValue: try self.text(user["role"])) else { throw damage }
            return HomeUser(
                id: id,
                name: try name(user["name"]),
                role: role,
                isRemote: try flag(user["remote"]),
                isHome: present[id]
            )
        }
        return Home(
            id: id,
            name: try name(home["name"]),
            rooms: try list(home["rooms"]) { value throws(DamagedRow) in
                let room = try object(value)
                return Room(id: try self.id(room["id"]), name: try name(room["name"]))
            },
            zones: try list(home["zones"]) { value throws(DamagedRow) in
                let zone = try object(value)
                return Zone(
                    id: try self.id(zone["id"]),
                    name: try name(zone["name"]),
                    rooms: try list(zone["rooms"]) { value throws(DamagedRow) in try self.id(value) }
                )
            },
            accessories: try list(home["accessories"]) { value throws(DamagedRow) in try accessory(value) },
            serviceGroups: try list(home["groups"]) { value throws(DamagedRow) in
                let group = try object(value)
                return ServiceGroup(
                    id: try self.id(group["id"]),
                    name: try name(group["name"]),
                    services: try list(group["services"]) { value throws(DamagedRow) in try self.id(value) }
                )
            },
            scenes: try list(home["scenes"]) { value throws(DamagedRow) in
                let scene = try object(value)
                guard let kind = SceneKind(rawValue: try self.text(scene["kind"])) else { throw damage }
                return HomeScene(
                    id: try self.id(scene["id"]),
                    name: try name(scene["name"]),
                    kind: kind,
                    actions: try actions(scene["actions"])
                )
            },
            automations: try list(home["automations"]) { value throws(DamagedRow) in try automation(value) },
            users: users,
            place: try place(home["place"]),
            timeZone: try optional(home["timeZone"], self.text),
            nextID: try unsigned(home["next"])
        )
    }

    /// Reads what an engine remembers.
    func memory(_ text: [UInt8]) throws(DamagedRow) -> EngineMemory {
        let memory = try parse(text)
        let ends = try list(memory["ends"]) { value throws(DamagedRow) in
            let end = try object(value)
            let id: ObjectID<Automation> = try self.id(end["automation"])
            let until = try end["until"].map { value throws(DamagedRow) in try instant(value) }
            return (
                id,
                PendingEnd(
                    start: try instant(end["start"]),
                    phase: until.map { .until($0) } ?? .characteristic,
                    before: try actions(end["before"])
                )
            )
        }
        let presence = try list(memory["presence"]) { value throws(DamagedRow) in
            let user = try object(value)
            guard let isHome = user["home"]?.bool else { throw damage }
            let id: ObjectID<HomeUser> = try self.id(user["user"])
            return (id, isHome)
        }
        // What was kept before intervals were has none.
        let since = try list(memory["since"]) { value throws(DamagedRow) in
            let since = try object(value)
            let id: ObjectID<Automation> = try self.id(since["automation"])
            return (id, try instant(since["instant"]))
        }
        return EngineMemory(
            ends: Dictionary(ends) { first, _ in first },
            presence: Dictionary(presence) { first, _ in first },
            since: Dictionary(since) { first, _ in first },
            instant: try memory["instant"].map { value throws(DamagedRow) in try instant(value) }
        )
    }

    // MARK: Accessories

    private func accessory(_ value: JSONValue) throws(DamagedRow) -> HomeAccessory {
        let accessory = try object(value)
        var reference: AccessoryReference?
        if let server = accessory["server"] {
            guard let server = DeviceID(try text(server)), let aid = AccessoryID(try unsigned(accessory["aid"])) else {
                throw damage
            }
            reference = AccessoryReference(server: server, aid: aid)
        }
        var category: AccessoryCategory?
        if let number = accessory["category"] {
            guard let raw = UInt8(exactly: try unsigned(number)) else { throw damage }
            category = AccessoryCategory(raw)
        }
        var bridge: ObjectID<HomeAccessory>?
        if let number = accessory["bridge"] { bridge = try id(number) }
        let alias = try optional(accessory["alias"], text)
        guard alias?.utf8.count ?? 0 <= HomeAccessory.maximumAliasLength else { throw damage }
        return HomeAccessory(
            id: try id(accessory["id"]),
            name: try name(accessory["name"]),
            alias: alias,
            room: try id(accessory["room"]),
            reference: reference,
            category: category,
            bridge: bridge,
            services: try list(accessory["services"]) { value throws(DamagedRow) in try service(value) }
        )
    }

    private func service(_ value: JSONValue) throws(DamagedRow) -> HomeService {
        let service = try object(value)
        var associated: ServiceType?
        if let type = service["as"] { associated = ServiceType(try uuid(type)) }
        var room: ObjectID<Room>?
        if let number = service["room"] { room = try id(number) }
        return HomeService(
            id: try id(service["id"]),
            name: try name(service["name"]),
            type: ServiceType(try uuid(service["type"])),
            iid: try instance(service["iid"]),
            associatedType: associated,
            room: room,
            isPrimary: try flag(service["primary"]),
            isHidden: try flag(service["hidden"]),
            linked: try list(service["linked"]) { value throws(DamagedRow) in
                guard let iid = InstanceID(try unsigned(value)) else { throw damage }
                return iid
            },
            characteristics: try list(service["characteristics"]) { value throws(DamagedRow) in
                try characteristic(value)
            }
        )
    }

    private func characteristic(_ value: JSONValue) throws(DamagedRow) -> HomeCharacteristic {
        let characteristic = try object(value)
        guard let format = CharacteristicFormat(rawValue: try text(characteristic["format"])) else { throw damage }
        var metadata = CharacteristicMetadata(format: format)
        if let unit = characteristic["unit"] {
            guard let unit = CharacteristicUnit(rawValue: try text(unit)) else { throw damage }
            metadata.unit = unit
        }
        metadata.minimum = try optional(characteristic["minimum"], number)
        metadata.maximum = try optional(characteristic["maximum"], number)
        metadata.step = try optional(characteristic["step"], number)
        metadata.minimumLength = try optional(characteristic["minimumLength"], length)
        metadata.maximumLength = try optional(characteristic["maximumLength"], length)
        metadata.maximumDataLength = try optional(characteristic["maximumDataLength"], length)
        metadata.validValues = try list(characteristic["validValues"]) { value throws(DamagedRow) in
            try number(value)
        }
        var permissions: CharacteristicPermissions = []
        for name in try list(characteristic["permissions"], { value throws(DamagedRow) in try text(value) }) {
            guard let permission = CharacteristicPermissions(name: name) else { throw damage }
            permissions.formUnion(permission)
        }
        return HomeCharacteristic(
            iid: try instance(characteristic["iid"]),
            type: CharacteristicType(try uuid(characteristic["type"])),
            permissions: permissions,
            metadata: metadata,
            description: try optional(characteristic["description"], text)
        )
    }

    // MARK: Parts

    private func parse(_ text: [UInt8]) throws(DamagedRow) -> JSONObject {
        let limits = JSONLimits(maximumDepth: 64, maximumValues: 20_000_000)
        guard let value = try? JSONValue(parsing: text, limits: limits) else { throw damage }
        return try object(value)
    }

    func object(_ value: JSONValue?) throws(DamagedRow) -> JSONObject {
        guard let object = value?.object else { throw damage }
        return object
    }

    func list<Element>(
        _ value: JSONValue?,
        _ read: (JSONValue) throws(DamagedRow) -> Element
    ) throws(DamagedRow) -> [Element] {
        guard let value else { return [] }
        guard let elements = value.array else { throw damage }
        var list: [Element] = []
        list.reserveCapacity(elements.count)
        for element in elements {
            list.append(try read(element))
        }
        return list
    }

    /// What is left out is `nil`; what is there has to be what is expected.
    private func optional<Value>(
        _ value: JSONValue?,
        _ read: (JSONValue?) throws(DamagedRow) -> Value
    ) throws(DamagedRow) -> Value? {
        guard let value else { return nil }
        return try read(value)
    }

    /// A flag; one that is left out is not set.
    func flag(_ value: JSONValue?) throws(DamagedRow) -> Bool {
        guard let value else { return false }
        guard let flag = value.bool else { throw damage }
        return flag
    }

    func number(_ value: JSONValue?) throws(DamagedRow) -> JSONNumber {
        guard let number = value?.number else { throw damage }
        return number
    }

    private func length(_ value: JSONValue?) throws(DamagedRow) -> Int {
        guard let length = try number(value).integer(as: Int.self) else { throw damage }
        return length
    }

    func id<Object>(_ value: JSONValue?) throws(DamagedRow) -> ObjectID<Object> {
        ObjectID(try unsigned(value))
    }

    func unsigned(_ value: JSONValue?) throws(DamagedRow) -> UInt64 {
        guard let number = value?.unsigned else { throw damage }
        return number
    }

    func integer(_ value: JSONValue?) throws(DamagedRow) -> Int64 {
        guard let number = value?.number?.integer(as: Int64.self) else { throw damage }
        return number
    }

    func text(_ value: JSONValue?) throws(DamagedRow) -> String {
        guard let text = value?.string else { throw damage }
        return text
    }

    func name(_ value: JSONValue?) throws(DamagedRow) -> ObjectName {
        guard let name = try? ObjectName(text(value)) else { throw damage }
        return name
    }

    func uuid(_ value: JSONValue?) throws(DamagedRow) -> HAPUUID {
        guard let uuid = HAPUUID(try text(value)) else { throw damage }
        return uuid
    }

    func instant(_ value: JSONValue?) throws(DamagedRow) -> WallInstant {
        WallInstant(nanoseconds: try integer(value))
    }

    private func instance(_ value: JSONValue?) throws(DamagedRow) -> InstanceID? {
        guard let value else { return nil }
        guard let iid = InstanceID(try unsigned(value)) else { throw damage }
        return iid
    }

    private func place(_ value: JSONValue?) throws(DamagedRow) -> GeographicPlace? {
        guard let value else { return nil }
        guard let degrees = value.array, degrees.count == 2, let latitude = degrees[0].number,
            let longitude = degrees[1].number,
            let place = GeographicPlace(latitude: latitude.double, longitude: longitude.double)
        else { throw damage }
        return place
    }
}
