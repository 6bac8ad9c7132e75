internal import AccessoryModel

extension HomeValidator {
    mutating func checkZones(_ index: HomeIndex) {
        for zone in home.zones {
            var seen: Set<ObjectID<Room>> = []
            for room in zone.rooms {
                if room == .entireHome {
                    report(.entireHomeRoomInZone(at: path(zone.name)))
                } else if let known = index.room(room) {
                    if !seen.insert(room).inserted { report(.roomTwice(known.name.text, at: path(zone.name))) }
                } else {
                    report(.unknown("room", "\(room)", at: path(zone.name)))
                }
            }
        }
    }

    mutating func checkGroups(_ index: HomeIndex) {
        for group in home.serviceGroups {
            var seen: Set<ObjectID<HomeService>> = []
            for id in group.services {
                if let service = index.service(id) {
                    if !service.isVisible {
                        report(.hiddenService(service.name.text, at: path(group.name)))
                    }
                    if !seen.insert(id).inserted {
                        report(.serviceTwice(service.name.text, at: path(group.name)))
                    }
                } else {
                    let reason = "A service group can contain only services of its own home."
                    report(HomeError(.foreignService, at: path(group.name), reason))
                }
            }
        }
    }

    mutating func checkScenes(_ index: HomeIndex) {
        var kinds: [SceneKind: ObjectName] = [:]
        for scene in home.scenes {
            if scene.kind.isBuiltIn, let other = kinds.updateValue(scene.name, forKey: scene.kind) {
                report(.sceneKindTaken(other, at: path(scene.name)))
            }
            errors += Home.violations(of: scene.actions, at: path(scene.name), in: index)
        }
    }

    mutating func checkUsers() {
        guard !home.users.isEmpty else { return }
        let owners = home.users.count { $0.role == .owner }
        guard owners != 1 else { return }
        let reason = owners == 0 ? "The home has users, but no owner." : "The home has more than one owner."
        report(HomeError(.ownerMissing, at: home.name.text, reason))
    }
}
