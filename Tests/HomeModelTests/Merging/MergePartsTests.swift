import AccessoryModel
import Documents
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Tests the individual parts of a merge.
struct MergePartsTests {
    private static func name(_ text: String) -> ObjectName { ObjectName(checked: text) }

    @Test
    func entriesMatchByReferenceThenNameAndOnlyOnce() throws {
        let (here, there) = (try SampleHome.reference(1), try SampleHome.reference(2))
        let service = HomeService(SampleHome.information, id: ObjectID(9))
        let home = Home.made(accessories: [
            HomeAccessory(id: ObjectID(1), name: Self.name("Lamp"), reference: here, services: [service]),
            HomeAccessory(id: ObjectID(2), name: Self.name("Fan")),
        ])
        func entry(_ name: String, _ reference: AccessoryReference? = nil) -> HomeDescription.Accessory {
            var entry = HomeDescription.Accessory(accessory: Located(name))
            entry.deviceID = reference?.server
            return entry
        }
        let known = KnownAccessory(name: "Lamp", reference: here, announced: SampleHome.lamp("Lamp"))
        var diagnostics = MergeDiagnostics()
        let accessories = MergedAccessories(
            [entry("Lamp", there), entry("Fan"), entry("Whatever", here), entry("Lamp"), entry("Fan")],
            in: home,
            KnownAccessories([known]),
            &diagnostics
        )
        #expect(accessories.entries.map(\.id?.rawValue) == [nil, 2, 1, nil, nil])
        #expect(accessories.entries.map(\.isRepeated) == [false, false, false, true, true])
        #expect(accessories.entries.map(\.conflictingReference) == [here, nil, nil, nil, nil])
        #expect(diagnostics.errors.diagnostics.map(\.value.code) == [.accessoryTwice, .accessoryTwice])
    }

    @Test
    func newServicesTakeUnusedNamesUnlessTheFileChoseThem() throws {
        var home = Home.made()
        var structure = StructureUpdate(of: home)
        for name in ["A", "B", "C"].map(Self.name) {
            var accessory = HomeAccessory(id: home.newID(), name: name)
            accessory.services = try structure.services(
                of: SampleHome.lamp("Lamp"),
                named: Self.name("Lamp"),
                in: &home
            )
            home.accessories.append(accessory)
        }
        let chosen = try #require(home.accessories[1].services.last?.id)
        structure.nameRemaining(in: &home, besides: [chosen], [Self.name("Lamp 2")])
        #expect(home.accessories.map(\.services.last?.name.text) == ["Lamp 3", "Lamp", "Lamp 4"])
    }
}
