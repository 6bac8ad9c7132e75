package import HAPCore
package import HomeModel

/// A server that a world has, with what it announces.
package struct WorldServer: Sendable {
    /// One accessory of it.
    package struct Accessory: Sendable, Hashable {
        /// Its number in the server.
        package var aid: AccessoryID
        /// What it says of itself.
        package var announced: AnnouncedAccessory
    }

    /// Who it is.
    package var id: DeviceID
    /// What people call it where it is known: the alias of the pairing, or the key of what is served.
    package var alias: String
    /// The accessories, the bridge first; none when it could not be asked.
    package var accessories: [Accessory]
    /// Why it could not be asked.
    package var failure: String?

    /// The first accessory when others are behind it.
    package var bridge: Accessory? {
        accessories.count > 1 ? accessories.first : nil
    }
}

extension Home {
    /// Brings every accessory of a server into the home that is not there yet, those behind a bridge after it.
    ///
    /// - Parameter placement: Decides the name and the rooms of each.
    /// - Returns: What was brought in, in the server's order.
    /// - Throws: `HomeError`; the home stays as it was.
    @discardableResult
    package mutating func addAccessories(
        of server: WorldServer,
        placed placement: (WorldServer.Accessory) -> AccessoryPlacement = { _ in AccessoryPlacement() }
    ) throws(HomeError) -> [ObjectID<HomeAccessory>] {
        var changed = self
        var added: [ObjectID<HomeAccessory>] = []
        let bridge = server.bridge
        for accessory in server.accessories {
            let reference = AccessoryReference(server: server.id, aid: accessory.aid)
            guard changed.accessory(at: reference) == nil else { continue }
            var placement = placement(accessory)
            if let bridge, accessory.aid != bridge.aid {
                placement.bridge =
                    changed.accessory(at: AccessoryReference(server: server.id, aid: bridge.aid))?.id
            }
            added.append(try changed.addAccessory(accessory.announced, at: reference, placed: placement))
        }
        self = changed
        return added
    }
}
