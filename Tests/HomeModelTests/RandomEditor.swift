import AccessoryModel
import HAPCore
import TestSupport

@testable import HomeModel

/// Makes random edits to homes, some of which break the rules.
struct RandomEditor {
    var homes = Homes()
    private var chance: SeededRandom

    init(seed: UInt64) {
        chance = SeededRandom(seed: seed)
    }

    /// Makes one random edit.
    mutating func edit() throws(HomeError) {
        let choice = int(40)
        // With many homes, each would have too few objects.
        if homes.homes.isEmpty || choice == 0 && homes.homes.count < 3 {
            _ = try homes.addHome(named: name())
            return
        }
        let index = int(homes.homes.count)
        let id = homes.homes[index].id
        switch choice {
        case 1 where int(4) == 0: try homes.removeHome(id)
        case 2: try homes.setPrimary(id)
        case 3: try homes.renameHome(id, to: name())
        default:
            var edited = homes.homes[index]
            try edit(&edited)
            try homes.edit(id) { [edited] home throws(HomeError) in home = edited }
        }
    }

    private mutating func edit(_ home: inout Home) throws(HomeError) {
        switch int(37) {
        case 0, 1: _ = try home.addRoom(named: name())
        case 2: try home.removeRoom(room(home))
        case 3: try home.renameRoom(room(home), to: name())
        case 4: _ = try home.addZone(named: name(), rooms: (0..<int(3)).map { _ in room(home) })
        case 5: try home.addRoom(room(home), to: pick(home.zones.map(\.id)))
        case 6: try home.removeRoom(room(home), from: pick(home.zones.map(\.id)))
        case 7: try home.removeZone(pick(home.zones.map(\.id)))
        case 8: try home.renameZone(pick(home.zones.map(\.id)), to: name())
        case 9, 10, 11:
            let bridge = int(3) == 0 ? pick(home.accessories.map(\.id)) : nil
            var placement = AccessoryPlacement(name: int(2) == 0 ? name() : nil, room: room(home), bridge: bridge)
            placement.services[int(3)] = int(2) == 0 ? name() : nil
            _ = try home.addAccessory(
                accessory(),
                at: int(4) == 0 ? nil : reference(),
                placed: placement
            )
        case 12: try home.removeAccessory(pick(home.accessories.map(\.id)))
        case 13: try home.renameAccessory(pick(home.accessories.map(\.id)), to: name())
        case 14: try home.moveAccessory(pick(home.accessories.map(\.id)), to: room(home))
        case 15, 16: try home.updateAccessory(pick(home.accessories.map(\.id)), to: accessory())
        case 17: try home.setReference(int(4) == 0 ? nil : reference(), of: pick(home.accessories.map(\.id)))
        case 18: try home.renameService(service(home), to: name())
        case 19: try home.moveService(service(home), to: int(3) == 0 ? nil : room(home))
        case 20: try home.setAssociatedType([nil, .lightbulb, .fan, .garageDoorOpener][int(4)], of: service(home))
        case 21, 22:
            _ = try home.addServiceGroup(named: name(), services: (0..<int(3)).map { _ in service(home) })
        case 23: try home.addService(service(home), to: pick(home.serviceGroups.map(\.id)))
        case 24: try home.removeService(service(home), from: pick(home.serviceGroups.map(\.id)))
        case 25: try home.removeServiceGroup(pick(home.serviceGroups.map(\.id)))
        case 26: try home.renameServiceGroup(pick(home.serviceGroups.map(\.id)), to: name())
        case 27, 28:
            let kind = SceneKind.allCases[int(SceneKind.allCases.count)]
            _ = try home.addScene(named: name(), kind: kind, actions: (0..<int(3)).map { _ in action(home) })
        case 29: try home.addAction(action(home), to: pick(home.scenes.map(\.id)))
        case 30: try home.removeScene(pick(home.scenes.map(\.id)))
        case 31: try home.renameScene(pick(home.scenes.map(\.id)), to: name())
        case 33, 34:
            let (name, trigger) = (name(), trigger(home))
            let own = (0..<int(3)).map { _ in action(home) }
            let scenes = (0..<int(2)).map { _ in pick(home.scenes.map(\.id)) }
            let end = int(3) == 0 ? EndEvent<HomeIDs>(.after(.seconds(60)), .actions([action(home)])) : nil
            let condition = int(3) == 0 ? Condition<HomeIDs>.presence(.user(pick(home.users.map(\.id)))) : nil
            _ = try home.addAutomation { id in
                Automation(
                    id: id,
                    name: name,
                    rule: AutomationRule(
                        triggers: [trigger],
                        condition: condition,
                        targets: AutomationTargets<HomeIDs>(scenes: scenes, ownActions: own),
                        end: end
                    )
                )
            }
        case 35:
            home.setPlace(int(2) == 0 ? nil : GeographicPlace(latitude: 50, longitude: 8))
        case 36:
            try home.renameAutomation(pick(home.automations.map(\.id)), to: name())
        case 32: _ = try home.addUser(named: name(), role: UserRole.allCases[int(3)])
        default:
            if int(2) == 0 {
                try home.setRole(UserRole.allCases[int(3)], of: pick(home.users.map(\.id)))
            } else {
                try home.removeUser(pick(home.users.map(\.id)))
            }
        }
    }

