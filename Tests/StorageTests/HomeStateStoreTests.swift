import AccessoryFiles
import AccessoryModel
import Foundation
import GRDB
import HAPCore
import HomeModel
import Storage
import TestSupport
import Testing

@testable import HomeRuntime

/// Tests the database of homes.
@Suite struct HomeStateStoreTests {
    private func sample() throws -> Homes {
        let document = try HomeFile.read(Array(SampleHomeFile.text.utf8), name: "home.yaml")
        var homes = HomeMerge(document, into: Homes(), known: []).homes
        _ = try homes.addHome(named: ObjectName("Summer House"))
        return homes
    }

    @Test func everythingIsThereAfterReopening() async throws {
        let folder = try TemporaryFolder()
        #expect(try !HomeStateStore.exists(in: folder.state))
        let first = try await HomeStateStore.open(folder: folder.state)
        #expect(try await first.homes() == StoredHomes())
        let homes = try sample()
        #expect(homes.homes.count == 2)
        #expect(try await first.save(homes, replacing: 0) == 1)
        try await first.close()
        let second = try await HomeStateStore.open(folder: folder.state)
        let stored = try await second.homes()
        #expect(stored.version == 1 && stored.homes == homes)
        #expect(try await second.database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.state) {
            #expect(try TemporaryFolder.permissions(of: folder.state + "/" + file) == 0o600, "\(file)")
        }
        try await second.close()
    }

    @Test func aStaleChangeIsRefusedAndCanBeRetried() async throws {
        let folder = try TemporaryFolder()
        let first = try await HomeStateStore.open(folder: folder.state)
        let second = try await HomeStateStore.open(folder: folder.state)
        _ = try await first.save(try sample(), replacing: 0)
        var mine = try await first.homes().homes
        _ = try await second.update { homes throws(HomeError) in
            try homes.addHome(named: ObjectName("Office"))
        }
        _ = try mine.addHome(named: ObjectName("Attic"))
        let attempt = mine
        let error = await #expect(throws: HomeStoreError.self) { try await first.save(attempt, replacing: 1) }
        guard case .conflict(let newer)? = error else {
            Issue.record("expected a conflict")
            return
        }
        #expect(newer.version == 2 && newer.homes.homes.count == 3)
        _ = try await first.update { homes throws(HomeError) in try homes.addHome(named: ObjectName("Attic")) }
        #expect(try await second.homes().homes.homes.map(\.name.text).suffix(2) == ["Office", "Attic"])
        try await first.close()
        try await second.close()
    }

    @Test func concurrentChangesAreNotLost() async throws {
        let folder = try TemporaryFolder()
        try await HomeStateStore.open(folder: folder.state).close()
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    let store = try await HomeStateStore.open(folder: folder.state)
                    for step in 0..<5 {
                        _ = try await store.update { homes throws(HomeError) in
                            try homes.addHome(named: ObjectName("Home \(number) \(step)"))
                        }
                    }
                    try await store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try await HomeStateStore.open(folder: folder.state)
        let stored = try await store.homes()
        #expect(stored.homes.homes.count == 20 && stored.version == 20)
        try await store.close()
    }

    @Test func aRefusedChangeWritesNothing() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        _ = try await store.save(try sample(), replacing: 0)
        let error = await #expect(throws: HomeStoreError.self) {
            _ = try await store.update { homes throws(HomeError) in
                try homes.addHome(named: ObjectName("summer house"))
            }
        }
        guard case .refused(let reason)? = error else {
            Issue.record("expected a refusal")
            return
        }
        #expect(reason.code == .duplicateName)
        #expect(try await store.homes().version == 1)
        try await store.close()
    }

    @Test func presenceIsStoredBesideTheHomesAndRemovedWithTheUser() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        let homes = try sample()
        _ = try await store.save(homes, replacing: 0)
        let home = try #require(homes.primaryHome)
        let bob = try home.user(named: "Bob").id
        try await store.setPresence(true, of: bob, in: home.id)
        // Saving homes that were read earlier does not undo it.
        _ = try await store.save(homes, replacing: 1)
        #expect(try await store.homes().homes.primaryHome?.user(bob)?.isHome == true)
        try await store.setPresence(nil, of: bob, in: home.id)
        #expect(try await store.homes().homes.primaryHome?.user(bob)?.isHome == nil)
        try await store.setPresence(false, of: bob, in: home.id)
        _ = try await store.update { homes throws(HomeError) in
            try homes.edit(home.id) { home throws(HomeError) in _ = try home.removeUser(bob) }
        }
        #expect(try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM presence") } == 0)
        try await store.close()
    }

    @Test func theJournalKeepsTheLastTenThousand() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        let homes = try sample()
        _ = try await store.save(homes, replacing: 0)
        let home = try #require(homes.primary)
        let entries = (0..<10_500)
            .map { number in
                StoredJournalEntry(
                    home: home,
                    instant: WallInstant(seconds: Int64(number)),
                    automation: number % 2 == 0 ? nil : ObjectID(7),
                    kind: "ran",
                    text: "Nr \(number)\u{0}"
                )
            }
        try await store.append(Array(entries[..<9_000]))
        try await store.append(Array(entries[9_000...]))
        #expect(try await store.journal(of: home, last: 20_000) == Array(entries.suffix(10_000)))
        #expect(try await store.journal(of: home, last: 3) == Array(entries.suffix(3)))
        #expect(try await store.journal(of: ObjectID(99), last: 3).isEmpty)
        try await store.close()
    }

    @Test func presenceChangesAreStoredInOrder() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        let homes = try sample()
        _ = try await store.save(homes, replacing: 0)
        let home = try #require(homes.primaryHome)
        let (ada, other) = (home.users[0].id, home.users[1].id)
        #expect(try await store.homes().lastPresenceChange == 0)
        try await store.setPresence(true, of: other, in: home.id)
        let first = try await store.homes().lastPresenceChange
        try await store.setPresence(true, of: ada, in: home.id)
        try await store.setPresence(false, of: ada, in: home.id)
        try await store.setPresence(nil, of: ada, in: home.id)
        // For a home that does not exist, nothing is stored.
        try await store.setPresence(true, of: ada, in: ObjectID(99))
        let changes = try await store.presenceChanges(of: home.id, after: first)
        #expect(changes.map(\.user) == [ada, ada, ada] && changes.map(\.isHome) == [true, false, nil])
        #expect(changes.last?.number == (try await store.homes().lastPresenceChange))
        #expect(try await store.presenceChanges(of: home.id, after: 0).count == 4)
        #expect(try await store.presenceChanges(of: homes.homes[1].id, after: 0).isEmpty)
        // Numbering continues after the changes are deleted, so that a process that has read them misses none.
        let last = try await store.homes().lastPresenceChange
        try await store.database.write(.synced) { try $0.execute(sql: "DELETE FROM presence_change") }
        try await store.setPresence(true, of: ada, in: home.id)
        #expect(try await store.presenceChanges(of: home.id, after: last).map(\.isHome) == [true])
        try await store.close()
    }

    @Test func engineStateIsStored() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        let homes = try sample()
        _ = try await store.save(homes, replacing: 0)
        let home = try #require(homes.primaryHome)
        let lamp = CharacteristicSelector(service: try home.service(named: "Lamp").id, type: .brightness)
        let start = WallInstant(nanoseconds: -5)
        let memory = EngineState(
            pendingEnds: [
                home.automations[0].id: PendingEnd(
                    start: start,
                    awaiting: .instant(WallInstant(seconds: 9)),
                    restoringActions: [HomeAction(characteristic: lamp, value: 40)]
                ),
                home.automations[1].id: PendingEnd(start: start, awaiting: .endTest, restoringActions: []),
            ],
            presence: [home.users[0].id: true, home.users[1].id: false],
            intervalStarts: [home.automations[1].id: WallInstant(nanoseconds: -7)],
            lastInstant: WallInstant(seconds: 3)
        )
        #expect(try await store.engineState(of: home.id) == EngineState())
        try await store.save(memory, of: home.id)
        #expect(try await store.engineState(of: home.id) == memory)
        try await store.close()
    }

    @Test(
        arguments: [
            "UPDATE home SET body = x'7B'", "UPDATE home SET body = CAST('{}' AS BLOB)", "UPDATE home SET schema = 0",
            "UPDATE homes SET version = 9223372036854775807", "UPDATE homes SET version = -1",
            "UPDATE homes SET next_id = 1", "UPDATE homes SET primary_home = 77",
            "UPDATE home SET id = 99 WHERE id = 1",
            "UPDATE home SET body = CAST(replace(CAST(body AS TEXT), '\"Lamp\"', '\"La!mp\"') AS BLOB)",
            "UPDATE home SET body = CAST(replace(CAST(body AS TEXT), '\"firstArrives\"', '7') AS BLOB)",
        ]
    )
    func anUnexpectedRowIsDamage(sql: String) async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        _ = try await store.save(try sample(), replacing: 0)
        try await store.database.write(.synced) { try $0.execute(sql: sql) }
        let error = await #expect(throws: StoreError.self) { _ = try await store.homes() }
        #expect(error?.code == .damaged)
        #expect(error?.remedy.contains("import your home file again") == true)
        try await store.close()
    }

    @Test(
        arguments: [
            (#""enabled":true"#, #""enabled":1"#), (#""remote":true"#, #""remote":"yes""#),
            (#""timeZone":"Australia/Sydney""#, #""timeZone":7"#), (#""maximum":100"#, #""maximum":"100""#),
            (#""changes":true"#, #""changes":1"#), (#""above":25"#, #""above":"25","below":3"#),
            (#""alias":"Strip""#, #""alias":7"#), (#""minimum":0"#, #""minimum":"0""#),
        ]
    )
    func aKeyWithOtherContentIsNotReadAsMissing(before: String, after: String) async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        _ = try await store.save(try sample(), replacing: 0)
        let count = try await store.database.write(.synced) { db in
            try db.execute(
                sql: """
                    UPDATE home SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)
                    WHERE instr(CAST(body AS TEXT), ?) > 0
                    """,
                arguments: [before, after, before]
            )
            return db.changesCount
        }
        #expect(count == 1)
        let error = await #expect(throws: StoreError.self) { _ = try await store.homes() }
        #expect(error?.code == .damaged)
        try await store.close()
    }

    @Test func aRowOfANewerVersionIsNoDamage() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        let homes = try sample()
        _ = try await store.save(homes, replacing: 0)
        let home = try #require(homes.primary)
        try await store.save(EngineState(), of: home)
        try await store.database.write(.synced) { db in
            try db.execute(sql: "UPDATE home SET schema = 9")
            try db.execute(sql: "UPDATE memory SET schema = 9")
        }
        var error = await #expect(throws: StoreError.self) { _ = try await store.homes() }
        #expect(error?.code == .tooNew)
        error = await #expect(throws: StoreError.self) { _ = try await store.engineState(of: home) }
        #expect(error?.code == .tooNew)
        try await store.close()
    }

    @Test func aFileOfANewerVersionIsLeftAlone() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        try await store.database.write(.synced) { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')") }
        try await store.close()
        let error = await #expect(throws: StoreError.self) { _ = try await HomeStateStore.open(folder: folder.state) }
        #expect(error?.code == .tooNew)
    }
}
