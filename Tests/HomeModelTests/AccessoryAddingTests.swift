import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests adding an accessory to a home, and updating it when the accessory changes.
struct AccessoryAddingTests {
    @Test(arguments: [
        ("Kilgo-Garage (2)", "Kilgo Garage 2"), ("  Lamp\t", "Lamp"), ("Lamp 🎉", "Lamp"), ("A/B", "A B"),
        ("'Lamp'", "Lamp"), ("Lamp\u{0}\u{1B}[31m", "Lamp 31m"), ("Wi-Fi", "Wi Fi"), ("é", "é"),
        (String(repeating: "x", count: 2000), String(repeating: "x", count: 64)),
        ("a" + String(repeating: "\u{301}", count: 2000) + "b", nil), ("🎉", nil), ("", nil), ("'", nil),
    ])
    func anAnnouncedNameIsMadeValid(_ announced: String, name: String?) {
        #expect(ObjectName(cleaning: announced)?.text == name)
    }

    @Test
    func eachServiceGetsItsOwnNameAndItsAccessorysRoom() throws {
        let sample = try SampleHome()
        let home = try sample.home
        #expect(
            home.visibleServices.map(\.service.name.text) == [
                "Garage Door", "Garage Light", "Living Room Lamp", "Bedroom Lamp", "Office Outlet",
            ]
        )
        #expect(
            home.visibleServices.map(\.room) == home.visibleServices.map { home.accessory(of: $0.service.id)?.room }
        )
    }

    @Test
    func aTakenAnnouncedNameGetsANumber() throws {
        var sample = try SampleHome()
        for number in 1...3 {
            try sample.add(SampleHome.garage, in: "Garage", at: SampleHome.reference(UInt8(20 + number)))
        }
        let names = try sample.home.visibleServices.map(\.service.name.text)
        #expect(
            names.suffix(6) == [
                "Garage Door 2", "Garage Light 2", "Garage Door 3", "Garage Light 3", "Garage Door 4", "Garage Light 4",
            ]
        )
        #expect(try sample.home.accessories.last?.name.text == "Kilgo Garage 4")
    }

    @Test
    func manyServicesOfOneNameGetUniqueNames() throws {
        var sample = try SampleHome()
        let services = Array(
            repeating: RemoteService(named: String(repeating: "y", count: 64), .switch),
            count: 2000
        )
        let id = try sample.edit { home throws(HomeError) in
            try home.addAccessory(RemoteAccessory(named: nil, services: services))
        }
        let placed = try #require(try sample.home.accessory(id))
        #expect(placed.name.text == "Accessory")
        #expect(Set(placed.services.map(\.name.key)).count == 2000)
    }

    /// Returns one character of `count` UTF-8 bytes: a letter followed by combining marks.
    private static func character(ofBytes count: Int, _ letter: String = "a") -> String {
        let rest = count - letter.utf8.count
        let signs = String(repeating: "\u{941}", count: rest / 3)
        return letter + (rest % 3 == 2 ? "\u{301}" : "") + signs
    }

    @Test(arguments: [
        character(ofBytes: 253), character(ofBytes: 254, "\u{e9}"), character(ofBytes: 255), character(ofBytes: 256),
        character(ofBytes: 250), character(ofBytes: 249), character(ofBytes: 247) + "b",
        String(repeating: "\u{D4E} ", count: 31) + "\u{D4E}", String(repeating: "ß", count: 64),
    ])
    func numberedNamesOfMaximumLengthAreValid(_ text: String) throws {
        let name = try ObjectName(text)
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let services = Array(repeating: RemoteService(named: text, .switch), count: 30)
        _ = try home.addAccessory(RemoteAccessory(named: text, services: services))
        _ = try home.addAccessory(RemoteAccessory(named: text, services: services))
        let names = home.visibleServices.map(\.service.name) + [home.accessories[1].name]
        #expect(names.first == name)
        #expect(try names.allSatisfy { try ObjectName($0.text).key == $0.key })
        #expect(HomeRules.violations(in: home).isEmpty)
    }

    @Test
    func aNumberThatBecameUnusedIsUsedAgain() throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        func add(_ count: Int) throws {
            let services = Array(repeating: RemoteService(named: "Lamp", .switch), count: count)
            _ = try home.addAccessory(RemoteAccessory(named: nil, services: services))
        }
        try add(1)
        try add(2)
        try add(1)
        try home.removeAccessory(home.accessories[1].id)
        try add(40)
        let names = home.accessories[2].services.map(\.name.text)
        #expect(names == [2, 3].map { "Lamp \($0)" } + (5...42).map { "Lamp \($0)" })
    }

    @Test
    func takenNumbersAreSkipped() throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let stem = String(repeating: "y", count: 57)
        let taken = Array(2...9) + (4...18).map { 1 << $0 }
        for text in [stem] + taken.map({ "\(stem) \($0)" }) {
            _ = try home.addServiceGroup(named: ObjectName(text))
        }
        _ = try home.addAccessory(
            RemoteAccessory(named: nil, services: [RemoteService(named: stem, .switch)])
        )
        #expect(home.visibleServices.map(\.service.name.text) == ["\(stem) 10"])
    }

    @Test
    func manyAccessoriesWithServicesOfOneNameGetUniqueNames() throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let stem = String(repeating: "y", count: 60)
        var number = 0
        for _ in 0..<400 {
            let services = (0..<5)
                .map { _ in
                    number += 1
                    return RemoteService(named: number % 2 == 0 ? "Light" : "\(stem) \(number % 7)", .lightbulb)
                }
            _ = try home.addAccessory(RemoteAccessory(named: "Light", services: services))
        }
        let names = Set(home.visibleServices.map(\.service.name.text))
        #expect(names.count == 2_000 && names.isSuperset(of: (2...1_000).map { "Light \($0)" }))
        #expect(HomeRules.violations(in: home).isEmpty)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func unnamedServicesAreNamedQuickly(areHidden: Bool) throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let one = RemoteService(
            named: nil,
            .lightbulb,
            isHidden: areHidden
        )
        let many = RemoteAccessory(named: nil, services: Array(repeating: one, count: HomeLimits.services))
        let id = try home.addAccessory(many)
        #expect(home.visibleServices.count == (areHidden ? 0 : HomeLimits.services))
        let other = RemoteService(named: nil, .switch, isHidden: areHidden)
        try home.updateAccessory(
            id,
            to: RemoteAccessory(named: nil, services: Array(repeating: other, count: HomeLimits.services))
        )
        #expect(home.accessories[0].services.allSatisfy { $0.type == .switch })
    }

    @Test
    func unnamedServicesAreCalledByTheirType() throws {
        var sample = try SampleHome()
        let announced = RemoteAccessory(
            named: "🎉",
            services: [
                SampleHome.service(1, nil, .garageDoorOpener, []), SampleHome.service(2, nil, .lightbulb, []),
                RemoteService(named: nil, ServiceType(HAPUUID(high: 1, low: 2))),
            ]
        )
        let id = try sample.edit { home throws(HomeError) in try home.addAccessory(announced) }
        let accessory = try #require(try sample.home.accessory(id))
        #expect(accessory.name.text == "Accessory")
        #expect(accessory.services.prefix(3).map(\.name.text) == ["Garage Door Opener", "Light Bulb", "Service"])
    }

    @Test
    func chosenNamesArePreferredToAnnouncedOnes() throws {
        var sample = try SampleHome()
        let office = try #require(sample.rooms["Office"])
        let placement = AccessoryPlacement(
            name: try ObjectName("Second Garage"),
            room: office,
            services: [2: try ObjectName("Garage Door 2")]
        )
        let id = try sample.edit { home throws(HomeError) in
            try home.addAccessory(SampleHome.garage, placed: placement)
        }
        let accessory = try #require(try sample.home.accessory(id))
        #expect(accessory.name.text == "Second Garage")
        #expect(accessory.services.dropFirst().map(\.name.text) == ["Garage Door 3", "Garage Door 2"])
        #expect(accessory.room == office)
    }

    // MARK: Changes

    @Test
    func servicesKeepTheirIdentityWhenTheirIIDsChange() throws {
        var sample = try SampleHome()
        let garage = try #require(sample.accessories["Kilgo Garage"])
        let light = try sample.service("Garage Light").id
        try sample.edit { home throws(HomeError) in try home.renameService(light, to: ObjectName("Big Lamp")) }
        let announced = RemoteAccessory(
            named: "Kilgo Garage",
            services: [
                SampleHome.information,
                SampleHome.service(50, "Garage Light", .lightbulb, [.on, .brightness, .hue]),
                SampleHome.service(10, "Garage Door", .garageDoorOpener, [.currentDoorState, .targetDoorState]),
            ]
        )
        let reported = try sample.edit { home throws(HomeError) in
            try home.updateAccessory(garage, to: announced)
        }
        let lamp = try sample.service("Big Lamp")
        #expect(lamp.id == light && lamp.iid == InstanceID(50) && lamp.characteristic(.hue) != nil)
        #expect(reported == [.characteristicRemoved(.obstructionDetected, service: try ObjectName("Garage Door"))])
    }

    @Test
    func removedObjectsLeaveGroupsAndScenesAndAreReported() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let living = try #require(sample.accessories["Living Room Lamp"])
        let bedroom = try #require(sample.accessories["Bedroom Lamp"])
        let lamp = try sample.service("Living Room Lamp").id
        let dark = RemoteAccessory(
            named: "Living Room Lamp",
            services: [SampleHome.information, SampleHome.service(10, nil, .lightbulb, [.on])]
        )
        let reported = try sample.edit { home throws(HomeError) in try home.updateAccessory(living, to: dark) }
        let name = try ObjectName("Living Room Lamp")
        #expect(reported.contains(.sceneLostAction(try ObjectName("Movie Time"), .brightness, service: name)))
        #expect(try sample.home.serviceGroup(named: "Reading Lamps").services.contains(lamp))
        var hidden = SampleHome.lamp("Bedroom Lamp")
        hidden.services[1].isHidden = true
        let also = try sample.edit { [hidden] home throws(HomeError) in
            try home.updateAccessory(bedroom, to: hidden)
        }
        #expect(also == [.groupLostService(try ObjectName("Reading Lamps"), service: try ObjectName("Bedroom Lamp"))])
        let gone = RemoteAccessory(named: "Living Room Lamp", services: [SampleHome.information])
        let last = try sample.edit { home throws(HomeError) in try home.updateAccessory(living, to: gone) }
        #expect(last == [.serviceRemoved(name), .groupLostService(try ObjectName("Reading Lamps"), service: name)])
    }

    @Test
    func onlyValuesThatBecameInvalidAreRemoved() throws {
        var sample = try SampleHome()
        let bright = try sample.action("Bedroom Lamp", .brightness, 90)
        let dim = try sample.action("Bedroom Lamp", .brightness, 10)
        let names = try ["Bright", "Dim", "Follow", "Shine"].map(ObjectName.init)
        try sample.edit { home throws(HomeError) in
            _ = try home.addScene(named: names[0], actions: [bright])
            _ = try home.addScene(named: names[1], actions: [dim])
            for (name, action) in [(names[2], dim), (names[3], bright)] {
                _ = try home.addAutomation { id in
                    Automation(
                        id: id,
                        name: name,
                        rule: AutomationRule(
                            triggers: [.characteristic(action.characteristic, .changes)],
                            targets: AutomationTargets<HomeIDs>(ownActions: [action])
                        )
                    )
                }
            }
        }
        var limited = SampleHome.lamp("Bedroom Lamp")
        limited.services[1].characteristics[1].metadata.maximum = 50
        let lamp = try #require(sample.accessories["Bedroom Lamp"])
        let reported = try sample.edit { [limited] home throws(HomeError) in try home.updateAccessory(lamp, to: limited)
        }
        #expect(
            reported == [
                .sceneLostAction(names[0], .brightness, service: try ObjectName("Bedroom Lamp")),
                .automationRemoved(names[3]),
            ]
        )
        #expect(try sample.home.scene(named: "Dim").actions == [dim])
        #expect(try sample.home.automations.map(\.name) == [names[2]])
    }

    /// Tests automations whose condition or end needs a value that the updated accessory no longer has.
    @Test(arguments: [
        (condition: true, end: false), (condition: false, end: true), (condition: true, end: true),
    ])
    func anAutomationThatLosesItsConditionOrEndIsDisabled(condition: Bool, end: Bool) throws {
        var sample = try SampleHome()
        let lamp = try #require(sample.accessories["Bedroom Lamp"])
        let brightness = try sample.selector("Bedroom Lamp", .brightness)
        let light = try sample.action("Garage Light", .on, true)
        let door = try sample.selector("Garage Door", .currentDoorState)
        let works = Condition<HomeIDs>.characteristic(door, .equals(1))
        let name = try ObjectName("It")
        try sample.edit { home throws(HomeError) in
            _ = try home.addAutomation { id in
                Automation(
                    id: id,
                    name: name,
                    rule: AutomationRule(
                        triggers: [.characteristic(door, .equals(2))],
                        condition: condition ? .characteristic(brightness, .equals(90)) : works,
                        targets: AutomationTargets<HomeIDs>(ownActions: [light]),
                        end: EndEvent<HomeIDs>(
                            end ? .when(brightness, .equals(80)) : .after(.seconds(60)),
                            .actions([light])
                        )
                    )
                )
            }
        }
        var limited = SampleHome.lamp("Bedroom Lamp")
        limited.services[1].characteristics[1].metadata.maximum = 50
        let reported = try sample.edit { [limited] home throws(HomeError) in try home.updateAccessory(lamp, to: limited)
        }
        #expect(reported == [.automationDisabled(name)])
        let automation = try sample.home.automation(named: "It")
        #expect(!automation.isEnabled)
        #expect(automation.condition == (condition ? nil : works))
        #expect((automation.end == nil) == end)
        #expect(try HomeRules.violations(in: sample.home).isEmpty)
    }

    @Test
    func aServiceThatBecomesVisibleGetsAnUnusedName() throws {
        var sample = try SampleHome()
        var hidden = SampleHome.lamp("Bedroom Lamp")
        hidden.services[1].isHidden = true
        let bedroom = try #require(sample.accessories["Bedroom Lamp"])
        let living = try sample.service("Living Room Lamp").id
        try sample.edit { [hidden] home throws(HomeError) in
            try home.updateAccessory(bedroom, to: hidden)
            try home.renameService(living, to: ObjectName("Bedroom Lamp"))
        }
        let reported = try sample.edit { home throws(HomeError) in
            try home.updateAccessory(bedroom, to: SampleHome.lamp("Bedroom Lamp"))
        }
        #expect(reported == [.serviceRenamed(try ObjectName("Bedroom Lamp"), to: try ObjectName("Bedroom Lamp 2"))])
    }

    @Test
    func anAccessoryOfAFileIsMatchedToTheFoundOne() throws {
        var sample = try SampleHome()
        let announced = RemoteAccessory(
            named: "Kilgo Two",
            services: [RemoteService(named: "Big Lamp", .lightbulb)]
        )
        let id = try sample.edit { home throws(HomeError) in try home.addAccessory(announced) }
        let lamp = try sample.service("Big Lamp").id
        let found = try SampleHome.reference(77)
        try sample.edit { home throws(HomeError) in
            try home.setReference(found, of: id)
            try home.updateAccessory(id, to: SampleHome.lamp("Whatever"))
        }
        #expect(try sample.service("Big Lamp").id == lamp)
        let selector = try sample.selector("Big Lamp", .on)
        #expect(try sample.home.references(of: [selector])[selector]?.accessory == found)
    }
}
