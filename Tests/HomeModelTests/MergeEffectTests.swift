import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests the changes that a merge reports for an accessory that has changed.
struct MergeEffectTests {
    @Test
    func removedServicesAreReportedWithTheirScenes() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let changes = try Self.merge("accessories: [Living Room Lamp]", withoutBrightness: sample)
        #expect(changes.contains("~ Living Room Lamp no longer has Brightness."), "\(changes)")
        #expect(changes.contains("~ The scene Movie Time no longer sets Brightness of Living Room Lamp."))
        #expect(changes.count == Set(changes).count)
    }

    @Test
    func aLossOfSeveralAccessoriesIsReportedOnce() throws {
        var sample = try SampleHome()
        let (first, second) = try (
            sample.selector("Living Room Lamp", .brightness), sample.selector("Bedroom Lamp", .brightness)
        )
        let on = try sample.action("Garage Light", .on, true)
        let actions = [first, second].map { HomeAction(characteristic: $0, value: 10) }
        try sample.edit { home throws(HomeError) in
            let name = try ObjectName("Dim")
            _ = try home.addAutomation {
                let targets = AutomationTargets<HomeIDs>(ownActions: actions + [on])
                return Automation(
                    id: $0,
                    name: name,
                    rule: AutomationRule(triggers: [.interval(.seconds(60), from: nil)], targets: targets)
                )
            }
        }
        let document = try HomeFile.read(
            Array("home: Kilgo House\naccessories: [Living Room Lamp, Bedroom Lamp]\n".utf8),
            name: "home.yaml"
        )
        let known = try [("Living Room Lamp", 2), ("Bedroom Lamp", 3)]
            .map { name, server in
                KnownAccessory(
                    name: name,
                    reference: try SampleHome.reference(UInt8(server)),
                    announced: RemoteAccessory(
                        named: name,
                        services: [SampleHome.information, SampleHome.service(10, nil, .lightbulb, [.on])]
                    )
                )
            }
        let merge = HomeMerge(document, into: sample.homes, known: known)
        let changes = merge.changes.map(\.description)
        #expect(changes.count { $0.contains("automation Dim has lost") } == 1, "\(changes)")
        #expect(changes.count == Set(changes).count, "\(changes)")
        #expect(merge.homes.homes.first?.automations.first?.targets.ownActions == [on])
        #expect(HomeRules.violations(in: merge.homes).isEmpty)
    }

    @Test
    func theFileDecidesOverAnUpdate() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let changes = try Self.merge(
            "accessories: [Living Room Lamp]\nscenes: { Movie Time: [{ set: Living Room Lamp/On, to: true }] }",
            withoutBrightness: sample
        )
        #expect(changes.contains("~ Living Room Lamp no longer has Brightness."), "\(changes)")
        #expect(!changes.contains { $0.contains("no longer sets") }, "\(changes)")
    }

    @Test
    func anUndiscoveredAccessoryMissesOnlyRequiredCharacteristics() throws {
        let text = """
            home: House
            accessories:
              - { accessory: Garage, services: { GarageDoorOpener: Door, Lightbulb: Light } }
            """
        let document = try HomeFile.read(Array(text.utf8), name: "home.yaml")
        let described = HomeMerge(document, into: Homes(), known: []).homes
        #expect(described.primaryHome?.accessories.first?.services.last?.characteristic(.hue) != nil)
        let door = SampleHome.service(10, nil, .garageDoorOpener, [.currentDoorState, .obstructionDetected])
        let announced = RemoteAccessory(
            named: "Garage",
            services: [SampleHome.information, door, SampleHome.service(20, nil, .lightbulb, [.on])]
        )
        let found = KnownAccessory(
            name: "Garage",
            reference: try SampleHome.reference(1),
            announced: announced
        )
        let changes = HomeMerge(document, into: described, known: [found]).changes.map(\.description)
        #expect(changes.contains("~ The accessory Garage is found."), "\(changes)")
        #expect(
            changes.filter { $0.contains("no longer") } == ["~ Door no longer has Target Door State."],
            "\(changes)"
        )
    }

    /// Merges a file with the given text after the home's name.
    ///
    /// The lamp now has only On.
    private static func merge(_ text: String, withoutBrightness sample: SampleHome) throws -> [String] {
        let document = try HomeFile.read(Array("home: Kilgo House\n\(text)\n".utf8), name: "home.yaml")
        let lamp = KnownAccessory(
            name: "Living Room Lamp",
            reference: try SampleHome.reference(2),
            announced: RemoteAccessory(
                named: "Living Room Lamp",
                services: [SampleHome.information, SampleHome.service(10, nil, .lightbulb, [.on])]
            )
        )
        let merge = HomeMerge(document, into: sample.homes, known: [lamp])
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(HomeRules.violations(in: merge.homes).isEmpty)
        return merge.changes.map(\.description)
    }
}
