import AccessoryModel
import HAPCore
import HomeModel
import TestSupport

/// Makes random edits to a home, some of which break the rules.
struct RandomHomeEditor {
    private var chance: SeededRandom

    init(seed: UInt64) {
        chance = SeededRandom(seed: seed)
    }

    /// Makes one random edit.
    mutating func edit(_ home: inout Home) throws(HomeError) {
        switch int(36) {
        case 0, 1: _ = try home.addRoom(named: name())
        case 2: try home.removeRoom(pick(home.rooms.map(\.id)))
        case 3, 4: try home.renameRoom(pick(home.rooms.map(\.id)), to: name())
        case 5: _ = try home.addZone(named: name(), rooms: home.rooms.map(\.id).filter { _ in int(3) == 0 })
        case 6: try home.addRoom(pick(home.rooms.map(\.id)), to: pick(home.zones.map(\.id)))
        case 7: try home.removeRoom(pick(home.rooms.map(\.id)), from: pick(home.zones.map(\.id)))
        case 8: try home.removeZone(pick(home.zones.map(\.id)))
        case 9: try home.renameZone(pick(home.zones.map(\.id)), to: name())
        case 10: try addAccessory(to: &home)
        case 11: try home.removeAccessory(pick(home.accessories.map(\.id)))
        case 12, 13: try home.renameAccessory(pick(home.accessories.map(\.id)), to: name())
        case 14, 15: try home.moveAccessory(pick(home.accessories.map(\.id)), to: room(home))
        case 16, 17: try home.renameService(service(home), to: name())
        case 18, 19: try home.moveService(service(home), to: int(3) == 0 ? nil : room(home))
        case 20: try home.setAssociatedType([nil, .lightbulb, .fan][int(3)], of: service(home))
        case 21: _ = try home.addServiceGroup(named: name(), services: int(2) == 0 ? [] : [service(home)])
        case 22: try home.addService(service(home), to: pick(home.serviceGroups.map(\.id)))
        case 23: try home.removeServiceGroup(pick(home.serviceGroups.map(\.id)))
        case 24:
            let kind = SceneKind.allCases[int(SceneKind.allCases.count)]
            _ = try home.addScene(named: name(), kind: kind, actions: actions(home))
        case 25: try home.setActions(actions(home), of: pick(home.scenes.map(\.id)))
        case 26: try home.renameScene(pick(home.scenes.map(\.id)), to: name())
        case 27: try home.removeScene(pick(home.scenes.map(\.id)))
        case 28: try addAutomation(to: &home)
        case 29, 30: try changeAutomation(of: &home)
        case 31: try home.removeAutomation(pick(home.automations.map(\.id)))
        case 32: home.setPlace(GeographicPlace(latitude: Double(int(90)), longitude: 8.5))
        case 33: home.setTimeZone([nil, "Europe/Berlin", "UTC"][int(3)])
        case 34: _ = try home.addUser(named: name(), role: UserRole.allCases[int(3)])
        default:
            let user = pick(home.users.map(\.id))
            if int(2) == 0 { try home.setRemote(int(2) == 0, of: user) } else { try home.removeUser(user) }
        }
    }

    private mutating func addAccessory(to home: inout Home) throws(HomeError) {
        let service = RemoteService(
            named: nil,
            [.lightbulb, .outlet, .fan][int(3)],
            iid: 10,
            characteristics: [RemoteCharacteristic(iid: 11, .on)]
        )
        let placement = AccessoryPlacement(name: name(), room: room(home))
        _ = try home.addAccessory(RemoteAccessory(named: nil, services: [service]), placed: placement)
    }

    private mutating func addAutomation(to home: inout Home) throws(HomeError) {
        let (name, actions) = (name(), actions(home))
        _ = try home.addAutomation { id in
            let targets = AutomationTargets<HomeIDs>(ownActions: actions)
            return Automation(
                id: id,
                name: name,
                rule: AutomationRule(triggers: [.presence(.lastLeaves)], targets: targets)
            )
        }
    }

    private mutating func changeAutomation(of home: inout Home) throws(HomeError) {
        guard var automation = home.automation(pick(home.automations.map(\.id))) else { return }
        switch int(6) {
        case 0: automation.name = name()
        case 1: automation.condition = int(2) == 0 ? nil : .presence(.anyone)
        case 2: automation.triggers.append(.presence(.firstArrives))
        case 3: automation.targets.ownActions = actions(home)
        case 4: automation.end = int(2) == 0 ? nil : EndEvent(.after(.seconds(1 + int(100))), .actions(actions(home)))
        default: automation.executesOnce.toggle()
        }
        try home.replaceAutomation(with: automation)
    }

    // MARK: Material

    private mutating func int(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &chance)
    }

    private mutating func pick<Object>(_ ids: [ObjectID<Object>]) -> ObjectID<Object> {
        ids.isEmpty ? ObjectID(0) : ids[int(ids.count)]
    }

    private mutating func room(_ home: Home) -> ObjectID<Room> {
        int(6) == 0 ? .entireHome : pick(home.rooms.map(\.id))
    }

    private mutating func service(_ home: Home) -> ObjectID<HomeService> {
        pick(home.accessories.flatMap(\.services).filter(\.isVisible).map(\.id))
    }

    private mutating func name() -> ObjectName {
        let words = ["Yes", "1", "Büro", "Kids' Room", "null", "Lamp", "Blue Lamp", "東京", "On", "Night", "0x1F"]
        return ObjectName(cleaning: words[int(words.count)] + (int(3) == 0 ? "" : " \(int(50))")) ?? .entireHome
    }

    private mutating func actions(_ home: Home) -> [HomeAction] {
        var actions: [HomeAction] = []
        for _ in 0...int(3) {
            let id = service(home)
            guard home.service(id)?.characteristic(.on) != nil else { continue }
            let selector = CharacteristicSelector(service: id, type: .on)
            guard !actions.contains(where: { $0.characteristic == selector }) else { continue }
            actions.append(HomeAction(characteristic: selector, value: int(2) == 0 ? true : false))
        }
        return actions
    }
}
