import AccessoryModel
import TestSupport
import Testing

@testable import HomeModel

/// Tests the maximum number of objects of each kind.
struct LimitTests {
    /// Returns a home that reaches all limits.
    static func fullHome() throws -> Home {
        func names(_ kind: String, _ count: Int) throws -> [ObjectName] {
            try (1...count).map { try ObjectName("\(kind) \($0)") }
        }
        var next: UInt64 = 0
        func id<Object>() -> ObjectID<Object> {
            next += 1
            return ObjectID(next)
        }
        let rooms = try names("Room", HomeLimits.rooms).map { Room(id: id(), name: $0) }
        let ids = rooms.prefix(10).map(\.id)
        let zones = try names("Zone", HomeLimits.zones).map { Zone(id: id(), name: $0, rooms: ids) }
        let perAccessory = HomeLimits.services / HomeLimits.accessories
        let accessories = try names("Accessory", HomeLimits.accessories)
            .map { name in
                HomeAccessory(
                    id: id(),
                    name: name,
                    room: rooms[0].id,
                    services: try names("Service", perAccessory)
                        .map { service in
                            HomeService(
                                id: id(),
                                name: try ObjectName("\(name) \(service)"),
                                type: .lightbulb,
                                characteristics: [HomeCharacteristic(Characteristic(cataloged: .on).base)]
                            )
                        }
                )
            }
        let services = accessories.flatMap(\.services).map(\.id)
        let groupSize = HomeLimits.groupServices / HomeLimits.serviceGroups
        let groups = try names("Group", HomeLimits.serviceGroups)
            .map {
                ServiceGroup(id: id(), name: $0, services: Array(services.prefix(groupSize)))
            }
        let actions = services.prefix(HomeLimits.allActions / HomeLimits.scenes)
            .map {
                HomeAction(characteristic: CharacteristicSelector(service: $0, type: .on), value: true)
            }
        let scenes = try names("Scene", HomeLimits.scenes)
            .map { HomeScene(id: id(), name: $0, content: SceneContent(actions: actions)) }
        let targets = scenes.prefix(HomeLimits.automationTargets / HomeLimits.automations).map(\.id)
        let automations = try names("Automation", HomeLimits.automations)
            .map { name in
                Automation(
                    id: id(),
                    name: name,
                    rule: AutomationRule(
                        triggers: [.presence(.lastLeaves)],
                        targets: AutomationTargets<HomeIDs>(scenes: targets)
                    )
                )
            }
        let users = try names("User", HomeLimits.users).enumerated()
            .map { index, name in
                HomeUser(id: id(), name: name, access: UserAccess(role: index == 0 ? .owner : .member))
            }
        return Home.made(
            id: 1,
            name: try ObjectName("House"),
            rooms: rooms,
            zones: zones,
            accessories: accessories,
            serviceGroups: groups,
            scenes: scenes,
            automations: automations,
            users: users
        )
    }

    @Test
    func aFullHomeIsValidAndRefusesMore() throws {
        let full = try Self.fullHome()
        #expect(HomeRules.violations(in: full).isEmpty)
        let name = try ObjectName("One More")
        let edits: [(inout Home) throws -> Void] = [
            { home in _ = try home.addRoom(named: name) },
            { home in _ = try home.addZone(named: name) },
            { home in try home.addRoom(home.rooms[20].id, to: home.zones[0].id) },
            { home in _ = try home.addAccessory(RemoteAccessory(named: nil, services: [])) },
            { home in
                let service = RemoteService(named: nil, .switch)
                let many = RemoteAccessory(named: nil, services: Array(repeating: service, count: 6))
                try home.updateAccessory(home.accessories[0].id, to: many)
            },
            { home in _ = try home.addServiceGroup(named: name) },
            { home in
                try home.addService(home.accessories[1000].services[0].id, to: home.serviceGroups[0].id)
            },
            { home in _ = try home.addScene(named: name) },
            { home in
                let selector = CharacteristicSelector(service: home.accessories[1000].services[0].id, type: .on)
                try home.addAction(HomeAction(characteristic: selector, value: true), to: home.scenes[0].id)
            },
            { home in
                let targets = AutomationTargets<HomeIDs>(scenes: [home.scenes[0].id])
                _ = try home.addAutomation { id in
                    Automation(
                        id: id,
                        name: name,
                        rule: AutomationRule(triggers: [.presence(.lastLeaves)], targets: targets)
                    )
                }
            },
            { home in
                var first = home.automations[0]
                first.targets.scenes.append(home.scenes[200].id)
                try home.replaceAutomation(with: first)
            },
            { home in _ = try home.addUser(named: name, role: .member) },
        ]
        for (number, edit) in edits.enumerated() {
            var homes = Homes(homes: [full], primary: full.id)
            let error = #expect(throws: HomeError.self, "edit \(number)") {
                try homes.edit(full.id) { home throws(HomeError) in
                    do { try edit(&home) } catch {
                        throw error as? HomeError ?? HomeError(.wrongHome, at: "", "\(error)")
                    }
                }
            }
            #expect(error?.code == .tooMany, "edit \(number)")
            #expect(homes.homes == [full])
        }
    }

    @Test
    func homesAreLimitedTo64() throws {
        var homes = Homes()
        for number in 1...HomeLimits.homes {
            _ = try homes.addHome(named: ObjectName("Home \(number)"))
        }
        let error = #expect(throws: HomeError.self) { try homes.addHome(named: ObjectName("One More")) }
        #expect(error?.code == .tooMany)
    }

    @Test
    func exhaustedIDsAreRefused() throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"), nextID: .max)
        let error = #expect(throws: HomeError.self) { try home.addRoom(named: ObjectName("Room")) }
        #expect(error?.code == .identifier)
        #expect(HomeRules.violations(in: home).map(\.code) == [.identifier])
        for number: UInt64 in [0, .max] {
            var homes = Homes(nextID: number)
            #expect(throws: HomeError.self) { try homes.addHome(named: ObjectName("House")) }
        }
    }
}
