import AccessoryModel
import AsyncPrimitives
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import TestSupport
import Testing

@Suite("Observation of a home backend")
struct BackendObservationTests {
    @Test(
        "waits if there is nothing to observe, instead of starting again repeatedly",
        arguments: BackendKind.allCases
    )
    func observingNothingWaits(on kind: BackendKind) async throws {
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            resolver: nil
        )
        let backend: CountingBackend
        switch kind {
        case .inProcess:
            backend = CountingBackend(
                await InProcessBackend(AccessoryHost(testing: .testing), startingAt: BackendFixture.noon)
            )
        case .network: backend = CountingBackend(NetworkBackend(controller))
        }
        let home = Home(id: ObjectID(1), name: try ObjectName("Empty House"))
        let runner = HomeRunner(
            home,
            on: backend,
            clock: ManualClock(BackendFixture.noon),
            startedAt: BackendFixture.noon
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            defer { group.cancelAll() }
            try await eventually("the observation started") { backend.watchCount > 0 }
            // Each iteration gives the runner a turn, in which it could start observing again.
            for _ in 0..<200 {
                _ = await runner.memory
                await Task.yield()
            }
        }
        #expect(backend.watchCount == 1)
        await controller.close()
    }

    @Test("reports the current value before a later change, however short the interval")
    func theLatestValueIsReportedLast() async throws {
        let tap = ServerEventForwarder()
        let server = try await AccessoryServer.start(
            ServerConfiguration(
                name: "Sensor",
                category: .sensor,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: Devices.sensor,
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), observer: tap)
        )
        let backend = await InProcessBackend(
            AccessoryHost.hosting((server, "sensor", tap)),
            startingAt: BackendFixture.noon
        )
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        for server in await backend.servers() {
            try home.addAccessories(of: server)
        }
        let reference = try #require(home.reference(of: home.selector("Window", .contactSensorState)))
        for _ in 0..<40 {
            let watching = Task { await backend.observe([reference]) }
            for value in 0..<20 {
                await server.set(.integer(value % 2), for: reference.id)
            }
            let last = await server.value(of: reference.id)
            var reported: CharacteristicValue?
            try await eventually("the value was reported") {
                for case .value(reference, let value) in backend.mailbox.dequeue() ?? [] {
                    reported = value
                }
                return reported != nil
            }
            #expect(reported == last)
            watching.cancel()
            await watching.value
        }
        await server.stop()
    }
}
