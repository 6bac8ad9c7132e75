import AccessoryModel
import HAPCore
import Testing

/// The database that a check passes on to the server.
struct PreparedDatabaseTests {
    private let database: AttributeDatabase
    private let identifiers: IdentifierMap

    init() throws {
        var identifiers = IdentifierMap()
        database = try AttributeDatabase([Sample.accessory([])], identifiers: &identifiers)
        self.identifiers = identifiers
    }

    @Test func newServerAndOneWithTheSameIdsUseIt() {
        #expect(PreparedDatabase(database, identifiers).take(for: IdentifierMap())?.identifiers == identifiers)
        #expect(PreparedDatabase(database, identifiers).take(for: identifiers)?.database.digest == database.digest)
    }

    @Test func serverWithOtherIdsDoesNotUseIt() {
        var earlier = identifiers
        earlier.record(.primary, forAccessory: "removed")
        #expect(PreparedDatabase(database, identifiers).take(for: earlier) == nil)
    }

    @Test func itIsUsedOnce() {
        let prepared = PreparedDatabase(database, identifiers)
        #expect(prepared.take(for: identifiers) != nil)
        #expect(prepared.take(for: identifiers) == nil)
    }
}
