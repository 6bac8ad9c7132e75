import AccessoryModel
import Foundation
import GRDB
import HAPCore
import TestSupport
import Testing

@testable import Storage

/// Tests that a failing disk causes an error, and the store stays usable.
@Suite struct StateFailureTests {
    @Test func aFullDiskIsReportedAndTheStoreStaysUsable() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let server = store.server(key: "garage")
        try await server.apply(.put(try samplePairing("phone")))
        try await store.database.read { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let saved = try id(1, 9)
        let large = CharacteristicValue.data(pattern(0, count: 1_000_000))
        let error = await #expect(throws: StoreError.self) { try await server.save([saved: large]) }
        #expect(error?.code == .unavailable)
        #expect(error?.reason.contains(folder.database) == true)
        #expect(try await server.attributes().values.isEmpty)
        #expect(try await server.pairings().pairings.count == 1)
        try await store.database.read { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        try await server.save([saved: large])
        #expect(try await server.attributes().values == [saved: large])
        try await store.close()
    }

    @Test func aDatabaseThatCannotBeWrittenIsReportedAndTheStoreStaysUsable() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let server = store.server(key: "garage")
        try await store.database.read { try $0.execute(sql: "PRAGMA query_only = ON") }
        let identity = try sampleIdentity()
        let error = await #expect(throws: StoreError.self) { try await server.save(identity) }
        #expect(error?.code == .unavailable)
        try await store.database.read { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try await server.save(identity)
        #expect(try await server.identity()?.exposed == identity.exposed)
        try await store.close()
    }

    @Test func aChangeThatFailsHalfwayLeavesNothing() async throws {
        struct Halfway: Error {}
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let error = await #expect(throws: StoreError.self) {
            try await store.database.write(.synced) { db in
                try db.execute(sql: "INSERT INTO server (server_key) VALUES ('half')")
                throw Halfway()
            }
        }
        #expect(error?.code == .unavailable)
        #expect(try await store.serverKeys().isEmpty)
        try await store.close()
    }

    @Test func anotherProgramThatLocksTheDatabaseIsReported() async throws {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_BUSY), in: StateFolder(path: "/state"))
        #expect(error.code == .inUse)
    }

    @Test(
        arguments: [
            .SQLITE_ERROR, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_IOERR_FSYNC, .SQLITE_READONLY, .SQLITE_CORRUPT,
            .SQLITE_NOTADB, .SQLITE_CONSTRAINT, .SQLITE_MISUSE, .SQLITE_NOMEM, .SQLITE_CANTOPEN, .SQLITE_BUSY,
        ] as [ResultCode]
    )
    func noErrorCarriesAStatementOrItsArguments(_ code: ResultCode) {
        let cause = DatabaseError(
            resultCode: code,
            message: "SECRET",
            sql: "SECRET",
            arguments: ["SECRET"],
            publicStatementArguments: true
        )
        let error = StoreError(cause, in: StateFolder(path: "/state"))
        #expect(cause.description.contains("SECRET"))
        #expect(!String(reflecting: error).contains("SECRET"))
        #expect(error.reason.contains("/state/hap.sqlite"))
        #expect(!error.remedy.isEmpty)
    }
}
