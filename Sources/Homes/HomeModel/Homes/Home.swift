/// A house, an office, or another place with its accessories, rooms, scenes, automations and users.
///
/// Every object in a home belongs to that home only. Edit a home with ``Homes/edit(_:_:)``, which checks all rules at its
/// end: the functions of the home itself check only what can no longer be seen in the edited home.
public struct Home: Sendable, Hashable {
    /// The id, unique among the homes.
    public let id: ObjectID<Home>
    /// The name, unique among the homes.
    public internal(set) var name: ObjectName
    /// The rooms, without the one for the entire home.
    public internal(set) var rooms: [Room] = []
    /// The zones, each of which groups several rooms.
    public internal(set) var zones: [Zone] = []
    /// The accessories.
    public internal(set) var accessories: [HomeAccessory] = []
    /// The groups of services that are controlled together.
    public internal(set) var serviceGroups: [ServiceGroup] = []
    /// The scenes.
    public internal(set) var scenes: [HomeScene] = []
    /// The automations.
    public internal(set) var automations: [Automation] = []
    /// The users, who have access to the home.
    public internal(set) var users: [HomeUser] = []
    /// The place of the home, which determines sunrise and sunset.
    public internal(set) var place: GeographicPlace?
    /// The IANA name of the time zone, such as `Europe/Berlin`; `nil` means the time zone of the machine.
    public internal(set) var timeZone: String?
    /// The number of the next id in the home.
    public internal(set) var nextID: UInt64

    /// Creates an empty home.
    package init(id: ObjectID<Home>, name: ObjectName, timeZone: String? = nil, nextID: UInt64 = 1) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.nextID = nextID
    }

    /// The numbers of all ids, in no particular order; in a valid home each occurs once.
    var numbers: [UInt64] {
        var numbers = rooms.map(\.id.rawValue)
        numbers += zones.lazy.map(\.id.rawValue)
        numbers += accessories.lazy.map(\.id.rawValue)
        numbers += accessories.lazy.flatMap(\.services).map(\.id.rawValue)
        numbers += serviceGroups.lazy.map(\.id.rawValue)
        numbers += scenes.lazy.map(\.id.rawValue)
        numbers += automations.lazy.map(\.id.rawValue)
        numbers += users.lazy.map(\.id.rawValue)
        return numbers
    }

    /// Returns the next number; after the maximum it returns the maximum again, which no edit assigns.
    static func number(after number: UInt64?) -> UInt64 {
        guard let number else { return 1 }
        return number == .max ? number : number + 1
    }
}

extension Home: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, rooms, zones, accessories, scenes, automations, users, place, timeZone
        case serviceGroups = "groups"
        case nextID = "next"
    }
}
