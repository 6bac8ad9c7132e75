import AccessoryModel
import Foundation
import HAPCore
import HomeModel
import HomeRunning
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
        let keeper = HomeKeeper(home, in: library)
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
}
