internal import AccessoryModel

/// The names of a home and the objects that they refer to.
struct HomeDirectory {
    /// An object with its name.
    struct Entry {
        let kind: HomeObjectKind
        let name: ObjectName
        let members: Members

        /// The id of the scene, or `nil` if the object is not a scene.
        var scene: ObjectID<HomeScene>? {
            if case .scene(let id) = members { id } else { nil }
        }

        /// The kind and the name, for a choice between several objects.
        var text: String { "\(kind.rawValue) \(name)" }
    }

    /// The services or the scene of an object.
    enum Members {
        /// All services of the home.
        case all
        /// The services in rooms.
        case rooms([ObjectID<Room>])
        /// A service.
        case service(ObjectID<HomeService>)
        /// The services of an accessory, which may be hidden.
        case accessory(Int)
        /// The services of a group.
        case group(Int)
        /// A scene.
        case scene(ObjectID<HomeScene>)
    }

    /// The id of the home.
    let home: ObjectID<Home>
    /// The visible services, in the home's order.
    let services: [HomeService]
    /// The users by their names.
    let users: ObjectNames<HomeUser>
    private let source: Home
    /// The visible services with their rooms.
    private let placed: [(service: HomeService, room: ObjectID<Room>)]
    private let entries: [String: [Entry]]

    init(_ home: Home) {
        self.home = home.id
        placed = home.visibleServices
        services = placed.map(\.service)
        users = ObjectNames(home.users)
        source = home
        var list = [Entry(kind: .home, name: home.name, members: .all)]
        list.reserveCapacity(home.rooms.count + home.accessories.count + services.count + 100)
        list += ([.entireHome] + home.rooms).map { Entry(kind: .room, name: $0.name, members: .rooms([$0.id])) }
        list += home.zones.map { Entry(kind: .zone, name: $0.name, members: .rooms($0.rooms)) }
        for (index, group) in home.serviceGroups.enumerated() {
            list.append(Entry(kind: .group, name: group.name, members: .group(index)))
        }
        for (index, accessory) in home.accessories.enumerated() {
            list.append(Entry(kind: .accessory, name: accessory.name, members: .accessory(index)))
        }
        for service in services {
            list.append(Entry(kind: .service, name: service.name, members: .service(service.id)))
        }
        list += home.scenes.map { Entry(kind: .scene, name: $0.name, members: .scene($0.id)) }
        entries = Dictionary(grouping: list, by: \.name.key)
    }

    /// Returns the objects with a name; if the kind precedes the name, as in "room garage", only objects of that kind.
    func entries(named words: ArraySlice<String>, _ table: PhraseWords) -> [Entry] {
        let all = entries[words.joined()] ?? []
        guard all.isEmpty, words.count > 1, let kind = words.first.flatMap({ table.kinds[$0] }) else { return all }
        return (entries[words.dropFirst().joined()] ?? []).filter { $0.kind == kind }
    }

    /// Returns the objects whose names are the singular or the plural of a key.
    func entriesInOtherNumber(of key: String) -> [Entry] {
        SpokenName.otherNumbers(of: key)
            .flatMap { other in
                (entries[other] ?? []).filter { other.count < key.count || SpokenName.isWrittenAsPlural($0.name.text) }
            }
    }

    /// Returns the objects whose names differ from a key by a plural, or by the type at their end.
    ///
    /// "Front door" is the service Front Door Lock, if nothing else has this name. This is a search through all names,
    /// for words that are not known otherwise.
    ///
    /// - Returns: The objects, and whether their name is in the other number; `nil` if there are none.
    func similarEntries(named key: String, _ table: PhraseWords) -> (entries: [Entry], isOtherNumber: Bool)? {
        let others = entriesInOtherNumber(of: key)
        if !others.isEmpty { return (others, true) }
        let found =
            services.filter { service in
                let name = service.name.key
                guard name.hasPrefix(key), name.count > key.count else { return false }
                // Only the shortest type is left out: "front" is not Front Door Lock.
                let shortest = (key.count..<name.count)
                    .last { count in
                        table.types[String(name.dropFirst(count))]?.types.contains(service.effectiveType) == true
                    }
                return shortest == key.count
            }
            .map { Entry(kind: .service, name: $0.name, members: .service($0.id)) }
        return found.isEmpty ? nil : (found, false)
    }

    /// Returns the services of an object: none for a scene, and `nil` for the entire home.
    ///
    /// The services are collected only when needed, because a phrase refers to few objects.
    func services(of entry: Entry) -> Set<ObjectID<HomeService>>? {
        switch entry.members {
        case .all: nil
        case .rooms(let ids): services(in: Set(ids))
        case .service(let id): [id]
        case .accessory(let index): Set(source.accessories[index].services.map(\.id))
        case .group(let index): Set(source.serviceGroups[index].services)
        case .scene: []
        }
    }

    private func services(in rooms: Set<ObjectID<Room>>) -> Set<ObjectID<HomeService>> {
        Set(placed.lazy.filter { rooms.contains($0.room) }.map(\.service.id))
    }

    /// All names, for suggestions.
    var names: [String] {
        entries.values.flatMap { $0.map(\.name.text) }.sorted()
    }
}
