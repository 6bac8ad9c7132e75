import AccessoryModel
import HAPCore
import HomeModel
import Testing

/// How an accessory comes into a home, and what becomes of it when it changes.
struct PlacingTests {
    @Test(arguments: [
        ("Kilgo-Garage (2)", "Kilgo Garage 2"), ("  Lamp\t", "Lamp"), ("Lamp 🎉", "Lamp"), ("A/B", "A B"),
        ("'Lamp'", "Lamp"), ("Lamp\u{0}\u{1B}[31m", "Lamp 31m"), ("Wi-Fi", "Wi Fi"), ("é", "é"),
        (String(repeating: "x", count: 2000), String(repeating: "x", count: 64)),
        ("a" + String(repeating: "\u{301}", count: 2000) + "b", nil), ("🎉", nil), ("", nil), ("'", nil),
    ])
    func anAnnouncedNameIsMadeToObeyTheRules(_ announced: String, name: String?) {
        #expect(ObjectName(sensibly: announced)?.text == name)
    }

    @Test
    func eachServiceGetsItsOwnNameAndItsAccessorysRoom() throws {
        let sample = try SampleHome()
        let home = try sample.home
        #expect(
            home.shownServices.map(\.service.name.text) == [
                "Garage Door", "Garage Light", "Living Room Lamp", "Bedroom Lamp", "Office Outlet",
            ]
        )
        #expect(home.shownServices.map(\.room) == home.shownServices.map { home.accessory(of: $0.service.id)?.room })
        #expect(home.accessories.allSatisfy { $0.isReachable })
    }

    @Test
    func whatIsAnnouncedWithATakenNameGetsANumber() throws {
        var sample = try SampleHome()
        for number in 1...3 {
            try sample.add(SampleHome.garage, in: "Garage", at: SampleHome.reference(UInt8(20 + number)))
        }
        let names = try sample.home.shownServices.map(\.service.name.text)
        #expect(
            names.suffix(6) == [
                "Garage Door 2", "Garage Light 2", "Garage Door 3", "Garage Light 3", "Garage Door 4", "Garage Light 4",
            ]
        )
        #expect(try sample.home.accessories.last?.name.text == "Kilgo Garage 4")
    }

    @Test
    func manyServicesOfOneNameArePlaced() throws {
        var sample = try SampleHome()
        let services = Array(
            repeating: AnnouncedService(name: String(repeating: "y", count: 64), type: .switch),
            count: 2000
        )
        let id = try sample.edit { home throws(HomeError) in
            try home.addAccessory(AnnouncedAccessory(name: nil, services: services))
        }
        let placed = try #require(try sample.home.accessory(id))
        #expect(placed.name.text == "Accessory")
        #expect(Set(placed.services.map(\.name.key)).count == 2000)
    }

    @Test
    func whatNamesNothingIsCalledByItsTypeOrCategory() throws {
        var sample = try SampleHome()
        let announced = AnnouncedAccessory(
            name: "🎉",
            category: .garageDoorOpener,
            services: [
                SampleHome.service(1, nil, .garageDoorOpener, []), SampleHome.service(2, nil, .lightbulb, []),
                AnnouncedService(name: nil, type: ServiceType(HAPUUID(high: 1, low: 2))),
            ]
        )
        let id = try sample.edit { home throws(HomeError) in try home.addAccessory(announced) }
        let accessory = try #require(try sample.home.accessory(id))
        #expect(accessory.name.text == "Garage Door Opener")
        #expect(accessory.services.map(\.name.text) == ["Garage Door Opener", "Light Bulb", "Service"])
        #expect(!accessory.isReachable)
    }

    @Test
    func whatPeopleChoseIsTakenBeforeWhatIsAnnounced() throws {
        var sample = try SampleHome()
        let office = try #require(sample.rooms["Office"])
        let placement = AccessoryPlacement(
            name: try ObjectName("Second Garage"),
            room: office,
            services: [2: .init(name: try ObjectName("Garage Door 2"), room: .entireHome)]
        )
        let id = try sample.edit { home throws(HomeError) in
            try home.addAccessory(SampleHome.garage, placed: placement)
        }
        let accessory = try #require(try sample.home.accessory(id))
        #expect(accessory.name.text == "Second Garage")
        #expect(accessory.services.dropFirst().map(\.name.text) == ["Garage Door 3", "Garage Door 2"])
        #expect(accessory.services.dropFirst().map(\.room) == [nil, .entireHome])
    }

    // MARK: Changes

    @Test
    func servicesStayWhatTheyAreWhenTheirNumbersChange() throws {
        var sample = try SampleHome()
        let garage = try #require(sample.accessories["Kilgo Garage"])
        let light = try sample.service("Garage Light").id
        try sample.edit { home throws(HomeError) in try home.renameService(light, to: ObjectName("Big Lamp")) }
        var announced = SampleHome.garage
        announced.services = [
            announced.services[0],
            SampleHome.service(50, "Garage Light", .lightbulb, [.on, .brightness, .hue]),
            SampleHome.service(10, "Garage Door", .garageDoorOpener, [.currentDoorState, .targetDoorState]),
        ]
        let told = try sample.edit { [announced] home throws(HomeError) in
            try home.updateAccessory(garage, to: announced)
        }
        let lamp = try sample.service("Big Lamp")
        #expect(lamp.id == light && lamp.iid == InstanceID(50) && lamp.characteristic(.hue) != nil)
        #expect(told == [.characteristicRemoved(.obstructionDetected, service: try ObjectName("Garage Door"))])
    }

    @Test
    func whatVanishedLeavesGroupsAndScenesAndIsTold() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let living = try #require(sample.accessories["Living Room Lamp"])
        let bedroom = try #require(sample.accessories["Bedroom Lamp"])
        let lamp = try sample.service("Living Room Lamp").id
        let dark = AnnouncedAccessory(
            name: "Living Room Lamp",
            services: [SampleHome.information, SampleHome.service(10, nil, .lightbulb, [.on])]
        )
        let told = try sample.edit { home throws(HomeError) in try home.updateAccessory(living, to: dark) }
        let name = try ObjectName("Living Room Lamp")
        #expect(told.contains(.sceneLostAction(try ObjectName("Movie Time"), .brightness, service: name)))
        #expect(try sample.home.serviceGroup(named: "Reading Lamps").services.contains(lamp))
        var hidden = SampleHome.lamp("Bedroom Lamp")
        hidden.services[1].isHidden = true
        let also = try sample.edit { [hidden] home throws(HomeError) in
            try home.updateAccessory(bedroom, to: hidden)
        }
        #expect(also == [.groupLostService(try ObjectName("Reading Lamps"), service: try ObjectName("Bedroom Lamp"))])
        let gone = AnnouncedAccessory(name: "Living Room Lamp", services: [SampleHome.information])
        let last = try sample.edit { home throws(HomeError) in try home.updateAccessory(living, to: gone) }
        #expect(last == [.serviceRemoved(name), .groupLostService(try ObjectName("Reading Lamps"), service: name)])
    }

    @Test
    func aValueThatIsOneNoMoreLeavesOtherValuesOfItsCharacteristicAlone() throws {
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
                        trigger: .characteristic(action.characteristic, .changes),
                        targets: AutomationTargets(own: [action])
                    )
                }
            }
        }
        var limited = SampleHome.lamp("Bedroom Lamp")
        limited.services[1].characteristics[1].metadata.maximum = 50
        let lamp = try #require(sample.accessories["Bedroom Lamp"])
        let told = try sample.edit { [limited] home throws(HomeError) in try home.updateAccessory(lamp, to: limited) }
        #expect(
            told == [
                .sceneLostAction(names[0], .brightness, service: try ObjectName("Bedroom Lamp")),
                .automationRemoved(names[3]),
            ]
        )
        #expect(try sample.home.scene(named: "Dim").actions == [dim])
        #expect(try sample.home.automations.map(\.name) == [names[2]])
    }

    @Test
    func aServiceThatComesToBeSeenTakesAFreeName() throws {
        var sample = try SampleHome()
        var hidden = SampleHome.lamp("Bedroom Lamp")
        hidden.services[1].isHidden = true
        let bedroom = try #require(sample.accessories["Bedroom Lamp"])
        let living = try sample.service("Living Room Lamp").id
        try sample.edit { [hidden] home throws(HomeError) in
            try home.updateAccessory(bedroom, to: hidden)
            try home.renameService(living, to: ObjectName("Bedroom Lamp"))
        }
        let told = try sample.edit { home throws(HomeError) in
            try home.updateAccessory(bedroom, to: SampleHome.lamp("Bedroom Lamp"))
        }
        #expect(told == [.serviceRenamed(try ObjectName("Bedroom Lamp"), to: try ObjectName("Bedroom Lamp 2"))])
    }

    @Test
    func anAccessoryOfAFileIsTheOneThatIsFound() throws {
        var sample = try SampleHome()
        let announced = AnnouncedAccessory(
            name: "Kilgo Two",
            services: [AnnouncedService(name: "Big Lamp", type: .lightbulb)]
        )
        let id = try sample.edit { home throws(HomeError) in try home.addAccessory(announced) }
        let lamp = try sample.service("Big Lamp").id
        let found = try SampleHome.reference(77)
        try sample.edit { home throws(HomeError) in
            try home.setReference(found, of: id)
            try home.updateAccessory(id, to: SampleHome.lamp("Whatever"))
        }
        #expect(try sample.service("Big Lamp").id == lamp)
        #expect(try sample.home.reference(of: sample.selector("Big Lamp", .on))?.accessory == found)
    }
}
