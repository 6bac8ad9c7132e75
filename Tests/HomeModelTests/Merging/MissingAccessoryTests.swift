import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests accessories in a file that are unknown, and are found later or never.
struct MissingAccessoryTests {
    private static let place = "deviceID: \"00:00:00:00:00:08\""

    @Test
    func anAccessoryWithAReferenceIsMissingLikeOneWithout() throws {
        let first = try merged(
            """
            home: House
            accessories:
              - { accessory: Fader, \(Self.place), services: { Lightbulb: Fader } }
            scenes:
              Night: [{ set: Fader/Fade Rate, to: 2 }, { set: Fader/On, to: true }]
            """
        )
        #expect(first.errors.isEmpty, "\(first.errors.map(\.value.description))")
        #expect(first.missing.count == 1 && first.pending.count == 1)
        let second = try merged(
            """
            home: House
            accessories:
              - { accessory: Fader, \(Self.place), services: { Lightbulb: Fader, Fan: Blower, Whirl: {} } }
            scenes:
              Night: [{ set: Blower/On, to: on }]
            """,
            into: first.homes
        )
        #expect(second.errors.isEmpty, "\(second.errors.map(\.value.description))")
        #expect(second.missing.count == 1 && second.pending.count == 1)
        #expect(second.homes.primaryHome?.scenes.first?.actions.map(\.value) == [true])
    }

