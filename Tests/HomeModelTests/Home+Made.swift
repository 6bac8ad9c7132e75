@testable import HomeModel

extension Home {
    /// Returns a home with the given content, which may break the rules.
    ///
    /// - Parameter nextID: The next id, or `nil` for the number after the largest one.
    static func made(
        id: UInt64 = 1,
        name: ObjectName = .entireHome,
        rooms: [Room] = [],
        zones: [Zone] = [],
        accessories: [HomeAccessory] = [],
        serviceGroups: [ServiceGroup] = [],
        scenes: [HomeScene] = [],
        automations: [Automation] = [],
        users: [HomeUser] = [],
        place: GeographicPlace? = nil,
        timeZone: String? = nil,
        nextID: UInt64? = nil
    ) -> Home {
        var home = Home(id: ObjectID(id), name: name, timeZone: timeZone)
        home.rooms = rooms
        home.zones = zones
        home.accessories = accessories
        home.serviceGroups = serviceGroups
        home.scenes = scenes
        home.automations = automations
        home.users = users
        home.place = place
        home.nextID = nextID ?? number(after: home.numbers.max())
        return home
    }
}
