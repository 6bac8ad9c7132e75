internal import AccessoryModel
public import HAPCore

/// A device that a home has paired, or that a file names and nobody has found yet.
public struct HomeAccessory: NamedObject, Sendable, Hashable {
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
    public var room: ObjectID<Room> = .entireHome
    /// Where it is on the network; `nil` as long as it is not found.
    public var reference: AccessoryReference?
    /// What kind of thing it is.
    public var category: AccessoryCategory?
    /// The bridge that it is behind; with that it comes and goes.
    public var bridge: ObjectID<HomeAccessory>?
    /// Its functions, in its order.
    public var services: [HomeService] = []

    /// The most bytes of an alias.
    public static let maximumAliasLength = 1_024
}

extension HomeAccessory {
    /// Whether it is made of what an accessory announces already.
    func hasSameStructure(as announced: RemoteAccessory) -> Bool {
        services.count == announced.services.count
            && zip(services, announced.services).allSatisfy { $0 == $0.updated(to: $1) }
    }
}

extension HomeAccessory: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, alias, room, reference, category, bridge, services
    }
}
