import AccessoryFiles
import AccessoryModel
import Foundation
import GRDB
import HomeModel
import Storage
import TestSupport
import Testing

@testable import HomeRuntime

/// Tests databases that earlier builds have stored.
@Suite struct HomeMigrationTests {
    private static let released = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Released")

    @Test func storedHomesAreTheSameBytesInEveryBuild() async throws {
        let homes = try Self.homes()
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        _ = try await store.save(homes, replacing: 0)
        let stored = try await store.database.read { db in
            try String.fetchAll(db, sql: "SELECT CAST(body AS TEXT) FROM home ORDER BY id").map { $0 + "\n" }.joined()
        }
        #expect(try stored == Self.text("homes-v3.json", or: stored))
        #expect(try await store.homes().homes == homes)
        try await store.close()
    }

    @Test func storedPresenceStateAndJournalAreTheSameBytesInEveryBuild() async throws {
        let homes = try Self.homes()
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        _ = try await store.save(homes, replacing: 0)
        let home = try #require(homes.homes.first)
        let memory = try Self.engineState(of: home)
        try await store.save(memory, of: home.id)
        for (user, isHome) in zip(home.users, [true, false]) {
            try await store.setPresence(isHome, of: user.id, in: home.id)
        }
        let entry = StoredJournalEntry(
            home: home.id,
            instant: WallInstant(seconds: 7),
            automation: home.automations[0].id,
            kind: "endDue",
            text: "It ends."
        )
        try await store.append([entry])
        let stored = try await store.database.read { db in
            try [
                "SELECT schema, CAST(body AS TEXT) FROM memory", "SELECT home, user, is_home FROM presence",
                "SELECT home, user, is_home FROM presence_change ORDER BY id",
                "SELECT home, nanoseconds, automation, kind, text FROM journal",
            ]
            .flatMap { sql in
                try Row.fetchAll(db, sql: sql)
                    .map { row in
                        row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }.joined(separator: " ")
                    }
            }
            .map { $0 + "\n" }.joined()
        }
        #expect(try stored == Self.text("homes-v3-memory.txt", or: stored))
        #expect(try await store.engineState(of: home.id) == memory)
        try await store.close()
    }

    @Test func aDatabaseOfAnEarlierBuildIsSetAsideAndTheHomesAreImportedAgain() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        let path = folder.state + "/homes.sqlite"
        for number in 1...2 {
            try? FileManager.default.removeItem(atPath: path)
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: Self.text("homes-v1.sql")) }
            try queue.close()
            let store = try await HomeStateStore.open(folder: folder.state)
            #expect(store.replacedDatabasePath == path + (number == 1 ? ".old" : ".old-2"))
            #expect(try await store.homes().homes == Homes())
            _ = try await store.save(try Self.homes(), replacing: 0)
            let document = HomeDocument(try await store.homes().homes)
            #expect(String(decoding: try HomeFile.write(document), as: UTF8.self) == (try Self.text("homes-v1.yaml")))
            try await store.close()
        }
        let old = try DatabaseQueue(path: path + ".old")
        #expect(try await old.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM home") } == 2)
    }

    @Test func aDatabaseOfThisBuildIsNotSetAside() async throws {
        let folder = try TemporaryFolder()
        for _ in 1...2 {
            let store = try await HomeStateStore.open(folder: folder.state)
            #expect(store.replacedDatabasePath == nil)
            try await store.close()
        }
    }

    private static func homes() throws -> Homes {
        let document = try HomeFile.read(Array(text("homes-v1.yaml").utf8), name: "homes-v1.yaml")
        let merge = HomeMerge(document, into: Homes(), known: [])
        #expect(merge.errors.isEmpty)
        return merge.homes
    }

    private static func engineState(of home: Home) throws -> EngineState {
        let service = try #require(home.accessories.lazy.flatMap(\.services).first { $0.isVisible })
        let lamp = CharacteristicSelector(service: service.id, type: .on)
        let start = WallInstant(nanoseconds: -5)
        return EngineState(
            pendingEnds: [
                home.automations[0].id: PendingEnd(
                    start: start,
                    awaiting: .instant(WallInstant(seconds: 9)),
                    restoringActions: [HomeAction(characteristic: lamp, value: true)]
                ),
                home.automations[1].id: PendingEnd(start: start, awaiting: .endTest, restoringActions: []),
            ],
            presence: Dictionary(uniqueKeysWithValues: zip(home.users.map(\.id), [true, false])),
            intervalStarts: [home.automations[1].id: WallInstant(nanoseconds: -7)],
            lastInstant: WallInstant(seconds: 3)
        )
    }

    /// Returns the text of a fixture, and first writes the fixture if `HAP_WRITE_FIXTURES` is set.
    private static func text(_ name: String, or stored: String) throws -> String {
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(stored.utf8).write(to: released.appending(path: name))
        }
        return try text(name)
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: released.appending(path: name), encoding: .utf8)
    }
}
