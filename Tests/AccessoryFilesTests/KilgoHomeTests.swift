import AccessoryFiles
import AccessoryModel
import Documents
import Foundation
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests the example home that users copy, with the accessories of the gallery.
struct KilgoHomeTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Config")

    /// The accessories of the gallery, as a server knows them.
    static let gallery: [KnownAccessory] = GalleryFile.all.flatMap { file -> [KnownAccessory] in
        guard file.name != "ground-floor", let bytes = try? file.bytes,
            let reading = try? AccessoryFile.read(bytes, name: file.path, include: { GalleryFile.includedFile($0) })
        else { return [] }
        return reading.document.knownAccessories
    }

    static func document() throws -> HomeDocument {
        try HomeFile.read([UInt8](Data(contentsOf: folder.appending(path: "home.yaml"))), name: "Config/home.yaml")
    }

    @Test
    func homeContainsTheGalleryAccessories() throws {
        let merge = HomeMerge(try Self.document(), into: Homes(), known: Self.gallery)
        #expect(HomeFile.diagnostics(of: merge, in: "Config/home.yaml").map(\.description) == [])
        let home = try #require(merge.homes.primaryHome)
        #expect(home.accessories.count == 7 && home.zones.count == 2 && home.serviceGroups.count == 1)
        #expect(home.scenes.count == 4 && home.automations.count == 5)
        let light = try home.service(named: "Garage Light")
        #expect(home.room(of: light.id).flatMap(home.room)?.name.text == "Garage")
        #expect(try home.service(named: "Window Light").effectiveType == .lightbulb)
        #expect(HomeMerge(try Self.document(), into: merge.homes, known: Self.gallery).changes.isEmpty)
    }

    @Test
    func homeCanBeImportedBeforeItsAccessories() throws {
        let document = try Self.document()
        let before = HomeMerge(document, into: Homes(), known: [])
        #expect(before.errors.isEmpty)
        #expect(before.missing.count == 7)
        // The file contains the types of the services, so all scenes and automations are imported.
        #expect(before.pending.isEmpty)
        #expect(before.homes.primaryHome?.automations.count == 5)
        let after = HomeMerge(document, into: before.homes, known: Self.gallery)
        #expect(after.errors.isEmpty && after.missing.isEmpty && after.pending.isEmpty)
        let fresh = HomeMerge(document, into: Homes(), known: Self.gallery)
        #expect(Self.sorted(after.homes) == Self.sorted(fresh.homes))
    }

    /// Returns the homes with sorted automations, because those that were skipped at first are added at the end.
    private static func sorted(_ homes: Homes) -> HomeDocument {
        var document = HomeDocument(homes)
        for index in document.homes.indices {
            document.homes[index].automations.sort { $0.name.value.text < $1.name.value.text }
        }
        return document
    }

    @Test
    func wrongNameIsReportedWithItsLineAndSuggestions() throws {
        let text = """
            home: House
            rooms: [Garage]
            accessories: [Kilgo Garage, Desk Lmp]
            scenes:
              Night:
                - { set: Garage Light/Onn, to: true }
                - { set: Garage Lihgt/On, to: true }
                - { set: Garage Door/TargetDoorState, to: Ajar }
                - { set: Garage Door/CurrentDoorState, to: Closed }
            zones:
              Up: [Garrage, Default Room]
            """
        let document = try HomeFile.read(Array(text.utf8), name: "h.yaml")
        let merge = HomeMerge(document, into: Homes(), known: Self.gallery)
        #expect(merge.homes == Homes())
        let lines = HomeFile.diagnostics(of: merge, in: "h.yaml").filter { $0.severity == .error }.map(\.description)
        #expect(lines.count == 5, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("h.yaml:6:14: scenes.Night[0].set:") && $0.contains("did you mean On?") })
        #expect(lines.contains { $0.hasPrefix("h.yaml:8:") && $0.contains("Closed") })
        #expect(lines.contains { $0.hasPrefix("h.yaml:9:") })
        #expect(lines.contains { $0.hasPrefix("h.yaml:11:8: zones.Up[0]:") && $0.contains("did you mean Garage?") })
        #expect(lines.contains { $0.hasPrefix("h.yaml:11:17:") })
    }
}
