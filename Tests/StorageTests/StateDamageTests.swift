import AccessoryModel
import Foundation
import GRDB
import HAPCore
import TestSupport
import Testing

@testable import Storage

/// Tests that a damaged file is reported and stays unchanged, byte for byte.
@Suite struct StateDamageTests {
    @Test(arguments: [1, 99, 100, 511, 512, 4_096, 100_000])
    func randomBytesAreNotADatabase(_ count: Int) async throws {
        var generator = SystemRandomNumberGenerator()
        let folder = try await folder { _ in Data((0..<count).map { _ in UInt8.random(in: 1...255, using: &generator) })
        }
        try await expectDamaged(folder)
    }

    @Test(arguments: [0, 1, 15, 99, 100, 511, 512, 4_095, 4_096, 4_097, 8_192, 12_288])
    func aTruncatedFileIsDamaged(_ count: Int) async throws {
        let folder = try await folder { $0.prefix(count) }
        try await expectDamaged(folder)
    }

    @Test func aFileWithoutItsLastByteIsDamaged() async throws {
        let folder = try await folder { $0.dropLast() }
        try await expectDamaged(folder)
    }

    @Test func everyOverwrittenPageIsDetected() async throws {
        let whole = try await pristine()
        let pages = whole.count / 4_096
        #expect(pages > 10)
        for page in 0..<pages {
            let folder = try await folder(whole) { data in
                var data = data
                data.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: pattern(0xA5, count: 4_096))
                return data
            }
            try await expectDamaged(folder)
        }
    }

    @Test func aLogWithoutItsFileIsDamage() async throws {
        let folder = try await folder { $0 }
        try FileManager.default.removeItem(atPath: folder.database)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.database + "-wal"))
        try await expectDamaged(folder)
    }

    @Test func theLogOfADamagedFileIsLeftAlone() async throws {
        let origin = try TemporaryFolder()
        let store = try await StateStore.open(folder: origin.state)
        try await populate(store)
        try await store.database.truncateLog()
        try await store.server(key: "garage").save([try id(1, 1): "in the log"])
        // A killed process leaves the files like this.
        let files = try origin.contents()
        let log = try #require(files["-wal"])
        let whole = try #require(files[""])
        let folder = try await folder(whole) { data in
            data.prefix(8_192) + pattern(0xA5, count: 4_096) + data.dropFirst(12_288)
        }
        try log.write(to: URL(fileURLWithPath: folder.database + "-wal"))
        try await expectDamaged(folder)
        try await store.close()
    }

    /// An incomplete page in the file is not damage if the log has the complete page.
    @Test func aKillDuringACheckpointLosesNothing() async throws {
        let origin = try TemporaryFolder()
        let store = try await StateStore.open(folder: origin.state)
        try await populate(store)
        let files = try origin.contents()
        let folder = try await folder(files[""]) { $0 + pattern(1, count: 100) }
        try #require(files["-wal"]).write(to: URL(fileURLWithPath: folder.database + "-wal"))
        let survivor = try await StateStore.open(folder: folder.state)
        #expect(try await survivor.server(key: "garage").identity()?.exposed == sampleIdentity().exposed)
        #expect(try await survivor.server(key: "garage").attributes().values == [try id(1, 1): "value"])
        try await survivor.close()
        try await store.close()
    }

    @Test func aDatabaseOfAnotherProgramIsRefused() async throws {
        let folder = try await folder { _ in Data() }
        try FileManager.default.removeItem(atPath: folder.database)
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { try $0.execute(sql: "CREATE TABLE photo (id INTEGER PRIMARY KEY)") }
        try queue.close()
        try await expectDamaged(folder)
    }

    static let edits = [
        "UPDATE identity SET seed = x'00'",
        "UPDATE identity SET seed = x''",
        "UPDATE identity SET device_id = 'unknown'",
        "UPDATE identity SET setup_id = ''",
        "UPDATE identity SET setup_code = '111-11-111'",
        "UPDATE identity SET port = 65536",
        "UPDATE identity SET port = -1",
        "UPDATE server SET failed_proofs = -1",
        "UPDATE pairing SET identifier = x''",
        "UPDATE pairing SET identifier = zeroblob(37)",
        "UPDATE pairing SET public_key = zeroblob(31)",
        "UPDATE pairing SET admin = 2",
        "UPDATE configuration SET number = 0",
        "UPDATE configuration SET number = 65536",
        "UPDATE accessory SET aid = 0",
        "UPDATE accessory SET accessory_key = 5",
        "UPDATE accessory SET accessory_key = x'FF'",
        "UPDATE object SET aid = 0",
        "UPDATE object SET iid = 0",
        "UPDATE object SET path = 1.5",
        "UPDATE value SET aid = 0",
        "UPDATE value SET iid = 0",
        "UPDATE value SET kind = 'Bool'",
        "UPDATE value SET kind = 'bool', value = 2",
        "UPDATE value SET kind = 'bool', value = NULL",
        "UPDATE value SET kind = 'unsigned', value = 'text'",
        "UPDATE value SET kind = 'negative', value = 1.5",
        "UPDATE value SET kind = 'real', value = 1",
        "UPDATE value SET kind = 'real', value = NULL",
        "UPDATE value SET kind = 'string', value = 1",
        "UPDATE value SET kind = 'string', value = x'FF'",
        "UPDATE value SET kind = 'data', value = 'text'",
    ]

    @Test(arguments: edits)
    func anUnexpectedRowIsDamaged(_ sql: String) async throws {
        let folder = try await folder { $0 }
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
        let store = try await StateStore.open(folder: folder.state)
        let server = store.server(key: "garage")
        var codes: [StoreError.Code] = []
        do { _ = try await server.identity() } catch { codes.append(error.code) }
        do { _ = try await server.pairings() } catch { codes.append(error.code) }
        do { _ = try await server.attributes() } catch { codes.append(error.code) }
        #expect(!codes.isEmpty)
        #expect(codes.allSatisfy { $0 == .damaged })
        // The rest of the store stays usable despite the bad row.
        try await store.server(key: "other").save([try id(1, 1): true])
        try await store.reset(key: "garage")
        try await store.close()
    }

    @Test(arguments: ["DROP TABLE identity", "ALTER TABLE identity RENAME COLUMN seed TO key"])
    func anUnexpectedTableIsDamaged(_ sql: String) async throws {
        let folder = try await folder { $0 }
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
        let store = try await StateStore.open(folder: folder.state)
        let read = await #expect(throws: StoreError.self) { try await store.server(key: "garage").identity() }
        #expect(read?.code == .damaged)
        let write = await #expect(throws: StoreError.self) {
            try await store.server(key: "garage").save(try sampleIdentity())
        }
        #expect(write?.code == .damaged)
        #expect(try await store.server(key: "garage").pairings().pairings.count == 1)
        try await store.close()
    }

    @Test func damageWhileTheStoreIsOpenIsReported() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        try await populate(store)
        try await store.database.truncateLog()
        let count = try Data(contentsOf: URL(fileURLWithPath: folder.database)).count
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(pattern(0xA5, count: count - 4_096)))
        try file.close()
        try await store.database.read { $0.releaseMemory() }
        let error = await #expect(throws: StoreError.self) { try await store.server(key: "garage").attributes() }
        #expect(error?.code == .damaged)
    }

    // MARK: -

    private func populate(_ store: StateStore) async throws {
        let server = store.server(key: "garage")
        try await server.save(try sampleIdentity())
        try await server.apply(.put(try samplePairing("phone")))
        var map = IdentifierMap()
        map.record(.primary, forAccessory: "garage")
        map.record(.accessoryInformation, forObject: "3E", in: .primary)
        try await server.save(map, ConfigurationRecord(number: 1, digest: [1]))
        try await server.save([try id(1, 1): "value"])
    }

    private func pristine() async throws -> Data {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        try await populate(store)
        try await store.close()
        return try Data(contentsOf: URL(fileURLWithPath: folder.database))
    }

    /// Returns a folder with a populated database whose bytes were changed.
    private func folder(_ whole: Data? = nil, _ change: (Data) throws -> Data) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        let bytes: Data = if let whole { whole } else { try await pristine() }
        try change(bytes).write(to: URL(fileURLWithPath: folder.database))
        return folder
    }

    private func expectDamaged(_ folder: TemporaryFolder) async throws {
        let before = try folder.contents()
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: folder.state) }
        #expect(error?.code == .damaged, "\(String(describing: error))")
        #expect(error?.reason.contains(folder.database) == true)
        #expect(error?.remedy.isEmpty == false)
        for (suffix, bytes) in before {
            #expect(try folder.contents()[suffix] == bytes)
        }
        #expect(try StateStore.holder(of: folder.state) == nil)
    }
}
