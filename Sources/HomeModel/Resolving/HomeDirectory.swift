internal import AccessoryModel

/// What the names of a home stand for.
struct HomeDirectory {
    /// What a name is that of.
    enum Kind: String, CaseIterable {
        case home, room, zone, group, scene, accessory, service
    }

    /// Something with a name.
    struct Entry {
        let kind: Kind
        let name: ObjectName
        /// The services that it is or has; none for a scene.
        let services: Set<ObjectID<HomeService>>
        let scene: ObjectID<HomeScene>?

        /// What it is and what it is called, for people who must choose.
        var text: String { "\(kind.rawValue) \(name)" }
    }

    /// The home.
    let home: ObjectID<Home>
    /// What the shown services are, in the home's order.
    let services: [HomeService]
    private let entries: [String: [Entry]]

    init(_ home: Home) {
        self.home = home.id
        let shown = home.shownServices
        services = shown.map(\.service)
        var list: [Entry] = []
        func add(_ kind: Kind, _ name: ObjectName, _ services: some Sequence<ObjectID<HomeService>>) {
            list.append(Entry(kind: kind, name: name, services: Set(services), scene: nil))
        }
        add(.home, home.name, services.map(\.id))
        let rooms = Dictionary(grouping: shown, by: \.room).mapValues { $0.map(\.service.id) }
        for room in [Room.entireHome] + home.rooms {
            add(.room, room.name, rooms[room.id] ?? [])
        }
        for zone in home.zones {
            add(.zone, zone.name, zone.rooms.flatMap { rooms[$0] ?? [] })
        }
        for group in home.serviceGroups {
            add(.group, group.name, group.services)
        }
        for accessory in home.accessories {
            add(.accessory, accessory.name, accessory.services.filter(\.isShown).map(\.id))
        }
        for service in services {
            add(.service, service.name, [service.id])
        }
        for scene in home.scenes {
            list.append(Entry(kind: .scene, name: scene.name, services: [], scene: scene.id))
        }
        entries = Dictionary(grouping: list, by: \.name.key)
    }

    /// What some words are the name of; with what it is before it, such as "room garage", only that.
    func entries(named words: ArraySlice<String>) -> [Entry] {
        let all = entries[words.joined()] ?? []
        guard all.isEmpty, words.count > 1, let kind = words.first.flatMap(Kind.init(rawValue:)) else { return all }
        return (entries[words.dropFirst().joined()] ?? []).filter { $0.kind == kind }
    }

    /// Every name, for finding what somebody may have meant.
    var names: [String] {
        entries.values.flatMap { $0.map(\.name.text) }.sorted()
    }
}
