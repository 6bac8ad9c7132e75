/// A physical room of a home: only a name, no size, no place.
public struct Room: NamedObject, Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<Room>
    /// What people call it; unique among the rooms and zones.
    public var name: ObjectName

    /// The room that every home has and that holds what is in no other.
    public static let entireHome = Room(id: .entireHome, name: .entireHome)
}

extension Room: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name
    }
}
