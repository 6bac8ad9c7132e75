import AccessoryModel
import HAPCore
import Testing

@testable import HomeModel

/// Tests each rule in homes that were loaded, and so were not checked by an edit.
struct LoadedRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: HomeError.Code
        let home: @Sendable () throws -> Home

        init(_ rule: String, _ code: HomeError.Code, _ home: @escaping @Sendable () throws -> Home) {
            testDescription = rule
            self.code = code
            self.home = home
        }
    }

    static func home(
        rooms: [Room] = [],
        zones: [Zone] = [],
        accessories: [HomeAccessory] = [],
        groups: [ServiceGroup] = [],
        scenes: [HomeScene] = [],
        users: [HomeUser] = [],
        timeZone: String? = nil,
        nextID: UInt64? = nil
    ) throws -> Home {
        try Home.made(
            id: 1,
            name: ObjectName("House"),
            rooms: rooms,
            zones: zones,
            accessories: accessories,
            serviceGroups: groups,
            scenes: scenes,
            users: users,
            timeZone: timeZone,
            nextID: nextID
        )
    }

    /// Returns a lamp whose accessory has the given id and whose service has the next one.
    static func lamp(
        _ id: UInt64,
        _ name: String = "Lamp",
        type: ServiceType = .lightbulb,
        at reference: AccessoryReference? = nil,
        bridge: ObjectID<HomeAccessory>? = nil,
        room: ObjectID<Room> = .entireHome,
        edit: (inout HomeService) -> Void = { _ in }
    ) throws -> HomeAccessory {
        var service = HomeService(
            id: ObjectID(id + 1),
            name: try ObjectName(name),
            type: type,
            iid: InstanceID(10),
            characteristics: [SampleHome.characteristic(11, .on), SampleHome.characteristic(12, .outletInUse)]
        )
        edit(&service)
        return HomeAccessory(
            id: ObjectID(id),
            name: try ObjectName(name),
            room: room,
            reference: reference,
            bridge: bridge,
            services: [service]
        )
    }

    static func scene(_ actions: [(service: UInt64, type: CharacteristicType, value: CharacteristicValue)]) throws
        -> Home
    {
        let actions = actions.map { service, type, value in
            HomeAction(characteristic: CharacteristicSelector(service: ObjectID(service), type: type), value: value)
        }
        return try home(
            accessories: [lamp(1)],
            scenes: [HomeScene(id: ObjectID(5), name: ObjectName("Scene"), content: SceneContent(actions: actions))]
        )
    }

    @Test(arguments: [
        Case("two rooms with the same name", .duplicateName) {
            let names = try ["Garage", "GARAGE"].map { try ObjectName($0) }
            return try home(rooms: [Room(id: ObjectID(1), name: names[0]), Room(id: ObjectID(2), name: names[1])])
        },
        Case("a zone with the name of a room", .duplicateName) {
            let name = try ObjectName("Garage")
            return try home(rooms: [Room(id: ObjectID(1), name: name)], zones: [Zone(id: ObjectID(2), name: name)])
        },
        Case("a room with the name of the room for the entire home", .duplicateName) {
            try home(rooms: [Room(id: ObjectID(1), name: ObjectName("defaultroom"))])
        },
        Case("two services with the same name", .duplicateName) {
            try home(accessories: [
                lamp(1), lamp(3, "Other") { $0.name = .entireHome }, lamp(5, "Third") { $0.name = .entireHome },
            ])
        },
        Case("one number twice", .identifier) {
            try home(rooms: [
                Room(id: ObjectID(1), name: ObjectName("One")), Room(id: ObjectID(1), name: ObjectName("Two")),
            ])
        },
        Case("one id for objects of two kinds", .identifier) {
            try home(
                rooms: [Room(id: ObjectID(1), name: ObjectName("One"))],
                zones: [Zone(id: ObjectID(1), name: ObjectName("Two"))]
            )
        },
        Case("an id that is not yet assigned", .identifier) {
            try home(rooms: [Room(id: ObjectID(7), name: ObjectName("One"))], nextID: 7)
        },
        Case("an id at the end of the range", .identifier) {
            try home(rooms: [Room(id: ObjectID(.max), name: ObjectName("One"))])
        },
        Case("the room for the entire home among the rooms", .identifier) {
            try home(rooms: [Room(id: .entireHome, name: ObjectName("One"))])
        },
        Case("the room for the entire home in a zone", .entireHomeRoomInZone) {
            try home(zones: [Zone(id: ObjectID(1), name: ObjectName("All"), rooms: [.entireHome])])
        },
        Case("an unknown room in a zone", .unknownObject) {
            try home(zones: [Zone(id: ObjectID(1), name: ObjectName("All"), rooms: [ObjectID(9)])])
        },
        Case("a room twice in a zone", .roomTwice) {
            try home(
                rooms: [Room(id: ObjectID(1), name: ObjectName("One"))],
                zones: [Zone(id: ObjectID(2), name: ObjectName("All"), rooms: [ObjectID(1), ObjectID(1)])]
            )
        },
        Case("an accessory in an unknown room", .unknownObject) {
            try home(accessories: [lamp(1, room: ObjectID(9))])
        },
        Case("a service in an unknown room", .unknownObject) {
            try home(accessories: [lamp(1) { $0.room = ObjectID(9) }])
        },
        Case("an accessory twice", .accessoryTwice) {
            try home(accessories: [
                lamp(1, "One", at: SampleHome.reference(1)), lamp(3, "Two", at: SampleHome.reference(1)),
            ])
        },
        Case("an unknown bridge", .bridge) { try home(accessories: [lamp(1, bridge: ObjectID(9))]) },
        Case("an accessory that is its own bridge", .bridge) { try home(accessories: [lamp(1, bridge: ObjectID(1))]) },
        Case("a lamp associated with the fan type", .disallowedAssociatedType) {
            try home(accessories: [lamp(1) { $0.associatedType = .fan }])
        },
        Case("one iid twice", .instanceTwice) {
            try home(accessories: [lamp(1) { $0.characteristics[1].iid = InstanceID(11) }])
        },
        Case("one characteristic twice", .characteristicTwice) {
            try home(accessories: [lamp(1) { $0.characteristics.append(SampleHome.characteristic(20, .on)) }])
        },
        Case("a service of another home in a group", .foreignService) {
            try home(groups: [ServiceGroup(id: ObjectID(1), name: ObjectName("Group"), services: [ObjectID(2)])])
        },
        Case("a service twice in a group", .serviceTwice) {
            let group = try ServiceGroup(
                id: ObjectID(5),
                name: ObjectName("Group"),
                services: [ObjectID(2), ObjectID(2)]
            )
            return try home(accessories: [lamp(1)], groups: [group])
        },
        Case("a hidden service in a group", .hiddenService) {
            let group = try ServiceGroup(id: ObjectID(5), name: ObjectName("Group"), services: [ObjectID(2)])
            return try home(accessories: [lamp(1) { $0.isHidden = true }], groups: [group])
        },
        Case("a read-only characteristic in a scene", .readOnlyCharacteristic) { try scene([(2, .outletInUse, true)]) },
        Case("an action on a missing characteristic", .noSuchCharacteristic) { try scene([(2, .brightness, 1)]) },
        Case("an action on an unknown service", .unknownObject) { try scene([(9, .on, true)]) },
        Case("an invalid value", .invalidValue) { try scene([(2, .on, 2)]) },
        Case("two actions on one characteristic", .duplicateAction) { try scene([(2, .on, true), (2, .on, false)]) },
        Case("two scenes of a built-in kind", .sceneKindTaken) {
            try home(scenes: [
                HomeScene(id: ObjectID(1), name: ObjectName("One"), content: SceneContent(kind: .sleep)),
                HomeScene(id: ObjectID(2), name: ObjectName("Two"), content: SceneContent(kind: .sleep)),
            ])
        },
        Case("users without an owner", .ownerMissing) {
            let access = UserAccess(role: .administrator)
            return try home(users: [HomeUser(id: ObjectID(1), name: ObjectName("Ada"), access: access)])
        },
        Case("two owners", .ownerMissing) {
            try home(users: [
                HomeUser(id: ObjectID(1), name: ObjectName("Ada"), access: UserAccess(role: .owner)),
                HomeUser(id: ObjectID(2), name: ObjectName("Grace"), access: UserAccess(role: .owner)),
            ])
        },
        Case("an invalid time zone", .timeZone) { try home(timeZone: "Europe//Berlin") },
        Case("more rooms than the maximum", .tooMany) {
            try home(rooms: (1...1001).map { Room(id: ObjectID($0), name: try ObjectName("Room \($0)")) })
        },
        Case("more characteristics than the maximum", .tooMany) {
            try home(accessories: [
                lamp(1) { $0.characteristics = Array(repeating: SampleHome.characteristic(20, .on), count: 201) }
            ])
        },
    ])
    func aHomeThatBreaksARuleIsFoundAndNoOtherRuleIsBroken(_ rule: Case) throws {
        let codes = Set(HomeRules.violations(in: try rule.home()).map(\.code))
        #expect(codes == [rule.code])
    }

    @Test
    func aRoomTwiceInAZoneIsNamedInTheError() throws {
        let attic = Room(id: ObjectID(12), name: try ObjectName("Attic"))
        let zone = Zone(id: ObjectID(13), name: try ObjectName("Upstairs"), rooms: [attic.id, attic.id])
        let found = HomeRules.violations(in: try Self.home(rooms: [attic], zones: [zone]))
        #expect(found.map(\.reason) == ["The room Attic is already in the zone."])
    }

    @Test
    func rulesBetweenHomesAreChecked() throws {
        let name = try ObjectName("House")
        let one = Home(id: ObjectID(1), name: name)
        func codes(_ homes: Homes) -> Set<HomeError.Code> { Set(HomeRules.violations(in: homes).map(\.code)) }
        #expect(codes(Homes(homes: [one])) == [.primaryHome])
        #expect(codes(Homes(homes: [one], primary: ObjectID(2))) == [.primaryHome])
        #expect(codes(Homes(homes: [one], primary: ObjectID(1))).isEmpty)
        #expect(codes(Homes(homes: [one], primary: ObjectID(1), nextID: 1)) == [.identifier])
        #expect(codes(Homes(nextID: 0)) == [.identifier])
        let twin = Home(id: ObjectID(2), name: try ObjectName("HOUSE"))
        #expect(codes(Homes(homes: [one, twin], primary: ObjectID(1))) == [.duplicateName])
        let lamps = try (1...2)
            .map { number in
                Home.made(
                    id: number,
                    name: try ObjectName("House \(number)"),
                    accessories: [try Self.lamp(1, at: SampleHome.reference(1))]
                )
            }
        #expect(codes(Homes(homes: lamps, primary: ObjectID(1))) == [.accessoryTwice])
        let many = try (1...65).map { Home(id: ObjectID($0), name: try ObjectName("House \($0)")) }
        #expect(codes(Homes(homes: many, primary: ObjectID(1))) == [.tooMany])
    }
}
