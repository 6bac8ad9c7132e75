internal import AccessoryModel

extension HomeValidator {
    mutating func checkZones() {
        for zone in home.zones {
            var seen: Set<ObjectID<Room>> = []
            for room in zone.rooms {
                if room == .entireHome {
                    report(.entireHomeRoomInZone(at: path(zone.name)))
                } else if !rooms.contains(room) {
                    report(.unknown("room", "\(room)", at: path(zone.name)))
                } else if !seen.insert(room).inserted {
                    report(.roomTwice(home.room(room)?.name.text ?? "\(room)", at: path(zone.name)))
                }
            }
        }
    }

    mutating func checkGroups() {
        for group in home.serviceGroups {
            var seen: Set<ObjectID<HomeService>> = []
            for id in group.services {
                if let service = services[id] {
                    if !service.isVisible {
                        report(.hiddenService(service.name.text, at: path(group.name)))
                    }
                    if !seen.insert(id).inserted {
                        report(.serviceTwice(service.name.text, at: path(group.name)))
                    }
                } else {
                    report(.foreignService(at: path(group.name)))
                }
            }
        }
    }

    mutating func checkScenes() {
        var kinds: [SceneKind: ObjectName] = [:]
        for scene in home.scenes {
            if scene.kind.isBuiltIn, let other = kinds.updateValue(scene.name, forKey: scene.kind) {
                report(.sceneKindTaken(other, at: path(scene.name)))
            }
            errors += Home.violations(of: scene.actions, at: path(scene.name)) { services[$0] }
        }
    }

    mutating func checkUsers() {
        guard !home.users.isEmpty else { return }
        switch home.users.count(where: { $0.role == .owner }) {
        case 1: break
        case 0: report(.ownerMissing("The home has users, but no owner.", at: home.name.text))
        default: report(.ownerMissing("The home has more than one owner.", at: home.name.text))
        }
    }
}
