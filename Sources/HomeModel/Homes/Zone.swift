/// An area of several rooms, such as "upstairs".
public struct Zone: NamedObject, Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<Zone>
    /// What people call it; unique among the rooms and zones.
    public var name: ObjectName
    /// Its rooms, each once, never the one for the entire home; a room may be in several zones.
    public var rooms: [ObjectID<Room>] = []
}

extension Zone: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, rooms
    }
}
