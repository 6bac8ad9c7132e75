import AccessoryModel
import Foundation
import GRDB
import HAPCore
import TestSupport
import Testing

@testable import Storage

/// Tests that files of every released schema can be opened, and keep their contents.
@Suite struct StateMigrationTests {
    @Test func aFileOfTheFirstVersionOpensWithAllItHolds() async throws {
        let folder = try await folder(with: StateFixture.v1)
        let store = try await StateStore.open(folder: folder.state)
        #expect(try await store.serverKeys() == ["Kilgo Garage", "a\u{0}b"])
        let server = store.server(key: "Kilgo Garage")
        #expect(try await server.identity()?.exposed == sampleIdentity().exposed)
        let expected = PairingTable(
            pairings: [try samplePairing("zebra", key: 1), try samplePairing("ant", key: 2, isAdmin: false)],
            failedProofs: 5
        )
        #expect(try await server.pairings() == expected)
        var map = IdentifierMap()
        let greatest = try #require(AccessoryID(.max))
        map.record(.primary, forAccessory: "Kilgo Garage")
        map.record(greatest, forAccessory: "removed")
        map.record(.accessoryInformation, forObject: "3E", in: .primary)
        map.record(try #require(InstanceID(1 << 63)), forObject: "3E/23", in: greatest)
        let attributes = AttributeRecord(
            identifiers: map,
            configuration: ConfigurationRecord(number: 65_535, digest: [0xAB, 0xCD]),
            values: [
                try id(1, 9): true, try id(1, 10): .number(.unsigned(.max)), try id(1, 11): -7,
                try id(1, 12): 0.5, try id(1, 13): "Garage", try id(1, 14): .data([1, 2, 3]),
                try id(1, 15): "", try id(1, 16): .data([]), try id(1, 17): "a\u{0}b",
            ]
        )
        #expect(try await server.attributes() == attributes)
        #expect(try await store.server(key: "a\u{0}b").pairings().failedProofs == 0)
        try await store.close()
    }

    @Test func aNewFileHasTheTablesOfAMigratedOne() async throws {
        let fixture = try await folder(with: StateFixture.v1)
        try await StateStore.open(folder: fixture.state).close()
        let fresh = try TemporaryFolder()
        try await StateStore.open(folder: fresh.state).close()
        #expect(try await schema(of: fresh) == schema(of: fixture))
    }

    @Test func aFileOfANewerVersionIsLeftAlone() async throws {
        let folder = try await folder(with: StateFixture.v1 + "INSERT INTO grdb_migrations VALUES ('v999');")
        let before = try folder.contents()
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: folder.state) }
        #expect(error?.code == .tooNew)
        #expect(error?.reason.contains(folder.database) == true)
        #expect(try folder.contents()[""] == before[""])
    }

    @Test func anInterruptedDatabaseCreationIsRepeated() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        for suffix in ["", "-journal", "-wal"] {
            try Data("half".utf8).write(to: URL(fileURLWithPath: folder.database + ".new" + suffix))
        }
        try await StateStore.open(folder: folder.state).close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.state).sorted() == ["hap.sqlite", "lock"])
    }

    private func folder(with sql: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
        return folder
    }

    private func schema(of folder: TemporaryFolder) async throws -> [String] {
        let queue = try DatabaseQueue(path: folder.database)
        return try await queue.read { db in
            try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
    }
}
