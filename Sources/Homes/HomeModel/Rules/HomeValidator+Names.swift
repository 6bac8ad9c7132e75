extension HomeValidator {
    /// Checks that names are unique: rooms together with zones, services together with groups, and every other kind
    /// separately.
    mutating func checkNames() {
        let rooms = [ObjectName.entireHome] + home.rooms.map(\.name)
        checkNames(rooms + home.zones.map(\.name)) { index in
            index == 0 ? "the room for the entire home" : index < rooms.count ? "a room" : "a zone"
        }
        let services = home.accessories.flatMap { accessory in
            accessory.services.lazy.filter(\.isVisible).map { (name: $0.name, accessory: accessory.name) }
        }
        checkNames(services.map(\.name) + home.serviceGroups.map(\.name)) { index in
            index < services.count ? "a service of \(services[index].accessory)" : "a service group"
        }
        checkNames(home.accessories.map(\.name)) { _ in "another accessory" }
        checkNames(home.scenes.map(\.name)) { _ in "another scene" }
        checkNames(home.automations.map(\.name)) { _ in "another automation" }
        checkNames(home.users.map(\.name)) { _ in "another user" }
    }

    /// - Parameter owner: Describes the owner of the name at an index; used if the name occurs again.
    private mutating func checkNames(_ names: [ObjectName], owner: (Int) -> String) {
        var owners: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            if let first = owners[name.key] {
                report(.duplicateName(name, owner(first), at: path(name)))
            } else {
                owners[name.key] = index
            }
        }
    }
}
