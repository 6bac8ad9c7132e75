public import HAPCore

/// A device that a home has paired, or that a file names and nobody has found yet.
public struct HomeAccessory: Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<HomeAccessory>
    /// What people call it; unique among the accessories.
    public var name: ObjectName
    /// What a file calls it that means it, where that is not its name: the alias of its pairing, or the name of its
    /// definition.
    ///
    /// At most ``maximumAliasLength`` bytes of anything.
    public var alias: String?
    /// The room that it is in.
    public var room: ObjectID<Room>
    /// Where it is on the network; `nil` as long as it is not found.
    public var reference: AccessoryReference?
    /// What kind of thing it is.
    public var category: AccessoryCategory?
    /// The bridge that it is behind; with that it comes and goes.
    public var bridge: ObjectID<HomeAccessory>?
    /// Its functions, in its order.
    public var services: [HomeService]

    /// The most bytes of an alias.
    public static let maximumAliasLength = 1_024

    /// Creates an accessory.
    public init(
        id: ObjectID<HomeAccessory>,
        name: ObjectName,
        alias: String? = nil,
        room: ObjectID<Room> = .entireHome,
        reference: AccessoryReference? = nil,
        category: AccessoryCategory? = nil,
        bridge: ObjectID<HomeAccessory>? = nil,
        services: [HomeService] = []
    ) {
        self.id = id
        self.name = name
        self.alias = alias
        self.room = room
        self.reference = reference
        self.category = category
        self.bridge = bridge
        self.services = services
    }
}

extension HomeAccessory: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, alias, room, reference, category, bridge, services
    }
}
