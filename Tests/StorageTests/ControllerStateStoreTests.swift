import AccessoryModel
import Foundation
import GRDB
import HAPCore
import Storage
import TestSupport
import Testing

@testable import HAPController

/// Tests the controller's database in its folder.
@Suite struct ControllerStateStoreTests {
    @Test func everythingIsThereAfterReopening() async throws {
        let folder = try TemporaryFolder()
        let identity = try sampleController()
        let pairing = try sampleStoredPairing("garage")
        #expect(try !ControllerStateStore.exists(in: folder.state))
        let first = try await ControllerStateStore.open(folder: folder.state)
        _ = try await first.save(identity)
        _ = try await first.save(pairing)
        try await first.close()
        try await first.close()
        #expect(try ControllerStateStore.exists(in: folder.state))
        let error = await #expect(throws: StoreError.self) { try await first.pairings() }
        #expect(error?.code == .unavailable)
        let second = try await ControllerStateStore.open(folder: folder.state)
        #expect(try await second.identity()?.exposed == identity.exposed)
        #expect(try await second.pairings() == [pairing])
        try await second.close()
    }

    @Test func controllerAndServerStateAreIndependent() async throws {
        let folder = try TemporaryFolder()
        let servers = try await StateStore.open(folder: folder.state)
        let controller = try await ControllerStateStore.open(folder: folder.state)
        _ = try await controller.save(try sampleStoredPairing("garage"))
        try await servers.server(key: "garage").apply(.countFailedProof)
        #expect(try await servers.serverKeys() == ["garage"])
        try await controller.close()
        try await servers.close()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.state).sorted()
        #expect(files == ["controller.lock", "controller.sqlite", "hap.sqlite", "lock"])
    }

    @Test func theFileIsPrivate() async throws {
        let folder = try TemporaryFolder()
        let store = try await ControllerStateStore.open(folder: folder.state)
        _ = try await store.save(try sampleController())
        #expect(try TemporaryFolder.permissions(of: folder.state) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.state)
        #expect(files.contains("controller.sqlite-wal"))
        for file in files {
            #expect(try TemporaryFolder.permissions(of: folder.state + "/" + file) == 0o600, "\(file)")
        }
        try await store.close()
    }

    @Test func changesAreOnDiskWhenTheyReturn() async throws {
        let folder = try TemporaryFolder()
        let store = try await ControllerStateStore.open(folder: folder.state)
        _ = try await store.save(try sampleStoredPairing("garage"))
        #expect(try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        #expect(try await store.database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 5_000)
        #expect(try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA secure_delete") } == 1)
        try await store.close()
    }

    @Test func concurrentOpensSeeOneIdentity() async throws {
        let folder = try TemporaryFolder()
        let identities = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for number in 0..<8 {
                group.addTask {
                    let store = try await ControllerStateStore.open(folder: folder.state)
                    let identity = try await store.save(try sampleController("c\(number)", fill: UInt8(number)))
                    for step in 0..<4 {
                        let device = "00:00:00:00:0\(number):0\(step)"
                        let pairing = try sampleStoredPairing("a\(number)-\(step)", device: device)
                        let outcome = try await store.save(pairing)
                        #expect(outcome == .saved)
                    }
                    try await store.close()
                    return identity.exposed
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(identities.count == 1)
        let store = try await ControllerStateStore.open(folder: folder.state)
        #expect(try await store.pairings().count == 32)
        try await store.close()
    }

    @Test func twoStoresSeeEachOthersChanges() async throws {
        let folder = try TemporaryFolder()
        let first = try await ControllerStateStore.open(folder: folder.state)
        let second = try await ControllerStateStore.open(folder: folder.state)
        let pairing = try sampleStoredPairing("garage")
        _ = try await first.save(pairing)
        #expect(try await second.pairings() == [pairing])
        try await second.remove(pairing.pairing)
        #expect(try await first.pairings().isEmpty)
        try await first.close()
        _ = try await second.save(pairing)
        #expect(try await second.pairings() == [pairing])
        try await second.close()
    }

    @Test func removedPairingsLeaveNoKeyInTheFile() async throws {
        let folder = try TemporaryFolder()
        let store = try await ControllerStateStore.open(folder: folder.state)
        let body = pattern(0x99, count: 200)
        let garage = try sampleStoredPairing("garage", key: 0x61)
        _ = try await store.save(garage)
        try await store.save(CachedDatabase(configurationNumber: 1, body: body), of: garage.pairing)
        let file = URL(fileURLWithPath: folder.state + "/controller.sqlite")
        try await store.database.truncateLog()
        #expect(try Data(contentsOf: file).range(of: Data(pattern(0x61, count: 32))) != nil)
        try await store.remove(garage.pairing)
        try await store.close()
        let contents = try Data(contentsOf: file)
        #expect(contents.range(of: Data(pattern(0x61, count: 32))) == nil)
        #expect(contents.range(of: Data(body)) == nil)
    }

    @Test func theCountOfWrongCodesSurvivesTheProcessAndIsLimited() async throws {
        let folder = try TemporaryFolder()
        let first = try await ControllerStateStore.open(folder: folder.state)
        let second = try await ControllerStateStore.open(folder: folder.state)
        #expect(try await first.countWrongCode(at: "early") == 1)
        #expect(try await second.countWrongCode(at: "early") == 2)
        try await first.close()
        for number in 0..<256 {
            _ = try await second.countWrongCode(at: "\(number)")
        }
        #expect(try await second.countWrongCode(at: "early") == 1)
        #expect(try await second.countWrongCode(at: "255") == 2)
        try await second.close()
    }

    @Test(arguments: ["-7", "9223372036854775807"])
    func anImplausibleCountOfWrongCodesBlocksNothing(count: String) async throws {
        let odd = try await folder(with: ControllerFixture.v2 + "UPDATE wrong_code SET count = \(count);")
        let store = try await ControllerStateStore.open(folder: odd.state)
        #expect(try await store.countWrongCode(at: "192.168.1.20:51826") > 0)
        try await store.close()
    }

    @Test func aFileOfTheFirstVersionOpensWithAllItHolds() async throws {
        let folder = try await folder(with: ControllerFixture.v1)
        let store = try await ControllerStateStore.open(folder: folder.state)
        #expect(try await store.identity()?.exposed == sampleController("pne").exposed)
        let ant = AccessoryPairing(identifier: [0xFF], publicKey: try #require(Ed25519PublicKey(pattern(2, count: 32))))
        let garage = try sampleStoredPairing("garage")
        let other = StoredPairing(alias: "ant", pairing: try #require(ant))
        #expect(try await store.pairings() == [garage, other])
        #expect(
            try await store.database(of: garage.pairing)
                == CachedDatabase(configurationNumber: .max, body: Array("{}".utf8))
        )
        #expect(try await store.database(of: other.pairing) == CachedDatabase(configurationNumber: nil, body: []))
        try await store.close()
    }

    @Test(arguments: [ControllerFixture.v1, ControllerFixture.v2])
    func aNewFileHasTheTablesOfAMigratedFixture(sql: String) async throws {
        let fixture = try await folder(with: sql)
        try await ControllerStateStore.open(folder: fixture.state).close()
        let fresh = try TemporaryFolder()
        try await ControllerStateStore.open(folder: fresh.state).close()
        let tables = try await schema(of: fixture)
        #expect(tables.count == 5)
        #expect(try await schema(of: fresh) == tables)
    }

    @Test func aFileOfANewerVersionIsLeftAlone() async throws {
        let folder = try await folder(with: ControllerFixture.v1 + "INSERT INTO grdb_migrations VALUES ('v999');")
        let error = try await failure(folder)
        #expect(error.code == .tooNew)
        #expect(error.reason.contains("controller.sqlite"))
    }

    @Test(
        arguments: [
            "UPDATE identity SET seed = x'00'", "UPDATE identity SET identifier = x''",
            "UPDATE pairing SET identifier = x'' WHERE id = 3", "UPDATE pairing SET public_key = zeroblob(31)",
            "UPDATE pairing SET port = 65536", "UPDATE pairing SET alias = x'FF' WHERE id = 3",
            "UPDATE pairing SET host = 1.5",
        ]
    )
    func anUnexpectedRowIsDamage(sql: String) async throws {
        let edited = try await folder(with: ControllerFixture.v1 + sql + ";")
        let store = try await ControllerStateStore.open(folder: edited.state)
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.identity()
            _ = try await store.pairings()
        }
        #expect(error?.code == .damaged)
        try await store.close()
    }

    @Test(arguments: [0, 1, 99, 512, 4_097])
    func aDamagedFileIsLeftAsItIs(count: Int) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        let damaged = Data(pattern(0x55, count: count))
        let file = URL(fileURLWithPath: folder.state + "/controller.sqlite")
        try damaged.write(to: file)
        let error = try await failure(folder)
        #expect(error.code == .damaged)
        #expect(error.reason.contains("controller.sqlite"))
        #expect(try Data(contentsOf: file) == damaged)
    }

    @Test func aPathThatIsNoFolderIsUnavailable() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.state))
        #expect(try await failure(folder).code == .unavailable)
    }

    private func failure(_ folder: TemporaryFolder) async throws -> StoreError {
        try #require(
            await #expect(throws: StoreError.self) { try await ControllerStateStore.open(folder: folder.state) }
        )
    }

    private func folder(with sql: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.state + "/controller.sqlite")
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
        return folder
    }

    private func schema(of folder: TemporaryFolder) async throws -> [String] {
        let queue = try DatabaseQueue(path: folder.state + "/controller.sqlite")
        return try await queue.read { db in
            try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
    }
}
