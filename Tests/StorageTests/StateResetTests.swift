import AccessoryModel
import Foundation
import HAPCore
import Storage
import TestSupport
import Testing

@Suite struct StateResetTests {
    @Test func resettingOneServerLeavesTheOther() async throws {
        let folder = try TemporaryFolder()
        let store = try await populated(folder, ["garage", "bridge"])
        try await store.reset(key: "garage")
        #expect(try await store.serverKeys() == ["bridge"])
        #expect(try await store.server(key: "garage").identity()?.exposed == nil)
        #expect(try await store.server(key: "garage").pairings() == PairingTable())
        #expect(try await store.server(key: "garage").attributes() == AttributeRecord())
        try await expectPopulated(store, "bridge")
    }

    @Test func resettingAllLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        let store = try await populated(folder, ["garage", "bridge"])
        try await store.resetAll()
        #expect(try await store.serverKeys().isEmpty)
        for key in ["garage", "bridge"] {
            #expect(try await store.server(key: key).attributes() == AttributeRecord())
            #expect(try await store.server(key: key).pairings() == PairingTable())
        }
    }

    @Test func resettingAnUnknownServerChangesNothing() async throws {
        let folder = try TemporaryFolder()
        let store = try await populated(folder, ["garage"])
        try await store.reset(key: "Garage")
        try await expectPopulated(store, "garage")
    }

    @Test func removingPairingsLeavesEverythingElse() async throws {
        let folder = try TemporaryFolder()
        let store = try await populated(folder, ["garage", "bridge"])
        try await store.removePairings(key: "garage")
        #expect(try await store.server(key: "garage").pairings() == PairingTable(failedProofs: 1))
        #expect(try await store.server(key: "garage").identity()?.exposed == sampleIdentity().exposed)
        #expect(try await store.server(key: "garage").attributes().values.count == 1)
        try await expectPopulated(store, "bridge")
        try await store.removeAllPairings()
        #expect(try await store.server(key: "bridge").pairings() == PairingTable(failedProofs: 1))
    }

    @Test func aResetLeavesNoSecretInAnyFile() async throws {
        let folder = try TemporaryFolder()
        let store = try await populated(folder, ["garage"])
        let secrets = [pattern(0x41, count: 32), Array("314-15-926".utf8)].map { Data($0) }
        let before = try folder.contents()
        for secret in secrets {
            #expect(before.values.contains { $0.range(of: secret) != nil }, "the secret is found before the reset")
        }
        try await store.reset(key: "garage")
        let after = try folder.contents()
        for secret in secrets {
            #expect(after.values.allSatisfy { $0.range(of: secret) == nil })
        }
    }

    private func populated(_ folder: TemporaryFolder, _ keys: [String]) async throws -> StateStore {
        let store = try await StateStore.open(folder: folder.state)
        for key in keys {
            let server = store.server(key: key)
            try await server.save(try sampleIdentity())
            try await server.apply(.put(try samplePairing("phone")))
            try await server.apply(.countFailedProof)
            try await server.save(identifiers, ConfigurationRecord(number: 4, digest: [1]))
            try await server.save([try id(1, 9): true])
        }
        return store
    }

    private func expectPopulated(_ store: StateStore, _ key: String) async throws {
        let server = store.server(key: key)
        #expect(try await server.identity()?.exposed == sampleIdentity().exposed)
        #expect(try await server.pairings() == PairingTable(pairings: [samplePairing("phone")], failedProofs: 1))
        let expected = AttributeRecord(
            identifiers: identifiers,
            configuration: ConfigurationRecord(number: 4, digest: [1]),
            values: [try id(1, 9): true]
        )
        #expect(try await server.attributes() == expected)
    }

    private var identifiers: IdentifierMap {
        var map = IdentifierMap()
        map.record(.primary, forAccessory: "key")
        map.record(.accessoryInformation, forObject: "3E", in: .primary)
        return map
    }
}
