internal import AccessoryModel
package import HAPCore
package import HomeModel

/// A request to place an accessory and its services in a home.
package struct AccessoryPlacementOptions: Sendable {
    /// The name of the room.
    private let room: String?
    /// The new name of the accessory.
    private let name: String?
    /// The new names of its services: `TYPE=NEW` or `NAME=NEW`.
    private let services: [String]

    /// Creates a request.
    ///
    /// Without a room or a name, an accessory that is already in the home keeps its own.
    package init(room: String? = nil, name: String? = nil, services: [String]) {
        self.room = room
        self.name = name
        self.services = services
    }

    /// Checks the request before the accessory is known.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - paired: The servers that the controller is paired with. Names of accessories of other servers are allowed,
    ///     because one of these accessories may be the one to place.
    package func check(in home: Home, paired: Set<DeviceID>) throws(HomeError) {
        if let room { _ = try home.room(named: room) }
        if let name {
            let name = try ObjectName(name)
            if let other = home.accessories.first(where: { $0.name.key == name.key }), other.isPaired(paired) == true {
                throw .duplicateName(name, "another accessory", at: "\(home.name)/\(name)")
            }
        }
        var chosen: Set<String> = []
        for (_, name) in try serviceNames() {
            let owner = home.accessories.first { $0.services.contains { $0.isVisible && $0.name.key == name.key } }
            let isTaken = owner?.isPaired(paired) == true
            guard !isTaken, chosen.insert(name.key).inserted,
                !home.serviceGroups.contains(where: { $0.name.key == name.key })
            else { throw .duplicateName(name, "a service or a service group", at: "\(home.name)/\(name)") }
        }
    }

    /// Imports a server into a home.
    ///
    /// - Throws: `HomeError`, for example if the server has none of the services that the request names.
    package func addServer(_ server: BackendServer, to home: inout Home) throws(HomeError) -> ServerImport {
        let room = try room.map { name throws(HomeError) in try home.room(named: name).id } ?? .entireHome
        let name = try name.map { text throws(HomeError) in try ObjectName(text) }
        var names = try serviceNames()
        var chosen: [AccessoryID: AccessoryPlacement] = [:]
        var takeover = try home.importServer(server) { accessory in
            var placement = AccessoryPlacement(room: room)
            if accessory.aid == server.accessories.first?.aid {
                placement.name = name
            }
            for (index, service) in accessory.services.enumerated() {
                let keys = [service.ownName, service.type.description].compactMap { $0.map(ObjectName.key) }
                guard let position = names.firstIndex(where: { keys.contains(ObjectName.key(of: $0.service)) }) else {
                    continue
                }
                placement.services[index] = names.remove(at: position).name
            }
            chosen[accessory.aid] = placement
            return placement
        }
        var placed: [(known: HomeAccessory, placement: AccessoryPlacement)] = []
        for accessory in server.accessories {
            let reference = AccessoryReference(server: server.id, aid: accessory.aid)
            guard let known = home.accessory(at: reference), let placement = chosen[accessory.aid] else { continue }
            placed.append((known, placement))
        }
        try applyPlacements(placed, to: &home)
        for (known, _) in placed
        where home.accessory(known.id) != known && !(takeover.added + takeover.changed).contains(known.id) {
            takeover.changed.append(known.id)
        }
        if let left = names.first {
            let known = server.accessories.flatMap(\.services)
                .filter { $0.type != .accessoryInformation && $0.type != .protocolInformation }
                .map { $0.name }
            throw HomeError(
                .unknownObject,
                at: home.name.text,
                "It has no service \"\(left.service)\".",
                remedy: known.isEmpty ? "Leave it out." : "It has \(known.joined(separator: ", "))."
            )
        }
        return takeover
    }

    /// Renames and moves accessories that were already in the home, if the request says so.
    private func applyPlacements(
        _ placed: [(known: HomeAccessory, placement: AccessoryPlacement)],
        to home: inout Home
    ) throws(HomeError) {
        var names: [ObjectID<HomeService>: ObjectName] = [:]
        for (known, placement) in placed {
            if let name = placement.name, name != known.name {
                try home.renameAccessory(known.id, to: name)
            }
            if room != nil, placement.room != known.room {
                try home.moveAccessory(known.id, to: placement.room)
            }
            names.merge(placement.serviceNames(of: known)) { $1 }
        }
        try home.renameServices(names)
    }

    private func serviceNames() throws(HomeError) -> [(service: String, name: ObjectName)] {
        var chosen: [(service: String, name: ObjectName)] = []
        for text in services {
            let parts = text.split(separator: "=")
            guard parts.count == 2 else { continue }
            chosen.append((String(parts[0]), try ObjectName(String(parts[1]))))
        }
        return chosen
    }
}

extension HomeAccessory {
    /// Returns whether a controller that is paired with these servers is paired with the accessory.
    ///
    /// Returns `nil` for a placeholder.
    package func isPaired(_ paired: Set<DeviceID>) -> Bool? {
        isPlaceholder ? nil : reference.map { paired.contains($0.server) }
    }
}
