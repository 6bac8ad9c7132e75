import AccessoryModel
import ControllerTestSupport
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("The database of an accessory")
struct DatabaseCacheTests {
    private func databaseReadCount(_ accessory: ScriptedAccessory) -> Int {
        accessory.journal.requests.count { $0.endpoint == .accessories }
    }

    @Test("Without an announcement, the database is read once per session")
    func unannouncedDatabaseIsReadOncePerSession() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            _ = try await paired.accessories()
            _ = try await paired.accessories()
            #expect(databaseReadCount(accessory) == 1)
            _ = try await paired.accessories(refreshing: true)
            #expect(databaseReadCount(accessory) == 2)
            accessory.journal.perform(.close)
            try await eventually("the session ends") { await !paired.hasSession }
            _ = try await paired.read([CharacteristicID(aid: .primary, iid: try #require(InstanceID(9)))])
            // A firmware update may have changed the meaning of the values in the meantime.
            #expect(databaseReadCount(accessory) == 3)
            _ = try await paired.accessories()
            #expect(databaseReadCount(accessory) == 3)
        }
    }

    @Test("A stored database is used as long as its number is announced", arguments: [5, 6])
    func storedDatabaseIsUsedWhileItsNumberIsAnnounced(_ number: UInt64) async throws {
        try await ScriptedAccessory.serve(Script()) { accessory in
            var stored = accessory.storedPairing
            stored.host = nil
            let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [stored])
            try await store.save(
                CachedDatabase(configurationNumber: 5, body: Array(Script.lamp.utf8)),
                of: stored.pairing
            )
            let endpoint = AccessoryEndpoint(host: "127.0.0.1", port: accessory.port, configurationNumber: number)
            let finder = FixedFinder(endpoints: [endpoint])
            let controller = try await Controller.open(store: store, configuration: .quick, resolver: finder)
            let paired = try await controller.accessory("Lamp")
            _ = try await paired.read([CharacteristicID(aid: .primary, iid: try #require(InstanceID(9)))])
            let accessories = try await paired.accessories()
            #expect(accessories.first?.services.first?.characteristics.count == 3)
            #expect(databaseReadCount(accessory) == (number == 5 ? 0 : 1))
            let cached = try await store.database(of: stored.pairing)
            #expect(cached?.configurationNumber == number)
            await controller.close()
        }
    }
}
