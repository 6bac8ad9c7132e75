import AccessoryFiles
import AccessoryModel
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import TestSupport
import Testing

@Suite("The accessories of a server in this process")
struct ServedAccessoryTests {
    @Test(arguments: GalleryFile.all)
    func servedAttributesEqualThoseThatAControllerReads(file: GalleryFile) throws {
        try Self.compare(
            try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile).document,
            file.path
        )
    }

    @Test func servedAttributesOfADumpEqualThoseThatAControllerReads() throws {
        let dumps = ["odd.json": Dumps.odd, "incomplete.json": Dumps.incomplete].merging(Dumps.real) { $1 }
        for (name, dump) in dumps {
            try Self.compare(try AccessoryFile.read(dump, name: name).document, name)
        }
    }

    private static func compare(_ document: AccessoryDocument, _ name: String) throws {
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase(
            document.makeAccessories(isSimulated: false),
            identifiers: &identifiers,
            isVerbatim: document.isVerbatim
        )
        let read = try RemoteDatabase.read(database.accessoriesBody(isAdmin: true))
        let direct = database.remoteAccessories
        #expect(direct.map(\.aid) == read.map(\.aid), "\(name)")
        for (direct, read) in zip(direct, read) {
            #expect(direct.name == read.name, "\(name)")
            #expect(direct.services.map(\.name) == read.services.map(\.name), "\(name)")
            #expect(direct.withoutValues == read.withoutValues, "\(name)")
        }
    }
}

extension RemoteAccessory {
    fileprivate var withoutValues: RemoteAccessory {
        var accessory = self
        for service in services.indices {
            for characteristic in services[service].characteristics.indices {
                accessory.services[service].characteristics[characteristic].value = nil
            }
        }
        return accessory
    }
}
