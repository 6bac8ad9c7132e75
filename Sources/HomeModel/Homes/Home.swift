/// A house, an office, any place that means something to people.
///
/// Everything in it belongs to it alone.
public struct Home: Sendable, Hashable {
    /// What tells it from the other homes.
    public let id: ObjectID<Home>
    /// What people call it; unique among the homes.
    public internal(set) var name: ObjectName
    /// Its rooms, without the one for the entire home.
    public internal(set) var rooms: [Room] = []
    /// Its areas of several rooms.
    public internal(set) var zones: [Zone] = []
    /// Its devices.
    public internal(set) var accessories: [HomeAccessory] = []
    /// Its services that are controlled together.
    public internal(set) var serviceGroups: [ServiceGroup] = []
    /// Its scenes.
    public internal(set) var scenes: [HomeScene] = []
    /// What happens in it by itself.
    public internal(set) var automations: [Automation] = []
    /// Who has access.
    public internal(set) var users: [HomeUser] = []
    /// Where it is, for sunrise and sunset.
    public internal(set) var place: GeographicPlace?
    /// The IANA name of its time zone, such as `Europe/Berlin`; `nil` is the machine's.
    public internal(set) var timeZone: String?
    /// The number of the next thing in it.
    public internal(set) var nextID: UInt64

    /// Creates an empty home.
    package init(id: ObjectID<Home>, name: ObjectName, timeZone: String? = nil, nextID: UInt64 = 1) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.nextID = nextID
    }

    /// The numbers of everything in it, in no order; each is there once when the rules hold.
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

    /// The number that comes after one; at the end of the range that number itself, which no edit gives out.
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