    // MARK: Material

    private mutating func int(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &chance)
    }

    /// Returns one of the ids, or sometimes an id that is not among them.
    private mutating func pick<Object>(_ ids: [ObjectID<Object>]) -> ObjectID<Object> {
        ids.isEmpty || int(20) == 0 ? ObjectID(UInt64(int(50))) : ids[int(ids.count)]
    }

    private mutating func room(_ home: Home) -> ObjectID<Room> {
        int(8) == 0 ? .entireHome : pick(home.rooms.map(\.id))
    }

    private mutating func service(_ home: Home) -> ObjectID<HomeService> {
        // Sometimes returns a service of another home.
        let home = int(10) == 0 ? homes.homes[int(homes.homes.count)] : home
        return pick(home.accessories.flatMap(\.services).map(\.id))
    }

    private mutating func name() -> ObjectName {
        let words = ["Lamp", "lamp", "Door", "Kids' Room", "kids room", "Default Room", "Café", "Upstairs", "Fan"]
        let text = words[int(words.count)] + (int(3) == 0 ? "" : " \(int(12))")
        return ObjectName(cleaning: text) ?? .entireHome
    }

    private mutating func action(_ home: Home) -> HomeAction {
        let types: [CharacteristicType] = [.on, .brightness, .targetDoorState, .currentDoorState, .name]
        let values: [CharacteristicValue] = [true, false, 0, 1, 50, 101, "on", .data([1])]
        let (type, value) = (types[int(types.count)], values[int(values.count)])
        let typed = Catalog.characteristic(type)?.metadata.value(from: value, isStrict: true)
        return HomeAction(
            characteristic: CharacteristicSelector(service: service(home), type: type),
            value: typed ?? value
        )
    }

    private mutating func trigger(_ home: Home) -> Trigger<HomeIDs> {
        switch int(4) {
        case 0: .presence(.arrives(pick(home.users.map(\.id))))
        case 1: .sun(.sunset, offset: .zero, .daily)
        case 2: .presence(.lastLeaves)
        default: .characteristic(action(home).characteristic, .changes)
        }
    }

    private mutating func reference() -> AccessoryReference? {
        guard let server = DeviceID("00:00:00:00:00:0\(int(4))"), let aid = AccessoryID(UInt64(1 + int(4))) else {
            return nil
        }
        return AccessoryReference(server: server, aid: aid)
    }

    private mutating func accessory() -> RemoteAccessory {
        let names: [String?] = [nil, "", "Lamp", "🎉", "Lamp!!! 2", String(repeating: "x", count: 300), "Default Room"]
        var services: [RemoteService] = []
        for _ in 0..<int(5) {
            let iid = UInt64(int(12) == 0 ? 10 : 10 * (services.count + 1 + int(3)))
            let types: [ServiceType] = [.lightbulb, .outlet, .switch, .garageDoorOpener, .accessoryInformation]
            let all: [CharacteristicType] = [.on, .brightness, .targetDoorState, .currentDoorState, .name]
            let kinds = all.filter { _ in int(2) == 0 }
            services.append(SampleHome.service(iid, names[int(names.count)], types[int(types.count)], kinds))
            let last = services.count - 1
            services[last].isHidden = int(6) == 0
            // Sometimes a value becomes invalid or read-only.
            for index in services[last].characteristics.indices where int(4) == 0 {
                services[last].characteristics[index].metadata.maximum = 20
                if int(2) == 0 {
                    services[last].characteristics[index].permissions.remove(.write)
                }
            }
        }
        return RemoteAccessory(
            named: names[int(names.count)],
            services: services
        )
    }
}
