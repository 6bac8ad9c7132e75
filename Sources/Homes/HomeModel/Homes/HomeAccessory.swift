internal import AccessoryModel
public import HAPCore

/// An accessory of a home, either a paired one or one that a file describes and that was not found yet.
public struct HomeAccessory: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<HomeAccessory>
    /// The name, unique among the accessories.
    public var name: ObjectName
    /// The name of the accessory in a file, if it differs from ``name``: the alias of its pairing, or the name of its
    /// definition.
    ///
    /// It may contain any characters, in at most ``maximumAliasLength`` bytes.
    public var alias: String?
    /// The room of the accessory.
    public var room: ObjectID<Room> = .entireHome
    /// The location on the network, or `nil` if the accessory was not found yet.
    public var reference: AccessoryReference?
    /// The category of the accessory.
    public var category: AccessoryCategory?
    /// The bridge of the accessory, if it is behind one; it is removed together with its bridge.
    public var bridge: ObjectID<HomeAccessory>?
    /// The services, in the accessory's order.
    public var services: [HomeService] = []

    /// The maximum length of an alias in bytes.
    public static let maximumAliasLength = 1_024
}

extension HomeAccessory {
    /// Returns whether the services equal those that an accessory announces.
    func hasSameStructure(as announced: RemoteAccessory) -> Bool {
        services.count == announced.services.count
            && zip(services, announced.services).allSatisfy { $0 == $0.updated(to: $1) }
    }
}

extension HomeAccessory: Codable {}
