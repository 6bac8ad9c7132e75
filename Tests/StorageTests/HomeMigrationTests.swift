import AccessoryFiles
import AccessoryModel
import Foundation
import GRDB
import HomeModel
import HomeRunning
import TestSupport
import Testing

/// Homes that released versions kept open, and are what they were.
@Suite struct HomeMigrationTests {
    private static let released = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Released")

    @Test func homesOfTheFirstVersionOpenWithAllTheyHold() async throws {
        let folder = try await folder(with: Self.text("homes-v1.sql"))
        let store = try await HomeStateStore.open(folder: folder.state)
        let kept = try await store.homes()
        #expect(kept.version == 2 && kept.homes.nextID == 3)
        #expect(kept.homes.homes.map(\.name.text) == ["Everything", "Summer House"])
        let home = try #require(kept.homes.primaryHome)
        #expect(home.users.map(\.isHome) == [true, false])
        let document = HomeDocument(Homes(homes: [home]))
        #expect(String(decoding: try HomeFile.write(document), as: UTF8.self) == (try Self.text("homes-v1.yaml")))
        let changes = try home.automation(named: "Changes").id
        let becomes = try home.automation(named: "Becomes").id
        let lamp = CharacteristicSelector(service: try home.service(named: "Lamp").id, type: .brightness)
        let memory = EngineMemory(
            ends: [
                becomes: PendingEnd(
                    start: WallInstant(seconds: 1_800_000_000),
                    phase: .characteristic,
                    before: []
                ),
                changes: PendingEnd(
                    start: WallInstant(nanoseconds: -5),
                    phase: .until(WallInstant(seconds: 9)),
                    before: [HomeAction(characteristic: lamp, value: 40)]
                ),
            ],
            presence: [home.users[0].id: true, home.users[1].id: false],
            instant: WallInstant(nanoseconds: 1_800_000_000_000_000_003)
        )
        #expect(try await store.memory(of: home.id) == memory)
        let journal = try await store.journal(of: home.id, last: 10)
        #expect(journal.map(\.automation) == [becomes, nil])
        #expect(journal.map(\.text) == ["Becomes ran: Door opened.", "a\u{0}b"])
        #expect(journal.map(\.kind) == ["ran", "any"])
        try await store.close()
    }

    @Test func aNewFileHasTheTablesOfAMigratedOne() async throws {
        let fixture = try await folder(with: Self.text("homes-v1.sql"))
        try await HomeStateStore.open(folder: fixture.state).close()
        let fresh = try TemporaryFolder()
        try await HomeStateStore.open(folder: fresh.state).close()
        #expect(try await schema(of: fresh) == schema(of: fixture))
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: released.appending(path: name), encoding: .utf8)
    }

    private func database(_ folder: TemporaryFolder) -> String {
        folder.state + "/homes.sqlite"
    }

    private func folder(with sql: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: database(folder))
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
        return folder
    }

    private func schema(of folder: TemporaryFolder) async throws -> [String] {
        let queue = try DatabaseQueue(path: database(folder))
        return try await queue.read { db in
            try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
    }
}
