package import AccessoryModel
internal import HAPCore
package import HomeModel

extension Home {
    /// Adds all accessories of a server that are not in the home yet.
    ///
    /// Bridged accessories are added after their bridge.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - placement: Returns the name and the rooms of an accessory.
    /// - Returns: The added accessories, in the server's order.
    /// - Throws: `HomeError`. In this case the home is unchanged.
    @discardableResult
    package mutating func addAccessories(
        of server: BackendServer,
        placed placement: (RemoteAccessory) -> AccessoryPlacement = { _ in AccessoryPlacement() }
    ) throws(HomeError) -> [ObjectID<HomeAccessory>] {
        try importServer(server, placed: placement).added
    }

    /// Imports the accessories of a server.
    ///
    /// New accessories are added to the home. Placeholders from a home file are resolved by the name of the accessory.
    /// Known accessories are updated to their current structure.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - placement: Returns the name and the rooms of an accessory that is new or resolves a placeholder. The name
    ///     also selects the placeholder.
    /// - Throws: `HomeError`. In this case the home is unchanged.
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
        // New accessories are added last, because they may use names that the updates above have freed.
        for (announced, reference, placement) in new {
            takeover.added.append(try changed.addAccessory(announced, at: reference, placed: placement))
        }
        takeover.changed = known.filter { changed.accessory($0.id) != $0 }.map(\.id)
        self = changed
        return takeover
    }

    /// Returns the accessory of the home that corresponds to an accessory of a server.
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

    /// Updates an accessory to its current structure, and moves a resolved placeholder to the room of its placement.
    ///
    /// The services are not renamed here.
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
        return consequences
    }
}

/// The changes of a home by the import of a server.
package struct ServerImport: Sendable, Hashable {
    /// The accessories that were added to the home, in the server's order.
    package var added: [ObjectID<HomeAccessory>] = []
    /// The accessories that were changed: resolved placeholders, and accessories with a different structure.
    package var changed: [ObjectID<HomeAccessory>] = []
    /// The other effects.
    package var effects: [EditEffect] = []

    /// Whether the home is unchanged.
    package var isEmpty: Bool {
        added.isEmpty && changed.isEmpty
    }
}

extension KnownAccessory {
    /// Returns the accessories of servers with the names that files use for them.
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
