import AccessoryModel
import AsyncPrimitives
import Discovery
import HAPCore
import HAPServer
import HostTestSupport
import Hosting
import Synchronization
import TestSupport
import Testing

@testable import Simulation

/// Scenarios on a real server whose time only moves when it is advanced.
struct ScenarioRunnerTests {
    /// Runs steps on a Kilgo garage; returns the result, and a log of the events with their times.
    private func run(
        _ steps: [ScenarioStep],
        isFast: Bool = true,
        scale: Double = 1,
        tellsEverything: Bool = true,
        mailbox: ScenarioEventMailbox = ScenarioEventMailbox(),
        onProgress: @escaping @Sendable (ScenarioProgress, Duration) -> Void = { _, _ in }
    ) async throws -> (result: ScenarioResult, log: [String]) {
        var settings = HostSettings.paused
        if !isFast {
            settings.behaviorClock = BehaviorClock()
            settings.behaviorClock.setScale(scale, at: .zero)
        }
        let host = try await AccessoryHost.garages(1, settings)
        let (plan, errors) = ScenarioPlan.make(of: Scenario(name: "Test", steps: steps), with: host.names)
        #expect(errors.isEmpty)
        let log = EventLogBook()
        let runner = ScenarioRunner(
            plan,
            on: host,
            mailbox: mailbox,
            isFast: isFast,
            reportsEverything: tellsEverything
        ) { news, time in
            onProgress(news, time)
            if case .event(.value(let place, let value)) = news {
                log.record("\(time) \(place.id) \(value?.description ?? "–")")
            }
        }
        let result = await runner.run()
        await host.stop()
        return (result, log.lines)
    }

    private static let opening: [ScenarioStep] = [
        ScenarioStep(.perform(.set(SimulationTarget("Target Door State"), to: "Open"))),
        ScenarioStep(
            .expect(
                ScenarioExpectation(
                    .value(SimulationTarget("Current Door State"), .equals("Open")),
                    within: .seconds(15)
                )
            )
        ),
    ]

    @Test
    func aDoorOpensInSimulatedTime() async throws {
        let (result, log) = try await run(Self.opening)
        #expect(result.isPassed)
        #expect(result.steps.last?.end == .seconds(12))
        #expect(log.count == 3)
    }

    @Test
    func twoRunsGiveTheSameResult() async throws {
        let steps = [
            ScenarioStep(
                .repeat(
                    50,
                    Self.opening + [
                        ScenarioStep(.perform(.set(SimulationTarget("Target Door State"), to: "Closed"))),
                        ScenarioStep(.perform(.advance(.seconds(3_600)))),
                    ]
                )
            )
        ]
        let first = try await run(steps)
        let second = try await run(steps)
        #expect(first.result == second.result)
        #expect(first.log == second.log)
        #expect(first.log.count == 300)
    }

    @Test
    func aTimeoutReportsTheValuesSeen() async throws {
        let late = ScenarioExpectation(
            .value(SimulationTarget("Current Door State"), .equals("Open")),
            within: .seconds(5)
        )
        let (result, _) = try await run([Self.opening[0], ScenarioStep(.expect(late))])
        guard case .failed(let reason) = result.failure?.outcome else {
            Issue.record("It passed.")
            return
        }
        #expect(reason.contains("is Opening"))
        #expect(result.steps.last?.end == .seconds(5))
    }

    @Test
    func aScenarioRunsInRealTime() async throws {
        let (result, _) = try await run(Self.opening, isFast: false, scale: 100)
        #expect(result.isPassed)
    }

    @Test
    func readOnlyValuesAreSetAsTheDeviceSensesThem() async throws {
        let (result, log) = try await run([
            ScenarioStep(.perform(.set(SimulationTarget("Obstruction Detected"), to: "true")))
        ])
        #expect(result.isPassed)
        #expect(log.count == 1)
    }

    @Test(arguments: [true, false])
    func aCancelledScenarioHasNotPassed(isFast: Bool) async throws {
        let day = ScenarioStep(.perform(.advance(.seconds(86_400))))
        let (result, _) = try await run([Self.opening[0], day, Self.opening[0]], isFast: isFast) { news, time in
            // The door is open, and most of the day is still ahead.
            guard case .event = news, time >= .seconds(12) else { return }
            withUnsafeCurrentTask { $0?.cancel() }
        }
        #expect(result.steps.map(\.outcome).suffix(2) == [.interrupted, .skipped])
        #expect((result.steps.last?.end ?? .zero) < .seconds(80_000))
    }

    @Test
    func pausedTimeMovesOnlyByAdvance() async throws {
        let (result, _) = try await run([
            ScenarioStep(.perform(.pause)), ScenarioStep(.perform(.advance(.seconds(5)))),
            ScenarioStep(.perform(.resume)),
            ScenarioStep(timing: .at(.seconds(6))),
        ])
        #expect(result.isPassed)
        #expect(result.steps.last?.end == .seconds(6))
    }

    @Test
    func tooManyEventsFailTheScenario() async throws {
        let mailbox = ScenarioEventMailbox()
        let (result, _) = try await run([ScenarioStep(.perform(.log("Now"))), Self.opening[1]], mailbox: mailbox) {
            news,
            _ in
            guard case .message = news else { return }
            for _ in 0...SelectedEvents.capacity { mailbox.send(.controller(.reads, server: 0, nil)) }
        }
        #expect(result.failure?.reason?.contains("some of them were lost") == true)
    }

    @Test
    func unobservedEventsAreNotStored() async throws {
        let (result, log) = try await run(Self.opening, tellsEverything: false)
        #expect(result.isPassed)
        #expect(log.count == 2)
    }

    @Test
    func presenceWithoutAHomeIsRefused() async throws {
        let (result, _) = try await run([ScenarioStep(.perform(.arrive("Ada")))])
        #expect(result.failure?.reason?.contains("No home is running here") == true)
    }

    @Test
    func aControllerIsAwaitedInRealTime() async throws {
        let pairs = ScenarioExpectation(.controller(.pairs, nil), within: .milliseconds(50))
        let (result, _) = try await run([ScenarioStep(.expect(pairs))])
        guard case .failed(let reason) = result.failure?.outcome else {
            Issue.record("It passed.")
            return
        }
        #expect(reason.contains("no controller did anything"))
    }
}

/// The lines of a log, in their order.
private final class EventLogBook: Sendable {
    private let noted = Mutex<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    func record(_ line: String) {
        noted.withLock { $0.append(line) }
    }
}
