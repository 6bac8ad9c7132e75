import AccessoryFiles
import AccessoryModel
import Foundation
import HAPCore
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import Synchronization
import TestSupport
import Testing

/// Tests which state a running home stores and restores.
struct StoredHomeRunnerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns a store with one home, which has one user, and that home.
    private func store() async throws -> (HomeStateStore, Home) {
        let store = try await HomeStateStore.open(folder: folder.path)
        let id = try await store.update { homes throws(HomeError) in
            let id = try homes.addHome(named: ObjectName("House"))
            try homes.edit(id) { home throws(HomeError) in
                _ = try home.addUser(named: ObjectName("Ada"), role: .owner)
            }
            return id
        }
        return (store, try #require(try await store.homes().homes.home(id)))
    }

    @Test func engineStateThatCannotBeReadIsLeftAlone() async throws {
        let path = folder("homes.sqlite")
        var (store, home) = try await store()
        try await store.save(EngineState(lastInstant: WallInstant(seconds: 1_000)), of: home.id)
        try await store.close()
        // The stored state is no longer valid JSON.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("{\"ends\"".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "x")
        try bytes.write(to: URL(fileURLWithPath: path))

        store = try await HomeStateStore.open(folder: folder.path)
        var failure: StoreError?
        do throws(StoreError) {
            _ = try await store.engineState(of: home.id)
        } catch {
            failure = error
        }
        #expect(failure?.code == .damaged)
        let runner = await StoredHomeRunner(
            home,
            from: StoredHomes(),
            in: store,
            on: InProcessBackend(AccessoryHost(testing: .testing), startingAt: WallInstant(seconds: 2_000)),
            clock: MachineClock(),
            startedAt: WallInstant(seconds: 2_000),
            observers: []
        ) { _ in }
        await runner.close()
        try await store.close()
        let left = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(left.range(of: Data("x\"ends\"".utf8)) != nil)
    }

    private static let file = """
        home: House
        accessories: [{ accessory: Lamp, services: { Lightbulb: Lamp } }]
        users: { Ada: owner, Bob: member }
        automations:
          Welcome: { when: { presence: firstArrives }, run: [{ set: Lamp/On, to: true }] }
          Bob Gone: { when: { leaves: Bob }, run: [{ set: Lamp/On, to: false }] }
          Goodbye: { when: { presence: lastLeaves }, run: [{ set: Lamp/On, to: false }] }

        """

    /// The changes that other commands make before the runner's first poll, and later within one poll.
    private struct Edits: Sendable {
        var first: @Sendable (HomeStateStore, Home) async throws -> Void = { _, _ in }
        var later: @Sendable (HomeStateStore, Home) async throws -> Void = { _, _ in }
    }

    /// Returns the names of the automations that run, in order, after `count` of them have run.
    private func runs(_ count: Int, after edits: Edits) async throws -> [String] {
        let document = try HomeFile.read(Array(Self.file.utf8), name: "home.yaml")
        let store = try await HomeStateStore.open(folder: folder.path)
        // This second connection is like that of another process.
        let others = try await HomeStateStore.open(folder: folder.path)
        try await others.update { homes throws(HomeError) in homes = HomeMerge(document, into: homes, known: []).homes }
        let stored = try await store.homes()
        let home = try #require(stored.homes.primaryHome)
        let runs = Runs()
        let runner = await StoredHomeRunner(
            home,
            from: stored,
            in: store,
            on: InProcessBackend(AccessoryHost(testing: .testing), startingAt: WallInstant(seconds: 2_000)),
            clock: MachineClock(),
            startedAt: MachineClock().now,
            observers: [runs]
        ) { _ in }
        try await edits.first(others, home)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await eventually("the automations run") { runs.names.withLock(\.count) >= count }
            }
            group.addTask {
                var looks = 0
                await runner.synchronize {
                    looks += 1
                    if looks == 2 {
                        do {
                            try await edits.later(others, home)
                        } catch {
                            Issue.record(error)
                        }
                    }
                    return nil
                }
            }
            await group.next()
            group.cancelAll()
        }
        try await others.close()
        try await store.close()
        return runs.names.withLock(\.self)
    }

    private final class Runs: HomeRunObserver {
        let names = Mutex<[String]>([])

        func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
            guard case .journal(let entry) = news, case .ran = entry.event else { return }
            names.withLock { $0.append(entry.name) }
        }
    }

    @Test func aUserWhoComesAndLeavesBeforeTheFirstPollIsObserved() async throws {
        let edits = Edits(first: { store, home in
            try await store.setPresence(true, of: home.users[0].id, in: home.id)
            try await store.setPresence(false, of: home.users[0].id, in: home.id)
        })
        #expect(try await runs(2, after: edits) == ["Welcome", "Goodbye"])
    }

    @Test func anAddedUserWhoComesWithinOnePollIsObserved() async throws {
        let edits = Edits(later: { store, home in
            let eve = try await store.update { homes throws(HomeError) in
                try homes.edit(home.id) { home throws(HomeError) in
                    try home.addUser(named: ObjectName("Eve"), role: .member)
                }
            }
            try await store.setPresence(true, of: eve, in: home.id)
        })
        #expect(try await runs(1, after: edits) == ["Welcome"])
    }

    /// Ada was at home when Bob left, so his leaving is not the last one.
    @Test func aRemovedUserLeavesAfterEarlierArrivals() async throws {
        let edits = Edits(
            first: { store, home in try await store.setPresence(true, of: home.users[1].id, in: home.id) },
            later: { store, home in
                let (ada, bob) = (home.users[0].id, home.users[1].id)
                try await store.setPresence(true, of: ada, in: home.id)
                try await store.setPresence(false, of: bob, in: home.id)
                try await store.update { homes throws(HomeError) in
                    try homes.edit(home.id) { home throws(HomeError) in _ = try home.removeUser(bob) }
                }
                try await store.setPresence(false, of: ada, in: home.id)
            }
        )
        #expect(try await runs(3, after: edits) == ["Welcome", "Bob Gone", "Goodbye"])
    }

    @Test func aUserWhoLeavesAndIsRemovedWithinOnePollIsObserved() async throws {
        let edits = Edits(
            first: { store, home in try await store.setPresence(true, of: home.users[1].id, in: home.id) },
            later: { store, home in
                try await store.setPresence(false, of: home.users[1].id, in: home.id)
                try await store.update { homes throws(HomeError) in
                    try homes.edit(home.id) { home throws(HomeError) in _ = try home.removeUser(home.users[1].id) }
                }
            }
        )
        #expect(try await runs(3, after: edits) == ["Welcome", "Bob Gone", "Goodbye"])
    }
}
