import Discovery
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import Synchronization
import TestSupport
import Testing

@Suite("The clock of a home that runs in the server process")
struct InProcessClockTests {
    private static let hour = Int64(3_600_000_000_000)

    /// Calls `body` with the clock of a running server, an object that sets the machine's time of day, and the server.
    private func withClock(
        paused: Bool,
        _ body: (InProcessClock, SetTime, AccessoryServer) async throws -> Void
    ) async throws {
        let tap = ServerEventForwarder()
        var configuration = ServerConfiguration(
            name: "Sensor",
            category: .sensor,
            bindAddress: "127.0.0.1",
            setupCode: Fixture.setupCode
        )
        if paused {
            configuration.behaviorClock.pause(at: .zero)
        }
        let server = try await AccessoryServer.start(
            configuration,
            accessories: Devices.sensor,
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), observer: tap)
        )
        let start = ContinuousClock.now
        let set = SetTime()
        let machine = MachineClock {
            let passed = WallInstant(nanoseconds: 0).advanced(by: start.duration(to: .now)).nanoseconds
            return (BackendFixture.noon.nanoseconds + passed + set.ahead, passed)
        }
        let backend = await InProcessBackend(
            AccessoryHost.hosting((server, "sensor", tap)),
            startingAt: BackendFixture.noon
        )
        let outcome: Result<Void, any Error>
        do {
            try await body(InProcessClock(backend, machine: machine), set, server)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        try outcome.get()
    }

    /// The number of nanoseconds by which a machine's time of day is set forward.
    private final class SetTime: Sendable {
        private let value = Mutex<Int64>(0)

        var ahead: Int64 {
            value.withLock { $0 }
        }

        func set(_ new: Int64) {
            value.withLock { $0 = new }
        }
    }

    @Test("follows when the machine's time of day is set, while the devices' time runs in real time")
    func theClockFollowsTheMachine() async throws {
        try await withClock(paused: false) { clock, machine, server in
            let before = await clock.now
            machine.set(Self.hour)
            let after = await clock.now
            #expect(before.duration(to: after) >= .seconds(3_600))
            #expect(before.duration(to: after) < .seconds(3_700))
            // The clock also follows a jump of the devices' time, which remains in effect.
            await server.changeBehaviorClock { clock, now in
                clock.jump(to: clock.time(at: now).advanced(by: .seconds(7_200)), at: now)
            }
            let jumped = await clock.now
            #expect(before.duration(to: jumped) >= .seconds(3 * 3_600))
            machine.set(0)
            let back = await clock.now
            #expect(before.duration(to: back) >= .seconds(7_200))
            #expect(before.duration(to: back) < .seconds(7_300))
        }
    }

    @Test("is paused with the devices' time, even if the machine's time of day is set")
    func aPausedClockStandsStill() async throws {
        try await withClock(paused: true) { clock, machine, _ in
            let before = await clock.now
            machine.set(Self.hour)
            #expect(await clock.now == before)
        }
    }
}
