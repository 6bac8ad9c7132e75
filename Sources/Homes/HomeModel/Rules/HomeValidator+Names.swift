extension HomeValidator {
    /// Checks that names are unique: rooms together with zones, services together with groups, and every other kind
    /// separately.
    mutating func checkNames() {
        checkNames(
            [(ObjectName.entireHome, "the room for the entire home")] + home.rooms.map { ($0.name, "another room") }
                + home.zones.map { ($0.name, "a room or another zone") }
        )
        checkNames(
            home.accessories.flatMap(\.services).filter(\.isVisible).map { ($0.name, "another service") }
                + home.serviceGroups.map { ($0.name, "a service or another group") }
        )
        checkNames(home.accessories.map { ($0.name, "another accessory") })
        checkNames(home.scenes.map { ($0.name, "another scene") })
        checkNames(home.automations.map { ($0.name, "another automation") })
        checkNames(home.users.map { ($0.name, "another user") })
    }

    private mutating func checkNames(_ names: [(name: ObjectName, other: String)]) {
        var keys: Set<String> = []
        for (name, other) in names where !keys.insert(name.key).inserted {
            report(.duplicateName(name, other, at: path(name)))
        }
    }
}
