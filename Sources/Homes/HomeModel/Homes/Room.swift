/// A room of a home; it has only a name.
public struct Room: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<Room>
    /// The name, unique among the rooms and zones.
    public var name: ObjectName

    /// The room that every home has, for everything that is in no other room.
    public static let entireHome = Room(id: .entireHome, name: .entireHome)
}

extension Room: Codable {}
