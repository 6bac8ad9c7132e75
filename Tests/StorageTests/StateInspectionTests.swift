import AccessoryModel
import Foundation
import HAPCore
import TestSupport
import Testing

@testable import Storage

@Suite struct StateInspectionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aRunningServerIsReadAndNothingIsTouched() async throws {
        let store = try await populatedStore()
        let before = try allFiles()
        let inspection = try StateStore.inspect(folder: folder.state)
        #expect(inspection.holder?.processID == getpid())
        #expect(inspection.contents == .intact(servers: [try storedContents()], isCurrent: true))
        #expect(inspection.isWritable)
        #expect(!inspection.isExposed)
        #expect(inspection.size > 0)
        #expect(inspection.freeBytes.map { $0 > 0 } == true)
        #expect(try Set(allFiles().keys) == Set(before.keys))
        for name in ["hap.sqlite", "hap.sqlite-wal", "lock"] {
            #expect(try allFiles()[name] == before[name])
        }
        // The server continues to work.
        try await store.server(key: "garage").apply(.countFailedProof)
        try await store.close()
    }

    @Test func aClosedStateIsReadWithoutALockALogOrAnIndex() async throws {
        try await populatedStore().close()
        let before = try allFiles()
        let inspection = try StateStore.inspect(folder: folder.state)
        #expect(inspection.holder == nil)
        #expect(inspection.contents == .intact(servers: [try storedContents()], isCurrent: true))
        #expect(try allFiles() == before)
    }

    @Test func theLogOfAKilledServerIsRead() async throws {
        let store = try await populatedStore()
        let killed = "/" + folder.path + "/é %41?b#c"
        try FileManager.default.copyItem(atPath: folder.state, toPath: killed)
        try await store.close()
        let before = try allFiles(in: killed)
        #expect(before["hap.sqlite-wal"]?.isEmpty == false)
        let inspection = try StateStore.inspect(folder: killed)
        #expect(inspection.holder == nil)
        #expect(inspection.contents == .intact(servers: [try storedContents()], isCurrent: true))
        #expect(try allFiles(in: killed) == before)
    }

    @Test func aLogWithoutItsIndexIsLeftUnread() async throws {
        let store = try await populatedStore()
        let killed = folder.path + "/killed"
        try FileManager.default.copyItem(atPath: folder.state, toPath: killed)
        try await store.close()
        try FileManager.default.removeItem(atPath: killed + "/hap.sqlite-shm")
        let before = try allFiles(in: killed)
        #expect(try StateStore.inspect(folder: killed).contents == .unreadable)
        #expect(try allFiles(in: killed) == before)
    }

    @Test func inspectingNothingCreatesNothing() throws {
        let inspection = try StateStore.inspect(folder: folder.state)
        #expect(!inspection.exists)
        #expect(inspection.contents == .none)
        #expect(inspection.freeBytes.map { $0 > 0 } == true)
        #expect(!FileManager.default.fileExists(atPath: folder.state))
    }

    @Test(arguments: [0, 1, 4_095, 4_096, 5_000, 20_000])
    func aFileThatIsNoDatabaseIsReportedAndUnchanged(size: Int) throws {
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        try Data(pattern(1, count: size)).write(to: URL(fileURLWithPath: folder.database))
        let before = try allFiles()
        guard case .unusable(let error) = try StateStore.inspect(folder: folder.state).contents else {
            Issue.record("expected an unusable file, but it was read as a database")
            return
        }
        #expect(error.code == .damaged)
        #expect(try allFiles() == before)
    }

    @Test(arguments: [100, 4_096, 9_000, 30_000])
    func aDatabaseWithADamagedPageIsReportedAndUnchanged(offset: Int) async throws {
        try await populatedStore().close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        for index in offset..<min(offset + 200, bytes.count) {
            bytes[index] ^= 0xA5
        }
        try bytes.write(to: URL(fileURLWithPath: folder.database))
        let before = try allFiles()
        _ = try StateStore.inspect(folder: folder.state)
        #expect(try allFiles() == before)
    }

    @Test func filesReadableByOthersAreReported() async throws {
        try await populatedStore().close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.database)
        #expect(try !StateStore.inspect(folder: folder.state).isExposed)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.state)
        #expect(try StateStore.inspect(folder: folder.state).isExposed)
    }

    private func populatedStore() async throws -> StateStore {
        let store = try await StateStore.open(folder: folder.state)
        let server = store.server(key: "garage")
        try await server.save(try sampleIdentity())
        try await server.apply(.put(try samplePairing("admin")))
        try await server.apply(.put(try samplePairing("guest", isAdmin: false)))
        try await server.apply(.countFailedProof)
        return store
    }

    private func storedContents() throws -> StoredServer {
        StoredServer(
            key: "garage",
            deviceID: "0A:1B:2C:3D:4E:5F",
            port: 51_826,
            pairings: 2,
            admins: 1,
            failedProofs: 1
        )
    }

    private func allFiles(in path: String? = nil) throws -> [String: Data] {
        let path = path ?? folder.state
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(path)/\($0)"))) }
        )
    }
}
