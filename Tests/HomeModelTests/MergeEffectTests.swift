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
