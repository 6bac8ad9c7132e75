import AccessoryModel
import HAPCore
import HomeModel
import Testing

/// Tests which other objects an edit changes, and that these changes are reported.
struct EditEffectTests {
    @Test
    func objectsOfARemovedRoomMoveToTheDefaultRoom() throws {
        var sample = try SampleHome()
        let office = try #require(sample.rooms["Office"])
        let light = try sample.service("Garage Light").id
        try sample.edit { home throws(HomeError) in try home.moveService(light, to: office) }
        let reported = try sample.edit { home throws(HomeError) in try home.removeRoom(office) }
        #expect(try sample.home.accessory(named: "Office Outlet").room == .entireHome)
        #expect(try sample.home.room(of: light) == sample.rooms["Garage"])
        #expect(try sample.home.zone(named: "Upstairs").rooms == [sample.rooms["Bedroom"]])
        #expect(
            reported.map(\.description).sorted() == [
                "Garage Light is now in Garage, as its accessory is.", "Office Outlet is now in Default Room.",
                "The zone Upstairs no longer contains Office.",
            ]
        )
    }

    @Test
    func aRemovedAccessoryLeavesGroupsAndScenes() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let lamp = try #require(sample.accessories["Living Room Lamp"])
        let reported = try sample.edit { home throws(HomeError) in try home.removeAccessory(lamp) }
        #expect(try sample.home.serviceGroup(named: "Reading Lamps").services == [sample.service("Bedroom Lamp").id])
        #expect(try sample.home.scene(named: "Movie Time").actions.isEmpty)
        let name = try ObjectName("Living Room Lamp")
        #expect(
            reported == [
                .groupLostService(try ObjectName("Reading Lamps"), service: name),
                .sceneLostAction(try ObjectName("Movie Time"), .brightness, service: name),
            ]
        )
    }

    @Test
    func removingABridgeRemovesItsAccessories() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let bridge = try sample.home.accessory(named: "Bridge").id
        let reported = try sample.edit { home throws(HomeError) in try home.removeAccessory(bridge) }
        #expect(reported == [.accessoryRemoved(try ObjectName("Porch Lamp"))])
        #expect(throws: HomeError.self) { try sample.home.accessory(named: "Porch Lamp") }
    }

    @Test
    func aNewOwnerMakesThePreviousOneAnAdministrator() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let charles = try sample.home.user(named: "Charles").id
        let reported = try sample.edit { home throws(HomeError) in try home.setRole(.owner, of: charles) }
        #expect(reported.map(\.description) == ["Charles is now the owner, and Ada an administrator."])
        #expect(try sample.home.user(named: "Ada").role == .administrator)
    }

    @Test
    func removingThePrimaryHomeMakesAnotherPrimary() throws {
        var sample = try SampleHome()
        try sample.prepare()
        #expect(sample.homes.primary == sample.id)
        let reported = try sample.homes.removeHome(sample.id)
        #expect(sample.homes.primary == sample.second)
        #expect(reported.last == .primaryHomeChanged(try ObjectName("Summer House")))
        try sample.homes.removeHome(sample.second)
        #expect(sample.homes.primary == nil)
    }

    @Test
    func idsAreNeverReused() throws {
        var sample = try SampleHome()
        let first = try sample.edit { home throws(HomeError) in try home.addRoom(named: ObjectName("Attic")) }
        try sample.edit { home throws(HomeError) in _ = try home.removeRoom(first) }
        let second = try sample.edit { home throws(HomeError) in try home.addRoom(named: ObjectName("Attic")) }
        #expect(first != second)
        let home = try sample.homes.addHome(named: ObjectName("Cabin"))
        try sample.homes.removeHome(home)
        #expect(try sample.homes.addHome(named: ObjectName("Cabin")) != home)
    }

    @Test
    func aRoomMayBeInSeveralZonesAndAServiceInAnotherRoomThanItsSibling() throws {
        var sample = try SampleHome()
        let bedroom = try #require(sample.rooms["Bedroom"])
        let light = try sample.service("Garage Light").id
        try sample.edit { home throws(HomeError) in
            _ = try home.addZone(named: ObjectName("Quiet"), rooms: [bedroom])
            try home.moveService(light, to: bedroom)
        }
        let home = try sample.home
        #expect(home.zones.count { $0.rooms.contains(bedroom) } == 2)
        #expect(home.room(of: light) == bedroom)
        #expect(home.room(of: try sample.service("Garage Door").id) == sample.rooms["Garage"])
    }

    @Test
    func builtInScenesAreRenamedAndUsersScenesRemoved() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let night = try sample.home.scene(named: "Good Night").id
        let movie = try sample.home.scene(named: "Movie Time").id
        try sample.edit { home throws(HomeError) in
            try home.renameScene(night, to: ObjectName("Sleep Well"))
            try home.removeScene(movie)
        }
        #expect(try sample.home.scenes.map(\.name.text) == ["Sleep Well"])
    }

    @Test
    func aNameThatContainsItsRoomIsAcceptedWithAWarning() throws {
        let sample = try SampleHome()
        let advice = HomeRules.warnings(for: try sample.home)
        #expect(
            advice.map(\.path) == [
                "Kilgo House/Garage Door", "Kilgo House/Garage Light", "Kilgo House/Living Room Lamp",
                "Kilgo House/Bedroom Lamp", "Kilgo House/Office Outlet",
            ]
        )
        #expect(HomeRules.violations(in: sample.homes).isEmpty)
        let garden = try ObjectName("Garden Lamp")
        #expect(HomeRules.warnings(for: garden, in: try ObjectName("Den"), of: try sample.home) == nil)
        #expect(HomeRules.warnings(for: garden, in: try ObjectName("GARDEN"), of: try sample.home) != nil)
    }
}
