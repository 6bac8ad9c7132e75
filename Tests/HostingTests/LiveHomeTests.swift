import AccessoryFiles
import AccessoryModel
import AsyncPrimitives
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

@testable import Simulation

/// Advances of simulated time while a home runs in real time.
@Suite(.timeLimit(.minutes(10)))
struct LiveHomeTests {
    /// Noon on 1 January 2026 in Berlin.
    private static let noon = WallInstant(seconds: 1_767_265_200)

    /// The automations that ran, and when.
    private final class Log: HomeRunObserver {
        private let entries = Mutex<[(WallInstant, JournalEvent)]>([])
        private let values = Mutex(0)

        func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
            switch news {
            case .journal(let entry): entries.withLock { $0.append((entry.instant, entry.event)) }
            case .value: values.withLock { $0 += 1 }
            case .ran, .accepted, .reachable, .unreachable, .structureChanged, .edited: break
            }
        }

        var isWatching: Bool { values.withLock { $0 } > 0 }

        /// The moments at which automations ran and ended, in seconds after noon.
        var moments: [(Int64, ran: Bool)] {
            entries.withLock { entries in
                entries.compactMap { time, event in
                    switch event {
                    case .ran: (noon.duration(to: time).components.seconds, true)
                    case .ended: (noon.duration(to: time).components.seconds, false)
                    default: nil
                    }
                }
            }
        }
    }

    /// The control that advances time.
    enum TimeControl: CaseIterable {
        case prompt, scenario
    }

    @Test(arguments: [true, false], TimeControl.allCases)
    func automationsRunAtTheirTimesAndInOrderWithTheDevices(isPaused: Bool, way: TimeControl) async throws {
        let mailbox = ScenarioEventMailbox()
        var settings = HostSettings.paused
        if !isPaused { settings.behaviorClock = BehaviorClock() }
        let host = try await AccessoryHost.garages(1, settings)
        let server = try #require(host.servers.first).server
        mailbox.open(on: host.servers) { if case .value = $0 { true } else { false } }
        let backend = await InProcessBackend(host, startingAt: Self.noon)
        let log = Log()
        let runner = HomeRunner(
            try await Self.home(of: backend),
            on: backend,
            clock: InProcessClock(backend),
            startedAt: Self.noon,
            observer: log
        )
        host.setHome(await SimulatedHome(runner, in: backend))
        let running = Task { await runner.run() }
        try await eventually("the home watches", within: .seconds(60)) { log.isWatching }

        let facts = try await Self.advance(by: .seconds(2 * 86_400), way, host, mailbox)

        // The door starts to open at 13:00, is open 12 seconds later, and starts to close a minute after that.
        let expected = [0, 86_400].flatMap { day in [3_600, 3_612, 3_672].map { Int64($0 + day) } }
        #expect(log.moments.map(\.0) == expected)
        #expect(log.moments.map(\.ran) == [true, true, false, true, true, false])
        let door = try host.names.characteristic(SimulationTarget("Current Door State")).place
        let states = facts.compactMap { fact -> CharacteristicValue? in
            if case .value(door, let value) = fact { value } else { nil }
        }
        #expect(states == [2, 0, 3, 1, 2, 0, 3, 1])
        #expect(await server.behaviorClockSnapshot.clock.isPaused == isPaused)
        // After the advance, the home still receives the events of the server.
        _ = try await host.perform(written: .set(SimulationTarget("Target Door State"), to: "Open"))
        _ = try await host.perform(.advance(.seconds(60)))
        try await eventually("it ran once more", within: .seconds(60)) { log.moments.count >= 7 }
        running.cancel()
        await running.value
        await host.stop()
    }

    /// Returns a home that opens the door each day at 13:00.
    ///
    /// An open door turns the light on for a minute, and then the door closes.
    private static func home(of backend: InProcessBackend) async throws -> Home {
        let text = """
            home: House
            timeZone: Europe/Berlin
            accessories:
              - accessory: Kilgo Garage
                services: { GarageDoorOpener: Door, Lightbulb: Light }
            automations:
              Open:
                when: { time: "13:00" }
                run: [{ set: Door/TargetDoorState, to: Open }]
              Light:
                when: { characteristic: Door/CurrentDoorState, becomes: Open }
                run: [{ set: Light/On, to: true }]
                end: { after: 1min, set: [{ set: Door/TargetDoorState, to: Closed }] }
            """
        let document = try HomeFile.read(Array(text.utf8), name: "home.yaml")
        let merge = HomeMerge(document, into: Homes(), known: KnownAccessory.all(of: await backend.servers()))
        #expect(merge.errors.isEmpty)
        return try #require(merge.homes.homes.first)
    }

    /// Advances time, and returns the events in the meantime.
    private static func advance(
        by duration: Duration,
        _ way: TimeControl,
        _ host: AccessoryHost,
        _ mailbox: ScenarioEventMailbox
    ) async throws -> [ScenarioEvent] {
        switch way {
        case .prompt:
            _ = try await host.perform(.advance(duration))
            return mailbox.dequeue() ?? []
        case .scenario:
            let heard = Mutex<[ScenarioEvent]>([])
            let scenario = Scenario(name: "Advance", steps: [ScenarioStep(.perform(.advance(duration)))])
            let (plan, errors) = ScenarioPlan.make(of: scenario, with: host.names)
            #expect(errors.isEmpty)
            let runner = ScenarioRunner(plan, on: host, mailbox: mailbox, isFast: false) { news, _ in
                if case .event(let fact) = news { heard.withLock { $0.append(fact) } }
            }
            #expect(await runner.run().isPassed)
            return heard.withLock { $0 }
        }
    }
}
