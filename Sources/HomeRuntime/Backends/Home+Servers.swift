package import AccessoryModel
internal import HAPCore
package import HomeModel

extension Home {
    /// Brings every accessory of a server into the home that is not there yet, those behind a bridge after it.
    ///
    /// - Parameter placement: Decides the name and the rooms of each.
    /// - Returns: What was brought in, in the server's order.
    /// - Throws: `HomeError`; the home stays as it was.
    @discardableResult
    package mutating func addAccessories(
        of server: BackendServer,
        placed placement: (RemoteAccessory) -> AccessoryPlacement = { _ in AccessoryPlacement() }
    ) throws(HomeError) -> [ObjectID<HomeAccessory>] {
        try importServer(server, placed: placement).added
    }

    /// Takes over what a server has: accessories that are not there yet come into the home, those that a file has named
    /// are found, by what they are called, and those that are there become what they are now.
    ///
    /// - Parameter placement: Decides the name and the rooms of what is new or found; the name also tells which one of
    ///   those that are not found it is.
    /// - Throws: `HomeError`; the home stays as it was.
    package mutating func importServer(
        _ server: BackendServer,
        placed placement: (RemoteAccessory) -> AccessoryPlacement = { _ in AccessoryPlacement() }
    ) throws(HomeError) -> ServerImport {
        var changed = self
        var takeover = ServerImport()
        var known: [HomeAccessory] = []
        var names: [ObjectID<HomeService>: ObjectName] = [:]
        var new: [(RemoteAccessory, AccessoryReference, AccessoryPlacement)] = []
        for accessory in server.accessories {
            let reference = AccessoryReference(server: server.id, aid: accessory.aid)
            var placement = placement(accessory)
            if let bridge = server.bridge, accessory.aid != bridge.aid {
                placement.bridge =
                    changed.accessory(at: AccessoryReference(server: server.id, aid: bridge.aid))?.id
            }
            guard let before = changed.existingAccessory(accessory, of: server, at: reference, placement) else {
                if accessory.aid == server.bridge?.aid {
                    takeover.added.append(
                        try changed.addAccessory(accessory, at: reference, placed: placement)
                    )
                } else {
                    new.append((accessory, reference, placement))
                }
                continue
            }
            known.append(before)
            takeover.effects += try changed.update(before, to: accessory, at: reference, placement)
            if before.isPlaceholder, let found = changed.accessory(before.id) {
                names.merge(placement.serviceNames(of: found)) { $1 }
            }
        }
        try changed.renameServices(names)
        // What is new may have the names that were given up.
        for (announced, reference, placement) in new {
            takeover.added.append(try changed.addAccessory(announced, at: reference, placed: placement))
        }
        takeover.changed = known.filter { changed.accessory($0.id) != $0 }.map(\.id)
        self = changed
        return takeover
    }

    /// The accessory of the home that one of a server is.
    private func existingAccessory(
        _ accessory: RemoteAccessory,
        of server: BackendServer,
        at reference: AccessoryReference,
        _ placement: AccessoryPlacement
    ) -> HomeAccessory? {
        if let known = self.accessory(at: reference) { return known }
        let isFirst = accessory.aid == server.accessories.first?.aid
        let announced = [accessory.name, isFirst ? server.alias : nil]
        let names = placement.name.map { [$0.text] } ?? announced
        let missing = accessories.filter { $0.reference == nil }
        for name in names {
            guard let key = name.flatMap(ObjectName.init(cleaning:))?.key else { continue }
            if let found = missing.first(where: { $0.name.key == key }) { return found }
        }
        return nil
    }

    /// Takes over what an accessory has become, and where a placement puts one that is found; gives no service its name.
    private mutating func update(
        _ known: HomeAccessory,
        to announced: RemoteAccessory,
        at reference: AccessoryReference,
        _ placement: AccessoryPlacement
    ) throws(HomeError) -> [EditEffect] {
        guard known.isPlaceholder else { return try updateAccessory(known.id, to: announced) }
        let consequences = try resolvePlaceholder(known.id, at: reference, as: announced, behind: placement.bridge)
        if placement.room != .entireHome {
            try moveAccessory(known.id, to: placement.room)
        }
        // The services stand in the order in which they are announced.
        let services = accessory(known.id)?.services.map(\.id) ?? []
        for (index, decision) in placement.services.sorted(by: { $0.key < $1.key }) where index < services.count {
            guard let room = decision.room else { continue }
            try moveService(services[index], to: room)
        }
        return consequences
    }
}

/// What has come of taking over what a server has into a home.
package struct ServerImport: Sendable, Hashable {
    /// The accessories that are new in the home, in the server's order.
    package var added: [ObjectID<HomeAccessory>] = []
    /// Those that were in it and are something else now: found, or with other services.
    package var changed: [ObjectID<HomeAccessory>] = []
    /// What else is different.
    package var effects: [EditEffect] = []

    /// Whether the home is as it was.
    package var isEmpty: Bool {
        added.isEmpty && changed.isEmpty
    }
}

extension KnownAccessory {
    /// The accessories of servers, by the names under which files speak of them.
    package static func all(of servers: [BackendServer]) -> [KnownAccessory] {
        servers.flatMap { server in
            server.accessories.enumerated()
                .map { index, accessory in
                    KnownAccessory(
                        name: index == 0
                            ? server.alias : accessory.name ?? "\(server.alias) \(accessory.aid)",
                        bridge: index == 0 ? nil : server.alias,
                        reference: AccessoryReference(server: server.id, aid: accessory.aid),
                        announced: accessory
                    )
                }
        }
    }
}
