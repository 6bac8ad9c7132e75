import AccessoryFiles
import AccessoryModel
import Foundation
import HAPCore
import HomeModel
import HomeRuntime
import Synchronization
import TestSupport
import Testing

@testable import hap

/// What a home that runs keeps, and takes over.
struct HomeKeeperTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Homes with one person in them, and the home.
    private func library() async throws -> (HomeLibrary, Home) {
        let library = try await HomeLibrary.open(folder: folder.path)
        let id = try await library.edit { homes throws(HomeError) in
            let id = try homes.addHome(named: ObjectName("House"))
            try homes.edit(id) { home throws(HomeError) in
                _ = try home.addUser(named: ObjectName("Ada"), role: .owner)
            }
            return id
        }
        return (library, try #require(try await library.homes().home(id)))
    }

    private func log() -> HomeLog {
        HomeLog(LinePrinter(descriptor: open("/dev/null", O_WRONLY)))
    }

    @Test func memoryThatCannotBeReadIsLeftAsItIs() async throws {
        let path = folder("homes.sqlite")
        var (library, home) = try await library()
        try await library.save(EngineMemory(instant: WallInstant(seconds: 1_000)), of: home)
        try await library.close()
        // No JSON any more.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("{\"instant\"".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "x")
        try bytes.write(to: URL(fileURLWithPath: path))

        library = try await HomeLibrary.open(folder: folder.path)
        var failure: StoreError?
        do throws(StoreError) {
            _ = try await library.memory(of: home)
        } catch {
            failure = error
        }
        #expect(failure?.code == .damaged)
        let keeper = HomeKeeper(home, after: 0, in: library)
        let runner = HomeRunner(
            home,
            on: await ServedWorld([], startingAt: WallInstant(seconds: 2_000)),
            clock: MachineClock(),
            startedAt: WallInstant(seconds: 2_000),
            memory: await keeper.memory(log())
        )
        await keeper.close(runner, log())
        try await library.close()
        let left = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(left.range(of: Data("x\"instant\"".utf8)) != nil)
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

    /// What other commands do before the keeper looks for the first time, and within one look of it later.
    private struct Edits: Sendable {
        var first: @Sendable (HomeLibrary, Home) async throws -> Void = { _, _ in }
        var later: @Sendable (HomeLibrary, Home) async throws -> Void = { _, _ in }
    }

    /// The automations that run, in order, until they are `count`.
    private func runs(_ count: Int, after edits: Edits) async throws -> [String] {
        let document = try HomeFile.read(Array(Self.file.utf8), name: "home.yaml")
        let library = try await HomeLibrary.open(folder: folder.path)
        // Another connection, as that of another process.
        let others = try await HomeLibrary.open(folder: folder.path)
        try await others.edit { homes throws(HomeError) in homes = HomeMerge(document, into: homes, known: []).homes }
        let kept = try await library.kept()
        let home = try #require(kept.homes.primaryHome)
        let keeper = HomeKeeper(home, after: kept.lastPresenceChange, in: library)
        let runs = Runs()
        let log = HomeLog(LinePrinter(descriptor: open("/dev/null", O_WRONLY)), of: home) { entry, _ in
            guard case .ran = entry.event else { return }
            runs.names.withLock { $0.append(entry.name) }
        }
        let runner = HomeRunner(
            home,
            on: await ServedWorld([], startingAt: WallInstant(seconds: 2_000)),
            clock: MachineClock(),
            startedAt: MachineClock().now,
            memory: await keeper.memory(log),
            observer: log
        )
        try await edits.first(others, home)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await HapProcess.wait { runs.names.withLock(\.count) >= count }
            }
            group.addTask {
                var looks = 0
                await keeper.follow(runner, log) {
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
        try await library.close()
        return runs.names.withLock(\.self)
    }

    private final class Runs: Sendable {
        let names = Mutex<[String]>([])
    }

    @Test func whoComesAndLeavesBeforeTheFirstLookIsSeen() async throws {
        let edits = Edits(first: { library, home in
            try await library.setPresence(true, of: home.users[0].id, in: home)
            try await library.setPresence(false, of: home.users[0].id, in: home)
        })
        #expect(try await runs(2, after: edits) == ["Welcome", "Goodbye"])
    }

    @Test func whoIsAddedAndComesWithinOneLookIsSeen() async throws {
        let edits = Edits(later: { library, home in
            let eve = try await library.edit { homes throws(HomeError) in
                try homes.edit(home.id) { home throws(HomeError) in
                    try home.addUser(named: ObjectName("Eve"), role: .member)
                }
            }
            try await library.setPresence(true, of: eve, in: home)
        })
        #expect(try await runs(1, after: edits) == ["Welcome"])
    }

    /// Ada was at home when Bob left.
    @Test func whoLeavesAndIsRemovedDoesNotLeaveBeforeWhoHasCome() async throws {
        let edits = Edits(
            first: { library, home in try await library.setPresence(true, of: home.users[1].id, in: home) },
            later: { library, home in
                let (ada, bob) = (home.users[0].id, home.users[1].id)
                try await library.setPresence(true, of: ada, in: home)
                try await library.setPresence(false, of: bob, in: home)
                try await library.edit { homes throws(HomeError) in
                    try homes.edit(home.id) { home throws(HomeError) in _ = try home.removeUser(bob) }
                }
                try await library.setPresence(false, of: ada, in: home)
            }
        )
        #expect(try await runs(3, after: edits) == ["Welcome", "Bob Gone", "Goodbye"])
    }

    @Test func whoLeavesAndIsRemovedWithinOneLookIsSeen() async throws {
        let edits = Edits(
            first: { library, home in try await library.setPresence(true, of: home.users[1].id, in: home) },
            later: { library, home in
                try await library.setPresence(false, of: home.users[1].id, in: home)
                try await library.edit { homes throws(HomeError) in
                    try homes.edit(home.id) { home throws(HomeError) in _ = try home.removeUser(home.users[1].id) }
                }
            }
        )
        #expect(try await runs(3, after: edits) == ["Welcome", "Bob Gone", "Goodbye"])
    }
}
