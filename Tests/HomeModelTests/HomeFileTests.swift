import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests that homes are exported to files and imported from files.
struct HomeFileTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>, [AccessoryFileKind.yaml, .json])
    func anExportedFileImportsTheSameHomes(seed: UInt64, kind: AccessoryFileKind) throws {
        var editor = RandomEditor(seed: seed)
        for _ in 0..<500 {
            try? editor.edit()
        }
        let homes = editor.homes
        let document = HomeDocument(homes)
        #expect(try HomeFile.read(try HomeFile.write(document, as: kind), name: "home") == document)
        for home in homes.homes {
            let written = try HomeFile.write(HomeDocument(homes: [HomeDescription(home)]), as: kind)
            let merge = HomeMerge(try HomeFile.read(written, name: "home"), into: Homes(), known: Self.known(in: home))
            #expect(merge.errors.isEmpty, "\(merge.errors.first?.value.description ?? "")")
            #expect(merge.pending.isEmpty && merge.missing.isEmpty)
            let again = try #require(merge.homes.homes.first)
            #expect(HomeDescription(again) == HomeDescription(home))
            #expect(Self.structure(of: again) == Self.structure(of: home))
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func importingUnchangedHomesChangesNothing(seed: UInt64) throws {
        var editor = RandomEditor(seed: seed)
        for _ in 0..<500 {
            try? editor.edit()
        }
        let document = try HomeFile.read(try HomeFile.write(HomeDocument(editor.homes)), name: "home")
        for extent in [HomeMerge.Scope.partial, .complete] {
            let merge = HomeMerge(document, into: editor.homes, known: [], extent: extent)
            #expect(merge.errors.isEmpty, "\(merge.errors.first?.value.description ?? "")")
            #expect(merge.homes == editor.homes)
            #expect(merge.changes.isEmpty)
        }
    }

    @Test(arguments: [AccessoryFileKind.yaml, .json])
    func everyPartOfAHomeCanBeWritten(kind: AccessoryFileKind) throws {
        let document = try HomeFile.read(Array(SampleHomeFile.text.utf8), name: "home.yaml")
        let merge = HomeMerge(document, into: Homes(), known: [])
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        #expect(merge.pending.isEmpty, "\(merge.pending.map(\.value.description))")
        let home = try #require(merge.homes.primaryHome)
        #expect(home.automations.count == 21 && home.scenes.count == 2)
        #expect(home.accessory(of: try home.service(named: "Charger").id)?.bridge != nil)
        let written = try HomeFile.write(HomeDocument(merge.homes), as: kind)
        let again = HomeMerge(try HomeFile.read(written, name: "home"), into: Homes(), known: [])
        #expect(again.errors.isEmpty)
        #expect(again.homes == merge.homes)
    }

    @Test
    func twoNamesCanBeSwapped() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let before = try sample.service("Living Room Lamp").id
        let text = """
            home: Kilgo House
            accessories:
              - { accessory: Living Room Lamp, services: { Lightbulb: Bedroom Lamp } }
              - { accessory: Bedroom Lamp, services: { Lightbulb: Living Room Lamp } }
            """
        let merge = HomeMerge(try HomeFile.read(Array(text.utf8), name: "f"), into: sample.homes, known: [])
        #expect(merge.errors.isEmpty)
        #expect(merge.homes.home(sample.id)?.service(before)?.name.text == "Bedroom Lamp")
        #expect(
            merge.changes.map(\.description) == [
                "~ The service Living Room Lamp is now called Bedroom Lamp.",
                "~ The service Bedroom Lamp is now called Living Room Lamp.",
            ]
        )
    }

    @Test
    func aCompleteFileRemovesWhatItDoesNotName() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let text = "home: Kilgo House\nrooms: [Garage]\naccessories: [Kilgo Garage]\n"
        let document = try HomeFile.read(Array(text.utf8), name: "f")
        #expect(HomeMerge(document, into: sample.homes, known: []).changes.isEmpty)
        let merge = HomeMerge(document, into: sample.homes, known: [], extent: .complete)
        #expect(merge.errors.isEmpty)
        let home = try #require(merge.homes.home(sample.id))
        #expect(home.rooms.map(\.name.text) == ["Garage"] && home.zones.isEmpty && home.users.isEmpty)
        #expect(home.accessories.map(\.name.text) == ["Kilgo Garage"])
        // A built-in scene is not removed, and a home that the file does not name is not changed.
        #expect(home.scenes.map(\.kind) == [.sleep])
        #expect(merge.homes.homes.count == 2)
    }

    private static func known(in home: Home) -> [KnownAccessory] {
        home.accessories.map { accessory in
            KnownAccessory(
                name: accessory.name.text,
                reference: accessory.reference,
                announced: RemoteAccessory(aid: .primary, services: accessory.services.map(announced))
            )
        }
    }

    private static func announced(_ service: HomeService) -> RemoteService {
        RemoteService(
            iid: service.iid ?? .accessoryInformation,
            type: service.type,
            isPrimary: service.isPrimary,
            isHidden: service.isHidden,
            linked: service.linked,
            characteristics: service.characteristics.map {
                RemoteCharacteristic(
                    iid: $0.iid ?? .accessoryInformation,
                    $0.base,
                    value: $0.type == .name ? .string(service.name.text) : nil
                )
            }
        )
    }

    /// Returns the part of the services that comes from the accessories and not from the file.
    private static func structure(of home: Home) -> [[HomeService]] {
        home.accessories.map { accessory in
            accessory.services.map { service in
                HomeService(
                    id: ObjectID(1),
                    name: .entireHome,
                    type: service.type,
                    iid: service.iid,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    linked: service.linked,
                    characteristics: service.characteristics
                )
            }
        }
    }
}
