import AccessoryModel
import HAPCore
import HTTPTypes
import HomeModel
import HomeRuntime
import TestSupport
import Testing

@testable import WebConsole

/// What the API returns of a home.
struct HomeEndpointTests {
    @Test func homeIsReturnedAlsoIfItsJournalCannotBeRead() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.path)
        let id = try await store.update { homes throws(HomeError) in try homes.addHome(named: ObjectName("House")) }
        let stored = try await store.homes()
        let runner = await StoredHomeRunner(
            try #require(stored.homes.home(id)),
            from: stored,
            in: store,
            on: InProcessBackend([], startingAt: WallInstant(seconds: 2_000)),
            clock: MachineClock(),
            startedAt: WallInstant(seconds: 2_000),
            observers: []
        ) { _ in }
        let console = Console(of: "serve", version: "1", EventJournal(), home: ConsoleHome(runner, in: store))
        // A closed store cannot be read.
        try await store.close()
        await #expect {
            try await console.respond(.get, "api/v1/home/journal")
        } throws: {
            ($0 as? Problem)?.code == "store-failed"
        }
        let home = try await console.respond(.get, "api/v1/home")
        #expect(home.object?["name"]?.string == "House", "\(home)")
        await runner.close()
    }
}
