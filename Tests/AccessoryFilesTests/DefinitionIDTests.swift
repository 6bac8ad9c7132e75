import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Testing

/// Tests the ids of objects that have none in the definition.
@Suite
struct DefinitionIDTests {
    /// `Name` precedes `On`, but must not be assigned the id of `On`; otherwise the definition is refused.
    @Test(arguments: ["kept", "fixed"])
    func explicitIDIsReservedForItsOwner(ids: String) throws {
        let document = try read(
            """
            accessory: A
            ids: \(ids)
            services:
              - { type: Switch, name: B, iid: 30, characteristics: { On: { value: true, iid: 31 } } }
            """
        )
        #expect(try servedIDs(document).suffix(3) == [30, 32, 31])
    }

    @Test
    func explicitAIDIsReservedForItsOwner() throws {
        let document = try read(
            """
            bridge: B
            accessories:
              - { accessory: First, services: [{ type: Switch }] }
              - { accessory: Second, aid: 2, services: [{ type: Switch }] }
            """
        )
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase(document.makeAccessories(isSimulated: false), identifiers: &identifiers)
        #expect(database.accessories.map(\.rawValue) == [1, 3, 2])
    }

    @Test
    func firstAccessoryAlwaysHasAIDOne() {
        let text = """
            bridge: B
            accessories:
              - { accessory: First, aid: 1, services: [{ type: Switch }] }
            """
        let error = #expect(throws: DocumentError.self) { try read(text) }
        #expect(error?.diagnostics.map(\.path) == ["accessories[0].aid"])
    }

    private func servedIDs(_ document: AccessoryDocument) throws -> [UInt64] {
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase(document.makeAccessories(isSimulated: false), identifiers: &identifiers)
        return database.services.flatMap { service in
            [service.iid.rawValue] + database.characteristics[service.characteristics].map(\.id.iid.rawValue)
        }
    }

    private func read(_ text: String) throws -> AccessoryDocument {
        try AccessoryFile.read(Array(text.utf8), name: "test.yaml").document
    }
}