    @Test
    func anAccessoryWithAnotherReferenceIsAnother() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let other = KnownAccessory(
            name: "Bedroom Lamp",
            reference: try SampleHome.reference(8),
            announced: SampleHome.outlet("Bedroom Lamp")
        )
        let text = """
            home: Kilgo House
            accessories: [{ accessory: Bedroom Lamp, deviceID: "00:00:00:00:00:03" }]
            """
        let merge = try merged(text, into: sample.homes, known: [other])
        #expect(merge.errors.isEmpty && merge.changes.isEmpty)
        #expect(merge.homes == sample.homes)
        #expect(merge.missing.map(\.value.remedy).first?.contains("00:00:00:00:00:08") == true)
    }

    @Test
    func aWrongReferenceInAFileCanBeCorrected() throws {
        let first = try merged("home: House\naccessories: [{ accessory: Lamp, \(Self.place) }]\n")
        let lamp = KnownAccessory(
            name: "Lamp",
            reference: try SampleHome.reference(9),
            announced: SampleHome.lamp("Lamp")
        )
        let second = try merged("home: House\naccessories: [Lamp]\n", into: first.homes, known: [lamp])
        #expect(second.errors.isEmpty && second.missing.isEmpty)
        let found = try #require(second.homes.primaryHome?.accessories.first)
        #expect(found.reference == lamp.reference)
        #expect(second.homes.primaryHome?.accessories.count == 1)
    }

    @Test(arguments: [false, true])
    func aBridgedAccessoryGetsItsReferenceOnceBothAreFound(isWritten: Bool) throws {
        let text = "home: House\naccessories: [Porch, Hub]\n"
        let first = try merged(text)
        #expect(first.missing.count == 2)
        let hub = KnownAccessory(
            name: "Hub",
            reference: try SampleHome.reference(5),
            announced: RemoteAccessory(named: "Hub", services: [SampleHome.information])
        )
        let porch = KnownAccessory(
            name: "Porch",
            bridge: "Hub",
            reference: try SampleHome.reference(5, aid: 2),
            announced: SampleHome.lamp("Porch")
        )
        let homes =
            isWritten ? try merged(text, into: first.homes, known: [porch]).homes : first.homes
        let home = try #require(try merged(text, into: homes, known: [porch, hub]).homes.primaryHome)
        #expect(home.accessories.map(\.bridge) == [home.accessories[1].id, nil])
    }

    @Test
    func theAliasOfAFileIsStoredUntilTheAccessoryIsFound() throws {
        let homes = try merged(
            "home: House\naccessories: [{ accessory: Kilgo Garage, name: Garage Unit }, Fan]\n"
        )
        .homes
        let text = String(decoding: try HomeFile.write(HomeDocument(homes)), as: UTF8.self)
        #expect(text.contains("accessory: Kilgo Garage") && text.contains("name: Garage Unit"))
        let known = [
            KnownAccessory(name: "Kilgo Garage", reference: try SampleHome.reference(1), announced: SampleHome.garage),
            KnownAccessory(name: "fan", reference: try SampleHome.reference(2), announced: SampleHome.lamp("Fan")),
        ]
        for base in [Homes(), homes] {
            let merge = try merged(text, into: base, known: known)
            #expect(merge.errors.isEmpty && merge.missing.isEmpty)
            let found = try #require(merge.homes.primaryHome?.accessories)
            #expect(found.map(\.name.text) == ["Garage Unit", "Fan"])
            #expect(found.map(\.reference) == known.map(\.reference))
        }
    }

    @Test
    func anAliasThatIsNotAValidNameIsMatched() throws {
        let text = "home: House\naccessories: [{ accessory: kilgo-garage }]\n"
        let garage = KnownAccessory(
            name: "kilgo-garage",
            reference: try SampleHome.reference(1),
            announced: SampleHome.garage
        )
        let first = try merged(text)
        let second = try merged(text, into: first.homes, known: [garage])
        #expect(second.errors.isEmpty, "\(second.errors.map(\.value.description))")
        #expect(second.homes.primaryHome?.accessories.map(\.reference) == [garage.reference])
        let exported = String(decoding: try HomeFile.write(HomeDocument(first.homes)), as: UTF8.self)
        #expect(try merged(exported, known: [garage]).missing.isEmpty)
        // The same applies if only the name in the home is known.
        let named = try merged("home: House\naccessories: [kilgo garage]\n", known: [garage])
        #expect(named.missing.isEmpty)
    }

    @Test(arguments: [false, true])
    func anAmbiguousAliasMatchesNothing(isReversed: Bool) throws {
        let lamp = KnownAccessory(
            name: "Lamp",
            reference: try SampleHome.reference(2),
            announced: SampleHome.lamp("Lamp")
        )
        let homes = try merged("home: House\naccessories: [{ accessory: Lamp, name: Desk Lamp }]\n", known: [lamp])
        var entries = ["{ accessory: Lamp, name: Desk Lamp }", "{ accessory: Desk Lamp, name: Reading Lamp }"]
        if isReversed { entries.reverse() }
        let merge = try merged(
            "home: House\naccessories: [\(entries.joined(separator: ", "))]\n",
            into: homes.homes,
            known: [lamp]
        )
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(merge.homes.primaryHome?.accessories.map(\.name.text) == ["Desk Lamp", "Reading Lamp"])
        let fan = try merged("home: House\naccessories: [Fan]\n")
        let twice = try merged("home: House\naccessories: [Fan, Fan]\n", into: fan.homes)
        #expect(twice.errors.map(\.value.code) == [.accessoryTwice])
    }

    @Test
    func aServiceNumberCreatesThatManyServices() throws {
        var homes = Homes()
        for (key, count) in [("Outlet (2)", 2), ("Outlet (2)", 2), ("Outlet (5)", 5), ("Outlet (10000)", 5)] {
            let name = key.filter(\.isNumber)
            let text = "home: House\naccessories: [{ accessory: Strip, services: { \(key): Plug \(name) } }]\n"
            let merge = try merged(text, into: homes)
            #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
            #expect(merge.pending.isEmpty == (key != "Outlet (10000)"))
            homes = merge.homes
            #expect(homes.primaryHome?.visibleServices.count == count)
        }
        #expect(homes.primaryHome?.accessories[0].services[4].name.text == "Plug 5")
    }

    @Test(arguments: ["Bed", "Cafe", "Face", "1"])
    func aHexNameBesideATypeIsNotReadAsAUUID(key: String) throws {
        let text = "home: House\naccessories: [{ accessory: Lamp, services: { \(key): { type: Lightbulb } } }]\n"
        let merge = try merged(text)
        #expect(merge.errors.isEmpty && merge.pending.isEmpty)
        #expect(merge.homes.primaryHome?.visibleServices.map { $0.service.name.text } == [key])
        #expect(try merged(text, into: merge.homes).changes.isEmpty)
    }

    @Test
    func aTypeOfSeveralServicesIsAmbiguous() throws {
        let strip = RemoteAccessory(
            named: "Strip",
            services: [
                SampleHome.information, SampleHome.service(10, "A", .outlet, [.on]),
                SampleHome.service(20, "B", .outlet, [.on]),
            ]
        )
        let known = KnownAccessory(name: "Strip", reference: try SampleHome.reference(1), announced: strip)
        let merge = try merged(
            "home: House\naccessories: [{ accessory: Strip, services: { Outlet: Plug } }]\n",
            known: [known]
        )
        #expect(merge.errors.map(\.value.code) == [.ambiguousName])
        #expect(merge.errors.first?.value.remedy == "Write Outlet (1) or Outlet (2).")
    }

    @Test
    func aPendingErrorHasASuggestionToo() throws {
        let actions = (0..<3).map { _ in "    - { set: Lmp/On, to: true }\n" }.joined()
        let text = """
            home: House
            accessories: [Ghost, { accessory: Lamp, services: { Lightbulb: Lamp } }]
            scenes:
              Night:
            \(actions)
            """
        let merge = try merged(text)
        #expect(merge.errors.isEmpty && merge.pending.count == 3)
        #expect(merge.pending.last?.value.remedy == "Did you mean Lamp?")
    }
}
