internal import AccessoryModel
internal import HAPCore

extension HomeDocument {
    /// What a file says of homes; merged into none, with the same accessories known, it makes the same homes.
    package init(_ homes: Homes) {
        self.init(
            homes: homes.homes.map { home in
                var documented = DocumentedHome(home)
                documented.isPrimary = homes.homes.count > 1 && homes.primary == home.id
                return documented
            }
        )
    }
}

extension DocumentedHome {
    /// What a file says of a home.
    package init(_ home: Home) {
        let names = HomeWriting(home)
        self.init(name: Placed(home.name))
        place = home.place
        timeZone = home.timeZone.map { Placed($0) }
        rooms = home.rooms.map { Placed($0.name) }
        zones = home.zones.map { zone in
            DocumentedZone(name: Placed(zone.name), rooms: zone.rooms.map { Placed(names.room($0)) })
        }
        accessories = home.accessories.map(names.placement)
        groups = home.serviceGroups.map { group in
            DocumentedGroup(name: Placed(group.name), services: group.services.map { Placed(names.service($0)) })
        }
        scenes = home.scenes.map {
            DocumentedScene(name: Placed($0.name), kind: $0.kind, actions: $0.actions.map(names.action))
        }
        automations = home.automations.map(names.automation)
        users = home.users.map { DocumentedUser(name: Placed($0.name), role: $0.role, isRemote: $0.isRemote) }
    }
}
