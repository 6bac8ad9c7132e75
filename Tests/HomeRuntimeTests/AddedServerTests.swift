import AccessoryModel
import AsyncPrimitives
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import TestSupport
import Testing

@Suite("Servers that are added while a home runs")
struct AddedServerTests {
    private static func sensor(_ key: String) -> HostedContent {
        HostedContent(key: key, name: key, category: .sensor, accessories: Devices.sensor)
    }

    @Test("have their values observed again, and are missed only if the home uses them")
    func observedValuesFollowTheServers() async throws {
        let host = AccessoryHost(testing: .testing)
        let sensor = try await host.add(Self.sensor("Sensor"))
        let backend = await InProcessBackend(host, startingAt: BackendFixture.noon)
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        for server in await backend.servers() { try home.addAccessories(of: server) }
        let runner = HomeRunner(
            home,
            on: backend,
            clock: ManualClock(BackendFixture.noon),
            startedAt: BackendFixture.noon
        )
        host.setHome(await SimulatedHome(runner, in: backend))
        let reference = try #require(home.reference(of: home.selector("Window", .contactSensorState)))
        let watching = Task { await backend.observe([reference]) }
        var changes: [BackendChange] = []
        func waitForValue() async throws {
            try await eventually("the value was reported") {
                changes += backend.mailbox.dequeue() ?? []
                return changes.contains { if case .value(reference, _) = $0 { true } else { false } }
            }
        }
        try await waitForValue()
        changes = []
        await host.remove(sensor.id)
        #expect(await backend.servers().isEmpty)
        changes = backend.mailbox.dequeue() ?? []
        #expect(changes.contains { if case .unreachable = $0 { true } else { false } })
        #expect(await backend.read([reference]).isEmpty)
        changes = []
        _ = try await host.add(Self.sensor("Sensor"))
        try await waitForValue()
        #expect(await backend.read([reference]).count == 1)

        let other = try await host.add(Self.sensor("Other"))
        await host.remove(other.id)
        changes = backend.mailbox.dequeue() ?? []
        #expect(!changes.contains { if case .unreachable = $0 { true } else { false } })
        watching.cancel()
        await watching.value
        await host.stop()
    }

    @Test("continue the time of the home, which stands still without a server")
    func timeContinues() async throws {
        let host = AccessoryHost(testing: .paused)
        let sensor = try await host.add(Self.sensor("Sensor"))
        let backend = await InProcessBackend(host, startingAt: BackendFixture.noon)
        let home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let runner = HomeRunner(
            home,
            on: backend,
            clock: ManualClock(BackendFixture.noon),
            startedAt: BackendFixture.noon
        )
        host.setHome(await SimulatedHome(runner, in: backend))
        let later = BackendFixture.noon.advanced(by: .seconds(3_600))
        await backend.advance(to: later)
        #expect(await backend.now == later)
        await host.remove(sensor.id)
        #expect(await backend.now == later)
        _ = try await host.add(Self.sensor("Other"))
        #expect(await backend.now == later)
        await backend.advance(to: later.advanced(by: .seconds(60)))
        #expect(await backend.now == later.advanced(by: .seconds(60)))
        await host.stop()
    }
}
