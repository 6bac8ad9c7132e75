import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// The state that survives a restart and a change of the structure.
///
/// HAP: §1, §11.1, §11.7
@Suite struct RestartTests {
    @Test func restartRestoresIdentityPairingsIDsNumberPortAndValues() async throws {
        let store = InMemoryStore.withIdentity()
        var before: (ids: [CharacteristicID], port: UInt16, deviceID: DeviceID)?
        try await TestServer.run(store: store) { server in
            let controller = try await server.connect()
            _ = try await controller.pair()
            try await controller.verify()
            let ids = [try await server.lamp, try await server.id(TestAccessory.first)]
            #expect(try await controller.put(true, to: ids[0]).status == 204)
            #expect(try await controller.put(9, to: ids[1]).status == 204)
            let information = await server.server.information
            before = (ids, information.port, information.deviceID)
        }
        let stored = try #require(before)
        try await TestServer.run(store: store) { server in
            let information = await server.server.information
            #expect(information.isPaired)
            #expect(information.deviceID == stored.deviceID)
            #expect(information.port == stored.port)
            #expect(server.journal.entries.compactMap(\.statusFlag).first == "0")
            #expect(server.journal.entries.compactMap(\.configurationNumber).first == "1")
            let controller = try await server.session()
            #expect(try await controller.get(stored.ids).values == [stored.ids[0]: 1, stored.ids[1]: 9])
        }
    }

    @Test func chosenPortIsOutsideTheEphemeralRange() async throws {
        try await TestServer.run { server in
            #expect((20_000..<32_768).contains(await server.server.information.port))
        }
    }

    @Test func valuesRefusedByTheStoreAreStoredLater() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let first = try await server.id(TestAccessory.first)
            await server.store.fail(with: .full)
            #expect(try await controller.put(9, to: first).status == 204)
            try await server.journal.waitForEvent { $0 == .storeFailed(.full) }
            #expect(try await controller.value(of: first) == 9)
            await server.store.fail(with: nil)
            // There is no further write: the server tries again by itself.
            try await eventually("the value is kept") { try await server.store.attributes().values[first] == 9 }
        }
    }

    @Test func pairingsWithoutAnAdminAreDropped() async throws {
        try await TestServer.run(pairings: [TestServer.guestPairing]) { server in
            let stored = try await server.storedPairings
            #expect(stored.isEmpty)
            #expect(server.journal.entries.compactMap(\.statusFlag) == ["1"])
        }
    }

    @Test func firstStartUsesTheConfigurationAndLaterOnesKeepIt() async throws {
        let store = InMemoryStore()
        var configuration = ServerConfiguration.testing
        configuration.setupCode = Fixture.setupCode
        configuration.initialDeviceID = DeviceID("4B:7A:00:C0:FF:EE")
        configuration.initialSetupID = SetupID("LAMP")
        configuration.initialConfigurationNumber = 17
        try await TestServer.run(store: store, configuration: configuration) { server in
            #expect(await server.server.information.deviceID == configuration.initialDeviceID)
            let setupID = try await store.identity()?.setupID
            #expect(setupID == configuration.initialSetupID)
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["17"])
            #expect(!server.journal.events.contains(.configurationChanged(17)))
        }
        let stored = configuration
        configuration.initialDeviceID = DeviceID("00:00:00:00:00:01")
        configuration.initialSetupID = SetupID("XXXX")
        configuration.initialConfigurationNumber = 40
        try await TestServer.run([TestAccessory.accessory(hasLamp: false)], store: store, configuration: configuration)
        {
            server in
            #expect(await server.server.information.deviceID == stored.initialDeviceID)
            let setupID = try await store.identity()?.setupID
            #expect(setupID == stored.initialSetupID)
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["18"])
            #expect(server.journal.events.contains(.configurationChanged(18)))
        }
    }

    @Test func changedSetupCodeTakesEffectAndKeepsPairings() async throws {
        let store = InMemoryStore.withIdentity(PairingTable(pairings: [Fixture.pairing]))
        let code = Fixture.setupCode("111-22-333")
        try await TestServer.run(store: store, configuration: .testing.with(\.setupCode, code)) { server in
            #expect(await server.server.information.setupCode == code)
            let controller = try await server.session()
            let remove = PairingMessages.remove(Fixture.controller.identifier)
            #expect(try await controller.managePairings(remove) == nil)
            try await controller.messagesUntilClosed()
            _ = try await server.connect().pair(code: code)
        }
    }

    @Test func changedStructureRaisesTheNumberOnceAndKeepsIDs() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let (lamp, first) = (try await server.lamp, try await server.id(TestAccessory.first))
            try await controller.subscribe(to: first)
            #expect(try await controller.put(9, to: first).status == 204)
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1"])

            try await server.server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1", "2"])
            #expect(server.journal.events.contains(.configurationChanged(2)))
            #expect(try await controller.get([lamp]).statuses == [-70_409])
            #expect(try await server.id(TestAccessory.first) == first)
            #expect(try await controller.value(of: first) == 9)
            #expect(await server.server.set(10, for: first))
            #expect(try await controller.eventValues() == [first: 10])

            // The same structure is not a change. A service that returns gets its previous ids.
            try await server.server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1", "2"])
            try await server.server.replaceAccessories(with: [TestAccessory.accessory()])
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1", "2", "3"])
            #expect(try await server.lamp == lamp)
            #expect(try await server.store.attributes().configuration.number == 3)
        }
    }

    @Test func idIsNeverReused() async throws {
        let bridge = TestAccessory.accessory()
        let (one, two) = (TestAccessory.bridged(key: "One"), TestAccessory.bridged(key: "Two"))
        try await TestServer.run([bridge, one]) { server in
            let gone = try await server.id(.on, of: .lightbulb, in: "One")
            #expect(gone.aid.rawValue == 2)
            try await server.server.replaceAccessories(with: [bridge])
            try await server.server.replaceAccessories(with: [bridge, two])
            #expect(try await server.id(.on, of: .lightbulb, in: "Two").aid.rawValue == 3)
            try await server.server.replaceAccessories(with: [bridge, two, one])
            #expect(try await server.id(.on, of: .lightbulb, in: "One") == gone)
        }
    }

    @Test func invalidDeclarationChangesNothing() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let lamp = try await server.lamp
            await #expect(throws: ServerError.self) {
                try await server.server.replaceAccessories(with: [TestAccessory.accessory(), TestAccessory.accessory()])
            }
            await #expect(throws: ServerError.self) {
                try await server.server.replaceAccessories(with: [])
            }
            await server.store.fail(with: .full)
            await #expect(throws: ServerError.self) {
                try await server.server.replaceAccessories(with: [TestAccessory.accessory(hasLamp: false)])
            }
            await server.store.fail(with: nil)
            #expect(try await controller.value(of: lamp) == 0)
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1"])
        }
    }

    @Test func usedPortIsReported() async throws {
        try await TestServer.run { server in
            let port = await server.server.information.port
            await #expect(throws: ServerError.self) {
                try await TestServer.run(configuration: .testing.with(\.port, port)) { _ in }
            }
        }
    }
}
