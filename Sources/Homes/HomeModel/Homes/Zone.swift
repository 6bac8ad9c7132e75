/// An area of several rooms, such as "upstairs".
public struct Zone: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<Zone>
    /// The name, unique among the rooms and zones.
    public var name: ObjectName
    /// The rooms, without duplicates and without the room for the entire home; a room may be in several zones.
    public var rooms: [ObjectID<Room>] = []
}

extension Zone: Codable {}
