import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests that an edit that would break a rule throws the error of that rule and changes nothing.
struct EditRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: HomeError.Code
        let edit: @Sendable (inout SampleHome) throws -> Void

        init(_ rule: String, _ code: HomeError.Code, _ edit: @escaping @Sendable (inout SampleHome) throws -> Void) {
            testDescription = rule
            self.code = code
            self.edit = edit
        }
    }

    @Test(arguments: names + rooms + services + scenes + accessories + others)
    func anEditThatBreaksARuleIsRefusedWithItsErrorAndChangesNothing(_ rule: Case) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let before = sample.homes
        let error = #expect(throws: HomeError.self) { try rule.edit(&sample) }
        #expect(error?.code == rule.code, "\(error?.description ?? "")")
        #expect(sample.homes == before)
        #expect(error?.reason.last == "." && error?.remedy.isEmpty == false)
    }

    /// An Eve Energy has such ids; otherwise it could not be added to a home.
    @Test func aServiceMayHaveTheIIDOfItsFirstCharacteristic() throws {
        var sample = try SampleHome()
        var outlet = SampleHome.service(20, nil, .outlet, [.on])
        outlet.iid = outlet.characteristics[0].iid
        let plug = RemoteAccessory(named: "Plug", services: [SampleHome.information, outlet])
        try sample.add(plug, in: "Office", at: SampleHome.reference(50))
        #expect(HomeRules.violations(in: sample.homes).isEmpty)
    }

    static let names: [Case] = [
        Case("two homes with the same name", .duplicateName) { sample in
            _ = try sample.homes.addHome(named: ObjectName("kilgohouse"))
        },
        Case("a home renamed to another's name", .duplicateName) { sample in
            try sample.homes.renameHome(sample.second, to: ObjectName("KILGO HOUSE"))
        },
        Case("two rooms with the same name", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.addRoom(named: ObjectName("living room")) }
        },
        Case("a room with the name of a zone", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.addRoom(named: ObjectName("Up'Stairs")) }
        },
        Case("a zone with the name of a room", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.addZone(named: ObjectName("Garage")) }
        },
        Case("a room with the name of the room for the entire home", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.addRoom(named: ObjectName("default room")) }
        },
        Case("a service renamed to another's name", .duplicateName) { sample in
            let id = try sample.service("Garage Light").id
            try sample.edit { home throws(HomeError) in
                try home.renameService(id, to: ObjectName("Living\u{2019}Room Lamp"))
            }
        },
        Case("a group with the name of a service", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in
                try home.addServiceGroup(named: ObjectName("Garage Light"))
            }
        },
        Case("an accessory renamed to another's name", .duplicateName) { sample in
            let id = try #require(sample.accessories["Kilgo Garage"])
            try sample.edit { home throws(HomeError) in
                try home.renameAccessory(id, to: ObjectName("bedroom lamp"))
            }
        },
        Case("two scenes with the same name", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.addScene(named: ObjectName("movietime")) }
        },
        Case("two users with the same name", .duplicateName) { sample in
            _ = try sample.edit { home throws(HomeError) in
                try home.addUser(named: ObjectName("ADA"), role: .member)
            }
        },
        Case("two automations with the same name", .duplicateName) { sample in
            let name = try ObjectName("light the garage")
            let off = try sample.action("Garage Light", .on, false)
            _ = try sample.edit { home throws(HomeError) in
                try home.addAutomation { id in
                    let targets = AutomationTargets<HomeIDs>(ownActions: [off])
                    return Automation(
                        id: id,
                        name: name,
                        rule: AutomationRule(triggers: [.presence(.lastLeaves)], targets: targets)
                    )
                }
            }
        },
        Case("an automation renamed to another's name", .duplicateName) { sample in
            let off = try sample.action("Garage Light", .on, false)
            let other = try ObjectName("Other")
            _ = try sample.edit { home throws(HomeError) in
                let id = try home.addAutomation { id in
                    let targets = AutomationTargets<HomeIDs>(ownActions: [off])
                    return Automation(
                        id: id,
                        name: other,
                        rule: AutomationRule(triggers: [.presence(.lastLeaves)], targets: targets)
                    )
                }
                try home.renameAutomation(id, to: ObjectName("Light The Garage"))
            }
        },
    ]

    static let rooms: [Case] = [
        Case("the room for the entire home renamed", .entireHomeRoomFixed) { sample in
            try sample.edit { home throws(HomeError) in
                try home.renameRoom(.entireHome, to: ObjectName("House"))
            }
        },
        Case("the room for the entire home removed", .entireHomeRoomFixed) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.removeRoom(.entireHome) }
        },
        Case("the room for the entire home added to a zone", .entireHomeRoomInZone) { sample in
            let zone = try #require(sample.zones["Upstairs"])
            try sample.edit { home throws(HomeError) in try home.addRoom(.entireHome, to: zone) }
        },
        Case("a zone created with the room for the entire home", .entireHomeRoomInZone) { sample in
            _ = try sample.edit { home throws(HomeError) in
                try home.addZone(named: ObjectName("Everything"), rooms: [.entireHome])
            }
        },
        Case("a room twice in a zone", .roomTwice) { sample in
            let room = try #require(sample.rooms["Office"])
            let zone = try #require(sample.zones["Upstairs"])
            try sample.edit { home throws(HomeError) in try home.addRoom(room, to: zone) }
        },
        Case("a room of another home in a zone", .unknownObject) { sample in
            let zone = try #require(sample.zones["Upstairs"])
            let room = try #require(sample.homes.home(sample.second)?.rooms.first).id
            try sample.edit { home throws(HomeError) in try home.addRoom(room, to: zone) }
        },
        Case("a room that was already removed", .unknownObject) { sample in
            _ = try sample.edit { home throws(HomeError) in try home.removeRoom(ObjectID(4711)) }
        },
    ]

    static let services: [Case] = [
        Case("a service of another home in a group", .foreignService) { sample in
            let other = try #require(sample.homes.home(sample.second)?.visibleServices.first?.service.id)
            let group = try #require(try sample.home.serviceGroups.first).id
            try sample.edit { home throws(HomeError) in try home.addService(other, to: group) }
        },
        Case("a service twice in a group", .serviceTwice) { sample in
            let lamp = try sample.service("Bedroom Lamp").id
            let group = try #require(try sample.home.serviceGroups.first).id
            try sample.edit { home throws(HomeError) in try home.addService(lamp, to: group) }
        },
        Case("an information service in a group", .hiddenService) { sample in
            let hidden = try #require(try sample.home.accessories.first?.services.first)
            _ = try sample.edit { home throws(HomeError) in
                try home.addServiceGroup(named: ObjectName("Group"), services: [hidden.id])
            }
        },
        Case("a lamp associated with the outlet type", .disallowedAssociatedType) { sample in
            let lamp = try sample.service("Bedroom Lamp").id
            try sample.edit { home throws(HomeError) in try home.setAssociatedType(.outlet, of: lamp) }
        },
        Case("an outlet associated with the garage door type", .disallowedAssociatedType) { sample in
            let outlet = try sample.service("Office Outlet").id
            try sample.edit { home throws(HomeError) in try home.setAssociatedType(.garageDoorOpener, of: outlet) }
        },
        Case("a service in an unknown room", .unknownObject) { sample in
            let lamp = try sample.service("Bedroom Lamp").id
            try sample.edit { home throws(HomeError) in try home.moveService(lamp, to: ObjectID(4711)) }
        },
    ]

    static func scene(_ action: @escaping @Sendable (SampleHome) throws -> HomeAction)
        -> @Sendable (inout SampleHome) throws -> Void
    {
        { sample in
            let action = try action(sample)
            let scene = try sample.home.scene(named: "Movie Time").id
            try sample.edit { home throws(HomeError) in try home.addAction(action, to: scene) }
        }
    }

    static let scenes: [Case] = [
        Case(
            "an action on a read-only characteristic",
            .readOnlyCharacteristic,
            scene { sample in
                try sample.action("Garage Door", .currentDoorState, 1)
            }
        ),
        Case(
            "an action on a characteristic that the service does not have",
            .noSuchCharacteristic,
            scene { sample in
                try sample.action("Garage Door", .brightness, 1)
            }
        ),
        Case(
            "a value out of range",
            .invalidValue,
            scene { sample in
                try sample.action("Garage Light", .brightness, 101)
            }
        ),
        Case(
            "a value of another format",
            .invalidValue,
            scene { sample in
                try sample.action("Garage Light", .on, "yes")
            }
        ),
        Case(
            "a value that is not one of the valid values",
            .invalidValue,
            scene { sample in
                try sample.action("Garage Door", .targetDoorState, 2)
            }
        ),
        Case(
            "an action on an unknown service",
            .unknownObject,
            scene { _ in
                HomeAction(characteristic: CharacteristicSelector(service: ObjectID(4711), type: .on), value: true)
            }
        ),
        Case(
            "two actions on the same characteristic",
            .duplicateAction,
            scene { sample in
                try sample.action("Living Room Lamp", .brightness, 20)
            }
        ),
        Case("a built-in scene removed", .builtInSceneFixed) { sample in
            let scene = try sample.home.scene(named: "Good Night").id
            _ = try sample.edit { home throws(HomeError) in try home.removeScene(scene) }
        },
        Case("a built-in scene changed to a custom one", .builtInSceneFixed) { sample in
            let scene = try sample.home.scene(named: "Good Night").id
            _ = try sample.edit { home throws(HomeError) in try home.setKind(.userDefined, of: scene) }
        },
        Case("a scene changed to a kind that is already in use", .sceneKindTaken) { sample in
            let scene = try sample.home.scene(named: "Movie Time").id
            _ = try sample.edit { home throws(HomeError) in try home.setKind(.sleep, of: scene) }
        },
        Case("a second scene of a built-in kind", .sceneKindTaken) { sample in
            _ = try sample.edit { home throws(HomeError) in
                try home.addScene(named: ObjectName("Bed Time"), kind: .sleep)
            }
        },
    ]

    static let accessories: [Case] = [
        Case("a bridged accessory removed without its bridge", .bridgedAccessoryAlone) { sample in
            let lamp = try sample.home.accessory(named: "Porch Lamp").id
            _ = try sample.edit { home throws(HomeError) in try home.removeAccessory(lamp) }
        },
        Case("an accessory that is already in the home", .accessoryTwice) { sample in
            try sample.add(SampleHome.lamp("Other Lamp"), in: "Office", at: SampleHome.reference(2))
        },
        Case("an accessory that is in another home", .accessoryTwice) { sample in
            let lamp = try SampleHome.reference(9)
            _ = try sample.homes.edit(sample.id) { home throws(HomeError) in
                try home.addAccessory(SampleHome.lamp("Other Lamp"), at: lamp)
            }
        },
        Case("an accessory bridged by a bridged accessory", .bridge) { sample in
            let lamp = try sample.home.accessory(named: "Porch Lamp").id
            _ = try sample.edit { home throws(HomeError) in
                try home.addAccessory(SampleHome.lamp("Lamp"), placed: AccessoryPlacement(bridge: lamp))
            }
        },
        Case("an accessory whose bridge is on another server", .bridge) { sample in
            let bridge = try sample.home.accessory(named: "Bridge").id
            let reference = try SampleHome.reference(99)
            _ = try sample.edit { home throws(HomeError) in
                try home.addAccessory(
                    SampleHome.lamp("Lamp"),
                    at: reference,
                    placed: AccessoryPlacement(bridge: bridge)
                )
            }
        },
        Case("an accessory with a duplicate id", .instanceTwice) { sample in
            let twice = RemoteAccessory(
                named: "Twice",
                services: [SampleHome.information, SampleHome.service(1, nil, .switch, [.on])]
            )
            try sample.add(twice, in: "Office", at: SampleHome.reference(50))
        },
        Case("an accessory in an unknown room", .unknownObject) { sample in
            _ = try sample.edit { home throws(HomeError) in
                try home.addAccessory(SampleHome.lamp("Lamp"), placed: AccessoryPlacement(room: ObjectID(4711)))
            }
        },
        Case("a service with a given name that is already in use", .duplicateName) { sample in
            var placement = AccessoryPlacement()
            placement.services[1] = try ObjectName("Garage Light")
            _ = try sample.edit { [placement] home throws(HomeError) in
                try home.addAccessory(SampleHome.lamp("Lamp"), placed: placement)
            }
        },
        Case("more services than the maximum", .tooMany) { sample in
            let many = RemoteAccessory(
                named: "Many",
                services: Array(repeating: RemoteService(named: nil, .switch), count: HomeLimits.services)
            )
            try sample.add(many, in: "Office", at: SampleHome.reference(50))
        },
    ]

    static let others: [Case] = [
        Case("a second owner", .ownerMissing) { sample in
            _ = try sample.edit { home throws(HomeError) in
                try home.addUser(named: ObjectName("Grace"), role: .owner)
            }
        },
        Case("the owner removed before the others", .ownerMissing) { sample in
            let ada = try sample.home.user(named: "Ada").id
            _ = try sample.edit { home throws(HomeError) in try home.removeUser(ada) }
        },
        Case("the owner made a member", .ownerMissing) { sample in
            let ada = try sample.home.user(named: "Ada").id
            _ = try sample.edit { home throws(HomeError) in try home.setRole(.member, of: ada) }
        },
        Case("a first user who is not an owner", .ownerMissing) { sample in
            _ = try sample.homes.edit(sample.second) { home throws(HomeError) in
                try home.addUser(named: ObjectName("Grace"), role: .member)
            }
        },
        Case("an invalid time zone", .timeZone) { sample in
            try sample.edit { home throws(HomeError) in home.setTimeZone("../etc/passwd") }
        },
        Case("a home replaced by another one in an edit", .wrongHome) { sample in
            let other = try #require(sample.homes.home(sample.second))
            try sample.homes.edit(sample.id) { home throws(HomeError) in home = other }
        },
        Case("an edit of an unknown home", .unknownObject) { sample in
            try sample.homes.edit(ObjectID(4711)) { _ throws(HomeError) in }
        },
        Case("an unknown primary home", .unknownObject) { sample in
            try sample.homes.setPrimary(ObjectID(4711))
        },
    ]
}
