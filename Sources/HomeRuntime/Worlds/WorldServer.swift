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
