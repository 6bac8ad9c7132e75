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
        let members: Members

        /// The scene that it is.
        var scene: ObjectID<HomeScene>? {
            if case .scene(let id) = members { id } else { nil }
        }

        /// What it is and what it is called, for people who must choose.
        var text: String { "\(kind.rawValue) \(name)" }
    }

    /// What a name stands for.
    enum Members {
        /// Every service of the home.
        case all
        /// The services of rooms.
        case rooms([ObjectID<Room>])
        /// Services, also such as people do not see.
        case services([ObjectID<HomeService>])
        /// A scene.
        case scene(ObjectID<HomeScene>)
    }

    /// The home.
    let home: ObjectID<Home>
    /// What the shown services are, in the home's order.
    let services: [HomeService]
    private let rooms: [ObjectID<Room>: [ObjectID<HomeService>]]
    private let entries: [String: [Entry]]

    init(_ home: Home) {
        self.home = home.id
        let shown = home.visibleServices
        services = shown.map(\.service)
        rooms = Dictionary(grouping: shown, by: \.room).mapValues { $0.map(\.service.id) }
        var list = [Entry(kind: .home, name: home.name, members: .all)]
        list += ([.entireHome] + home.rooms).map { Entry(kind: .room, name: $0.name, members: .rooms([$0.id])) }
        list += home.zones.map { Entry(kind: .zone, name: $0.name, members: .rooms($0.rooms)) }
        list += home.serviceGroups.map { Entry(kind: .group, name: $0.name, members: .services($0.services)) }
        list += home.accessories.map {
            Entry(kind: .accessory, name: $0.name, members: .services($0.services.map(\.id)))
        }
        list += services.map { Entry(kind: .service, name: $0.name, members: .services([$0.id])) }
        list += home.scenes.map { Entry(kind: .scene, name: $0.name, members: .scene($0.id)) }
        entries = Dictionary(grouping: list, by: \.name.key)
    }

    /// What some words are the name of; with what it is before it, such as "room garage", only that.
    func entries(named words: ArraySlice<String>) -> [Entry] {
        let all = entries[words.joined()] ?? []
        guard all.isEmpty, words.count > 1, let kind = words.first.flatMap(Kind.init(rawValue:)) else { return all }
        return (entries[words.dropFirst().joined()] ?? []).filter { $0.kind == kind }
    }

    /// The services that something is or has, none of a scene; `nil` stands for all of the home.
    ///
    /// Made when it is asked for: of all that has a name, a phrase is about a few things.
    func services(of entry: Entry) -> Set<ObjectID<HomeService>>? {
        switch entry.members {
        case .all: nil
        case .rooms(let ids): Set(ids.lazy.flatMap { rooms[$0] ?? [] })
        case .services(let ids): Set(ids)
        case .scene: []
        }
    }

    /// Every name, for finding what somebody may have meant.
    var names: [String] {
        entries.values.flatMap { $0.map(\.name.text) }.sorted()
    }
}
