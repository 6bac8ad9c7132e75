import AccessoryModel
import AsyncPrimitives
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import TestSupport
import Testing

@Suite("What a world watches")
struct WatchTests {
    @Test("waits where there is nothing to watch, instead of beginning again and again", arguments: WorldKind.allCases)
    func waitsWithNothingToWatch(on kind: WorldKind) async throws {
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            finder: nil
        )
        let world: CountingWorld
        switch kind {
        case .served: world = CountingWorld(await ServedWorld([], startingAt: Stage.noon))
        case .network: world = CountingWorld(NetworkWorld(controller))
        }
        let home = Home(id: ObjectID(1), name: try ObjectName("Empty House"))
        let runner = HomeRunner(home, on: world, clock: ManualClock(Stage.noon), startedAt: Stage.noon)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            defer { group.cancelAll() }
            try await eventually("it watches") { world.watchCount > 0 }
            // Each of these is a turn of the runner, in which it could begin again.
            for _ in 0..<200 {
                _ = await runner.memory
                await Task.yield()
            }
        }
        #expect(world.watchCount == 1)
        await controller.close()
    }

    @Test("tells the present value before what changes it, however close to each other both are")
    func tellsTheLatestValueLast() async throws {
        let tap = ServerEventForwarder()
        let server = try await AccessoryServer.start(
            ServerConfiguration(
                name: "Sensor",
                category: .sensor,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: Devices.sensor,
            ports: ServerPorts(store: InMemoryStore(), advertiser: SilentAdvertiser(), observer: tap)
        )
        let world = await ServedWorld([.init(server, name: "sensor", events: tap)], startingAt: Stage.noon)
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        for server in await world.servers() {
            try home.addAccessories(of: server)
        }
        let reference = try #require(home.reference(of: home.selector("Window", .contactSensorState)))
        for _ in 0..<40 {
            let watching = Task { await world.watch([reference]) }
            for value in 0..<20 {
                await server.set(.integer(value % 2), for: reference.id)
            }
            let last = await server.value(of: reference.id)
            var told: CharacteristicValue?
            try await eventually("the value is told") {
                for case .value(reference, let value) in world.mailbox.take() ?? [] {
                    told = value
                }
                return told != nil
            }
            #expect(told == last)
            watching.cancel()
            await watching.value
        }
        await server.stop()
    }
}
