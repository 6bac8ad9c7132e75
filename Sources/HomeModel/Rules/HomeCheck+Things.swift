internal import AccessoryModel

extension HomeCheck {
    mutating func checkZones() {
        for zone in home.zones {
            var seen: Set<ObjectID<Room>> = []
            for room in zone.rooms {
                if room == .entireHome {
                    report(.entireHomeRoomInZone(at: place(zone.name)))
                } else if !rooms.contains(room) {
                    report(.unknown("room", "\(room)", at: place(zone.name)))
                } else if !seen.insert(room).inserted {
                    report(.roomTwice(home.room(room)?.name.text ?? "\(room)", at: place(zone.name)))
                }
            }
        }
    }

    mutating func checkGroups() {
        for group in home.serviceGroups {
            var seen: Set<ObjectID<HomeService>> = []
            for id in group.services {
                if let service = services[id] {
                    if !service.isShown {
                        report(.unseenService(service.name.text, at: place(group.name)))
                    }
                    if !seen.insert(id).inserted {
                        report(.serviceTwice(service.name.text, at: place(group.name)))
                    }
                } else {
                    report(.foreignService(at: place(group.name)))
                }
            }
        }
    }

    mutating func checkScenes() {
        var kinds: [SceneKind: ObjectName] = [:]
        for scene in home.scenes {
            if scene.kind.isBuiltIn, let other = kinds.updateValue(scene.name, forKey: scene.kind) {
                report(.sceneKindTaken(other, at: place(scene.name)))
            }
            found += Home.violations(of: scene.actions, at: place(scene.name)) { services[$0] }
        }
    }

    mutating func checkUsers() {
        guard !home.users.isEmpty else { return }
        switch home.users.count(where: { $0.role == .owner }) {
        case 1: break
        case 0: report(.ownerMissing("A home with users has an owner.", at: home.name.text))
        default: report(.ownerMissing("A home has one owner.", at: home.name.text))
        }
    }
}
