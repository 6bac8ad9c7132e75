import AccessoryModel
import Foundation
import GRDB
import HAPCore
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite struct DurabilityTests {
    @Test func acknowledgedChangesAreCommittedWithFullSync() async throws {
        try await withStore { store async throws in
            #expect(try await level(of: .synced, in: store) == 2)
        }
    }

    @Test func valuesAreCommittedWithoutWaitingForTheDisk() async throws {
        try await withStore { store async throws in
            #expect(try await level(of: .buffered, in: store) == 1)
        }
    }

    @Test func everyWriteHasItsOwnDurability() async throws {
        try await withStore { store async throws in
            for _ in 0..<3 {
                #expect(try await level(of: .buffered, in: store) == 1)
                #expect(try await level(of: .synced, in: store) == 2)
            }
        }
    }

    @Test func aValueWriteThatFailsDoesNotWeakenTheNextChange() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.self) {
                try await store.database.write(.buffered) { try $0.execute(sql: "nonsense") }
            }
            #expect(try await level(of: .synced, in: store) == 2)
        }
    }

    @Test func thePortsCommitWithTheirDurability() async throws {
        try await withStore { store async throws in
            let server = store.server(key: "garage")
            try await server.save([try id(1, 1): true])
            #expect(try await lastLevel(in: store) == 1)
            try await server.apply(.countFailedProof)
            #expect(try await lastLevel(in: store) == 2)
            try await server.save([try id(1, 1): false])
            try await server.save(try sampleIdentity())
            #expect(try await lastLevel(in: store) == 2)
            try await server.save([try id(1, 1): true])
            try await server.save(IdentifierMap(), ConfigurationRecord())
            #expect(try await lastLevel(in: store) == 2)
            try await server.save([try id(1, 1): true])
            try await store.reset(key: "garage")
            #expect(try await lastLevel(in: store) == 2)
            try await server.save([try id(1, 1): true])
            try await store.removeAllPairings()
            #expect(try await lastLevel(in: store) == 2)
        }
    }

    /// Enabling the write-ahead log later would use a rollback journal; a kill during that would leave a file that
    /// cannot be inspected without writing to it.
    @Test func aNewDatabaseUsesWriteAheadLogging() throws {
        let temporary = try TemporaryFolder()
        let folder = StateFolder(path: temporary.path)
        try StateDatabase.create(in: folder)
        // These are the "file format write version" and "read version":
        // https://www.sqlite.org/fileformat.html#the_database_header
        #expect(try Data(contentsOf: URL(filePath: folder.databasePath))[18...19].elementsEqual([2, 2]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["hap.sqlite"])
    }

    @Test(
        arguments: [
            "PRAGMA journal_mode": "wal", "PRAGMA secure_delete": "1", "PRAGMA foreign_keys": "1",
            "PRAGMA cache_size": "-256", "PRAGMA synchronous": "2",
        ]
        .sorted { $0.key < $1.key }
    )
    func connectionsHaveTheirPragmas(_ pragma: (key: String, value: String)) async throws {
        try await withStore { store async throws in
            #expect(try await store.database.read { try String.fetchOne($0, sql: pragma.key) } == pragma.value)
        }
    }

    private func withStore(_ body: (StateStore) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        try await body(store)
        try await store.close()
    }

    private func level(of durability: Durability, in store: StateStore) async throws -> Int? {
        let level = Mutex<Int?>(nil)
        try await store.database.write(durability) { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA synchronous")
            level.withLock { $0 = found }
        }
        return level.withLock { $0 }
    }

    /// Returns the level of the last write, which stays in effect until the next one.
    private func lastLevel(in store: StateStore) async throws -> Int? {
        try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }
}
