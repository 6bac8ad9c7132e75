import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests how files change existing homes.
struct MergedHomeTests {
    @Test
    func aCompleteFileResetsWhatItOmits() throws {
        var sample = try SampleHome()
        let light = try sample.service("Garage Light").id
        let outlet = try sample.service("Office Outlet").id
        let bedroom = try #require(sample.rooms["Bedroom"])
        try sample.edit { home throws(HomeError) in
            try home.moveService(light, to: bedroom)
            try home.setAssociatedType(.lightbulb, of: outlet)
        }
        let text = "home: Kilgo House\nrooms: [Bedroom]\naccessories: [Kilgo Garage, Office Outlet]\n"
        let merge = try merged(text, into: sample.homes, extent: .complete)
        let home = try #require(merge.homes.home(sample.id))
        #expect(merge.errors.isEmpty)
        #expect(home.accessories.map(\.room) == [.entireHome, .entireHome])
        #expect(home.service(light)?.room == nil && home.service(outlet)?.associatedType == nil)
        let part = try #require(try merged(text, into: sample.homes).homes.home(sample.id))
        #expect(part.service(light)?.room == bedroom && part.service(outlet)?.associatedType == .lightbulb)
    }

    @Test
    func everyDifferenceIsReported() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let text = """
            home: Kilgo House
            accessories:
              - { accessory: Office Outlet, room: Garage, name: Plug, services: { Outlet: { room: Bedroom, as: Fan } } }
            scenes:
              Movie Time: { kind: wakeUp, actions: [] }
            users: { Charles: { role: administrator } }
            """
        let merge = try merged(text, into: sample.homes)
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(
            merge.changes.map(\.description) == [
                "~ The accessory Office Outlet is now called Plug.", "~ The accessory Plug is now in Garage.",
                "~ The accessory Plug is now called \"Office Outlet\" in files.",
                "~ The service Office Outlet is now in Bedroom.", "~ The service Office Outlet counts as Fan.",
                "~ The scene Movie Time is now of the kind wakeUp.", "~ The scene Movie Time now has 0 actions.",
                "~ The user Charles is now administrator.",
                "~ The user Charles may no longer access the home remotely.",
            ]
        )
    }

    @Test
    func effectsOfAnUpdateAreReported() throws {
        var sample = try SampleHome()
        try sample.prepare()
        var garage = SampleHome.garage
        garage.services[1].characteristics.removeAll { $0.type == .currentDoorState }
        garage.services[2].characteristics.removeAll { $0.type == .on }
        let known = KnownAccessory(
            name: "Kilgo Garage",
            reference: try SampleHome.reference(1),
            announced: garage
        )
        let merge = try merged("home: Kilgo House\naccessories: [Kilgo Garage]\n", into: sample.homes, known: [known])
        #expect(merge.errors.isEmpty)
        let reported = merge.changes.map(\.description)
        #expect(reported.contains { $0.hasPrefix("~ The scene Good Night no longer sets") }, "\(reported)")
        #expect(reported.contains { $0.hasPrefix("- The automation Light the Garage is removed:") }, "\(reported)")
        #expect(reported.contains { $0.hasPrefix("~ Garage Light no longer has ") }, "\(reported)")
    }

    @Test
    func builtInScenesAreFoundByTheirKind() throws {
        let before = try merged(
            "home: House\nscenes: { Night: { kind: sleep, actions: [] }, Morning: { kind: wakeUp, actions: [] } }\n"
        )
        let home = try #require(before.homes.primaryHome)
        let exchanged = try merged(
            "home: House\nscenes: { Night: { kind: wakeUp, actions: [] }, Morning: { kind: sleep, actions: [] } }\n",
            into: before.homes
        )
        #expect(exchanged.errors.isEmpty, "\(exchanged.errors.map(\.value.description))")
        #expect(exchanged.homes.primaryHome?.scenes.map(\.name.text) == ["Morning", "Night"])
        #expect(exchanged.homes.primaryHome?.scenes.map(\.id) == home.scenes.map(\.id))
        let renamed = try merged(
            "home: House\nscenes: { Night: [], Good Night: { kind: sleep, actions: [] } }\n",
            into: before.homes
        )
        #expect(renamed.errors.isEmpty, "\(renamed.errors.map(\.value.description))")
        #expect(renamed.homes.primaryHome?.scenes.map(\.name.text) == ["Good Night", "Morning", "Night"])
        let refused = try merged("home: House\nscenes: { Night: [] }\n", into: before.homes)
        #expect(refused.errors.map(\.value.code) == [.builtInSceneFixed])
        let twice = try merged(
            "home: House\nscenes: { A: { kind: sleep, actions: [] }, B: { kind: sleep, actions: [] } }\n"
        )
        #expect(twice.errors.map(\.value.code) == [.sceneKindTaken])
    }

    @Test
    func aCompleteFileThatTakesABuiltInScenesNameReplacesIt() throws {
        let before = try merged(
            "home: House\nscenes: { Night: [], Late: { kind: sleep, actions: [] } }\n"
        )
        let merge = try merged(
            "home: House\nscenes: { Night: { kind: sleep, actions: [] } }\n",
            into: before.homes,
            extent: .complete
        )
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(merge.homes.primaryHome?.scenes.map(\.name.text) == ["Night"])
    }

    @Test
    func aRewrittenAutomationKeepsItsID() throws {
        let text = """
            home: House
            accessories: [{ accessory: Lamp, services: { Lightbulb: Lamp } }]
            scenes: { SCENE: [{ set: Lamp/On, to: true }] }
            automations: { Evening: { when: { time: 20:00 }, run: [SCENE] } }
            """
        let before = try merged(text.replacing("SCENE", with: "One"))
        let merge = try merged(text.replacing("SCENE", with: "Two"), into: before.homes, extent: .complete)
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        let automations = try [before, merge].map { try #require($0.homes.primaryHome?.automations.first) }
        #expect(automations[0].id == automations[1].id)
        #expect(automations[0].targets != automations[1].targets)
        #expect(merge.changes.map(\.description).contains("~ The automation Evening now does: Two."))
    }

    @Test
    func oneHomeOfAFileIsPrimary() throws {
        let merge = try merged("homes: [{ home: A, primary: true }, { home: B, primary: true }]\n")
        #expect(merge.errors.map(\.value.code) == [.primaryHome])
        #expect(merge.errors.first?.location?.path == "homes[1].home")
    }

    @Test
    func theFirstThousandErrorsAreReported() throws {
        let rooms = (0..<1_500).map { "R\($0)" }.joined(separator: ", ")
        let merge = try merged("home: House\nzones: { Up: [\(rooms)] }\n")
        #expect(merge.errors.count == DiagnosticList.maximum + 1)
        #expect(merge.errors.first?.value.reason == "There are 1500 errors; the first 1000 are reported.")
        #expect(merge.errors.first?.location?.position?.line == 1)
    }

    @Test(arguments: [("on", 1), ("yes", 1), ("off", 0), ("no", 0), ("Active", 1)])
    func activeAcceptsOnAndOff(text: String, number: UInt64) throws {
        let merge = try merged(
            """
            home: House
            accessories: [{ accessory: Valve, services: { Valve: Valve } }]
            scenes: { Water: [{ set: Valve/Active, to: \(text) }] }
            """
        )
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(merge.homes.primaryHome?.scenes.first?.actions.map(\.value) == [.number(.unsigned(number))])
    }

    @Test
    func onIsNotADoorState() throws {
        let merge = try merged(
            """
            home: House
            accessories: [{ accessory: Door, services: { GarageDoorOpener: Door } }]
            scenes: { Air: [{ set: Door/TargetDoorState, to: on }] }
            """
        )
        #expect(merge.errors.map(\.value.code) == [.invalidValue])
    }

    @Test(arguments: ["1.50", "1e3", "True", "+7", "0.10"])
    func textValuesAreStoredVerbatim(text: String) throws {
        let television = RemoteAccessory(
            named: "Screen",
            services: [SampleHome.information, SampleHome.service(10, "Screen", .television, [.configuredName])]
        )
        let known = KnownAccessory(name: "Screen", reference: try SampleHome.reference(1), announced: television)
        let merge = try merged(
            "home: House\naccessories: [Screen]\nscenes: { A: [{ set: Screen/ConfiguredName, to: \(text) }] }\n",
            known: [known]
        )
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(merge.homes.primaryHome?.scenes.first?.actions.map(\.value) == [.string(text)])
        let again = try HomeFile.read(try HomeFile.write(HomeDocument(merge.homes)), name: "again")
        #expect(HomeMerge(again, into: merge.homes, known: [known]).changes.isEmpty)
    }

    @Test
    func aNumberMayHaveTrailingZeros() throws {
        let merge = try merged(
            """
            home: House
            accessories: [{ accessory: Heater, services: { Thermostat: Heater } }]
            scenes: { Warm: [{ set: Heater/TargetTemperature, to: 20.50 }] }
            """
        )
        #expect(merge.homes.primaryHome?.scenes.first?.actions.map(\.value) == [20.5])
    }
}
