import AccessoryModel
import Documents
import HAPCore
import HTTPTypes
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import Resources
import Synchronization
import TestSupport
import Testing

@testable import WebConsole

/// What the API returns of a home.
struct HomeEndpointTests {
    /// An index that counts the lookups.
    private final class CountingLookup: HomeLookup, Sendable {
        private let index: HomeIndex
        private let lookups = Atomic(0)

        init(_ home: Home) { index = HomeIndex(home) }

        var count: Int { lookups.load(ordering: .relaxed) }

        private func found<Object>(_ object: Object?) -> Object? {
            lookups.add(1, ordering: .relaxed)
            return object
        }

        func service(_ id: ObjectID<HomeService>) -> HomeService? { found(index.service(id)) }
        func accessory(of service: ObjectID<HomeService>) -> HomeAccessory? { found(index.accessory(of: service)) }
        func accessory(_ id: ObjectID<HomeAccessory>) -> HomeAccessory? { found(index.accessory(id)) }
        func room(_ id: ObjectID<Room>) -> Room? { found(index.room(id)) }
        func scene(_ id: ObjectID<HomeScene>) -> HomeScene? { found(index.scene(id)) }
        func automation(_ id: ObjectID<Automation>) -> Automation? { found(index.automation(id)) }
        func user(_ id: ObjectID<HomeUser>) -> HomeUser? { found(index.user(id)) }
    }

    @Test func theEventLoopOfTheConsoleComputesNothingOfAHome() {
        #expect(!Console.homeEndpoints.isEmpty)
        #expect(Console.homeEndpoints.allSatisfy { $0.path.hasPrefix("/api/v1/home") && $0.leavesEventLoop })
        let others = Console.endpoints.all
            .filter { $0.path.hasPrefix("/api/v1/home") }
        #expect(others.count == Console.homeEndpoints.count)
    }

    @Test(arguments: [10, 40]) func eachReferenceOfAHomeIsLookedUpOnce(count: Int) throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        var rooms: [ObjectID<Room>] = []
        for number in 0..<count { rooms.append(try home.addRoom(named: ObjectName("Room \(number)"))) }
        for number in 0..<count {
            _ = try home.addZone(named: ObjectName("Zone \(number)"), rooms: Array(rooms.prefix(3)))
            let services = [
                RemoteService(named: "Lamp \(number)", .lightbulb, iid: 10),
                RemoteService(named: "Fan \(number)", .fan, iid: 20),
            ]
            _ = try home.addAccessory(
                RemoteAccessory(named: "Box \(number)", services: services),
                placed: AccessoryPlacement(room: rooms[number])
            )
        }
        let services = home.visibleServices.map(\.service)
        _ = try home.addServiceGroup(named: ObjectName("All"), services: services.map(\.id))
        let lookup = CountingLookup(home)
        let written = HomeResource.format.write(HomeResource(home: home, lastEntries: [:], index: lookup))
        let json = try JSONValue(parsing: JSONWriter.bytes(of: written))
        #expect(json.object?["rooms"]?.array?.count == count + 1)
        #expect(services.count == 2 * count)
        // The accessory of each service, three rooms of each zone, and each service of the group.
        #expect(lookup.count == 2 * count + 3 * count + 2 * count)
    }

    @Test func homeIsReturnedAlsoIfItsJournalCannotBeRead() async throws {
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.path)
        let id = try await store.update { homes throws(HomeError) in try homes.addHome(named: ObjectName("House")) }
        let stored = try await store.homes()
        let runner = await StoredHomeRunner(
            try #require(stored.homes.home(id)),
            from: stored,
            in: store,
            on: InProcessBackend(AccessoryHost(testing: .testing), startingAt: WallInstant(seconds: 2_000)),
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
