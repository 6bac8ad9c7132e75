import AccessoryModel
import Foundation
import HAPCore
import Storage
import TestSupport
import Testing

@Suite struct StateStoreTests {
    @Test func checkingForADatabaseCreatesNone() async throws {
        let folder = try TemporaryFolder()
        #expect(try !StateStore.exists(in: folder.state))
        #expect(!FileManager.default.fileExists(atPath: folder.state))
        #expect(try !StateStore.exists(in: folder.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try await StateStore.open(folder: folder.state).close()
        #expect(try StateStore.exists(in: folder.state))
        let error = #expect(throws: StoreError.self) { try StateStore.exists(in: folder.database) }
        #expect(error?.code == .unavailable)
        #expect(error?.description.contains("is not a folder") == true)
    }

    @Test func everythingIsThereAfterReopening() async throws {
        let folder = try TemporaryFolder()
        let identity = try sampleIdentity()
        var table = PairingTable()
        var map = IdentifierMap()
        map.record(.primary, forAccessory: "garage")
        map.record(.accessoryInformation, forObject: "3E", in: .primary)
        let attributes = AttributeRecord(
            identifiers: map,
            configuration: ConfigurationRecord(number: 3, digest: pattern(1, count: 64)),
            values: [try id(1, 9): 0.25]
        )
        let first = try await StateStore.open(folder: folder.state)
        let garage = first.server(key: "garage")
        try await garage.save(identity)
        for change in [.put(try samplePairing("b")), .put(try samplePairing("a")), .countFailedProof] as [PairingChange]
        {
            try await garage.apply(change)
            table.apply(change)
        }
        try await garage.save(attributes.identifiers, attributes.configuration)
        try await garage.save(attributes.values)
        try await first.close()

        let second = try await StateStore.open(folder: folder.state)
        #expect(try await second.serverKeys() == ["garage"])
        let reopened = second.server(key: "garage")
        #expect(try await reopened.identity()?.exposed == identity.exposed)
        #expect(try await reopened.pairings() == table)
        #expect(try await reopened.attributes() == attributes)
        try await second.close()
    }

    @Test func aStoreDroppedWithoutClosingLosesNothing() async throws {
        let folder = try TemporaryFolder()
        try await StateStore.open(folder: folder.state).server(key: "garage").save([try id(1, 9): "kept"])
        let store = try await StateStore.open(folder: folder.state)
        #expect(try await store.server(key: "garage").attributes().values == [try id(1, 9): "kept"])
    }

    @Test func aCleanCloseLeavesNoLog() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        try await store.server(key: "garage").save([try id(1, 9): 1])
        #expect(try folder.contents().keys.contains("-wal"))
        try await store.close()
        #expect(try folder.contents().keys.sorted() == [""])
        try await store.close()
    }

    @Test func callsAfterCloseAreRefused() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let garage = store.server(key: "garage")
        try await store.close()
        let read = await #expect(throws: StoreError.self) { try await garage.attributes() }
        #expect(read?.code == .unavailable)
        let write = await #expect(throws: StoreError.self) { try await garage.apply(.countFailedProof) }
        #expect(write?.code == .unavailable)
    }

    @Test func folderAndFilesArePrivate() async throws {
        let folder = try TemporaryFolder()
        let nested = folder.path + "/a/b"
        let store = try await StateStore.open(folder: nested)
        try await store.server(key: "garage").save(try sampleIdentity())
        for path in [folder.path + "/a", nested] {
            #expect(try TemporaryFolder.permissions(of: path) == 0o700)
        }
        for file in ["hap.sqlite", "hap.sqlite-wal", "hap.sqlite-shm", "lock"] {
            #expect(try TemporaryFolder.permissions(of: nested + "/" + file) == 0o600, "\(file)")
        }
        try await store.close()
    }

    @Test func permissionsOfOthersAreRemovedFromTheDatabase() async throws {
        let folder = try TemporaryFolder()
        try await StateStore.open(folder: folder.state).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.database)
        try await StateStore.open(folder: folder.state).close()
        #expect(try TemporaryFolder.permissions(of: folder.database) == 0o600)
    }

    @Test func anExistingFolderKeepsItsPermissions() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try await StateStore.open(folder: folder.path).close()
        #expect(try TemporaryFolder.permissions(of: folder.path) == 0o755)
    }

    @Test func aSlashAtTheEndOfTheFolderChangesNothing() async throws {
        let folder = try TemporaryFolder()
        try await StateStore.open(folder: folder.path + "//x//").server(key: "k").apply(.countFailedProof)
        let store = try await StateStore.open(folder: folder.path + "/x")
        #expect(try await store.serverKeys() == ["k"])
    }

    @Test func aFileInPlaceOfAFolderIsNamedInTheError() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/file"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        for path in [file, file + "/state"] {
            let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: path) }
            #expect(error?.code == .unavailable)
            #expect(error?.reason.contains(file) == true)
            #expect(error?.remedy.isEmpty == false)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
    }

    @Test(arguments: [
        ("/proc/hap-state", "/proc/hap-state"), ("/proc/self/hap/state", "/proc/self/hap"), ("", "is empty"),
    ])
    func aFolderThatCannotBeCreatedIsNamedInTheError(_ path: String, inReason words: String) async throws {
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: path) }
        #expect(error?.code == .unavailable)
        #expect(error?.reason.contains(words) == true)
    }

    @Test func aFolderInPlaceOfTheDatabaseIsNamedInTheError() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.database, withIntermediateDirectories: true)
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: folder.state) }
        #expect(error?.code == .unavailable)
        #expect(error?.reason.contains(folder.database) == true)
    }

    @Test func serversInOneFolderAreIsolated() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let keys = ["", "a", "A", "a\u{0}b", "1", "01", "a "]
        for (position, key) in keys.enumerated() {
            let server = store.server(key: key)
            try await server.save([try id(1, 9): .integer(position)])
            try await server.apply(.put(try samplePairing("controller", key: UInt8(position))))
        }
        for (position, key) in keys.enumerated() {
            let server = store.server(key: key)
            #expect(try await server.attributes().values == [try id(1, 9): .integer(position)])
            #expect(try await server.pairings().pairings == [try samplePairing("controller", key: UInt8(position))])
        }
        #expect(try await store.serverKeys() == keys)
    }

    @Test func aChangeSurvivesTheCancellationOfItsTask() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let garage = store.server(key: "garage")
        let saved = try id(1, 9)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await garage.save([saved: 1])
            return try await garage.attributes().values
        }
        #expect(try await task.value == [saved: 1])
    }
}
