import AccessoryModel
import AsyncPrimitives
import Discovery
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import TestSupport
import Testing

@Suite("Servers that are added while a home runs")
struct AddedServerTests {
    private func start() async throws -> ObservedServer {
        let events = ServerEventForwarder()
        let server = try await AccessoryServer.start(
            ServerConfiguration(
                name: "Sensor",
                category: .sensor,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: Devices.sensor,
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), observer: events)
        )
        return ObservedServer(server, name: "sensor", events: events)
    }

    @Test("have their values observed again, and are missed only if the home uses them")
    func observedValuesFollowTheServers() async throws {
        let member = try await start()
        let backend = await InProcessBackend([member], startingAt: BackendFixture.noon)
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        for server in await backend.servers() { try home.addAccessories(of: server) }
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
        await backend.remove(member.server)
        #expect(await backend.servers().isEmpty)
        changes = backend.mailbox.dequeue() ?? []
        #expect(changes.contains { if case .unreachable = $0 { true } else { false } })
        #expect(await backend.read([reference]).isEmpty)
        changes = []
        await backend.add(member)
        try await waitForValue()
        #expect(await backend.read([reference]).count == 1)

        let other = try await start()
        await backend.add(other)
        await backend.remove(other.server)
        changes = backend.mailbox.dequeue() ?? []
        #expect(!changes.contains { if case .unreachable = $0 { true } else { false } })
        watching.cancel()
        await watching.value
        for server in [member.server, other.server] { await server.stop() }
    }

    @Test("continue the time of the home, which stands still without a server")
    func timeContinues() async throws {
        let member = try await start()
        await member.server.changeBehaviorClock { clock, now in clock.pause(at: now) }
        let backend = await InProcessBackend([member], startingAt: BackendFixture.noon)
        let later = BackendFixture.noon.advanced(by: .seconds(3_600))
        await backend.advance(to: later)
        #expect(await backend.now == later)
        await backend.remove(member.server)
        #expect(await backend.now == later)
        let other = try await start()
        await other.server.changeBehaviorClock { clock, now in clock.pause(at: now) }
        await backend.add(other)
        #expect(await backend.now == later)
        for server in [member.server, other.server] { await server.stop() }
    }
}
