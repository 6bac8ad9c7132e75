import AsyncPrimitives
import HostTestSupport
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// Scenarios that run alongside the servers, one at a time.
@Suite(.timeLimit(.minutes(1))) struct NamedScenariosTests {
    private let folder: TemporaryFolder
    private let host: AccessoryHost

    init() async throws {
        folder = try TemporaryFolder()
        host = try await AccessoryHost.garages(1)
    }

    private func write(_ name: String, _ step: String, head: String = "") throws -> String {
        try folder.write("scenario: \(name)\n\(head)steps:\n  - \(step)\n", to: "\(name).yaml")
    }

    private func source(_ name: String, _ step: String, head: String = "") throws -> ScenarioSource {
        try ScenarioSource(NamedFile(try write(name, step, head: head)))
    }

    /// Runs scenarios while some work is done, which begins after the first scenario.
    private func withRunning(_ sources: [ScenarioSource], _ work: (NamedScenarios) async throws -> Void) async throws {
        let scenarios = NamedScenarios(sources, on: host, home: nil)
        let first = try await ScenarioRun(sources[0], nil, on: host, isFast: false, reportsEverything: false)
        let isFirstDone = OneShot<Void>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scenarios.run(first) { _ in isFirstDone.set() } }
            await isFirstDone.wait()
            try await work(scenarios)
            group.cancelAll()
        }
    }

    /// Waits until a scenario can be started, because the one before has ended.
    private func start(_ name: String, _ scenarios: NamedScenarios) async throws {
        while true {
            do throws(HostError) {
                return try await scenarios.start(name)
            } catch  where error.message.contains("is running") {
                await Task.yield()
            }
        }
    }

    @Test func scenariosRunAgainOneAfterTheOther() async throws {
        let sources = [try source("First", "{ log: A }"), try source("Second", "{ log: B }")]
        try await withRunning(sources) { scenarios in
            for name in ["Second", "First", "Second"] { try await start(name, scenarios) }
        }
    }

    @Test func onlyOneOfManyStartsRuns() async throws {
        // Time is paused, so the scenario never ends.
        let sources = [try source("First", "{ log: A }"), try source("Long", "{ log: B, after: 1h }")]
        try await withRunning(sources) { scenarios in
            try await start("Long", scenarios)
            let started = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 { group.addTask { (try? await scenarios.start("Long")) != nil } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(started == 0)
        }
    }

    @Test func fileIsReadAgainAndAnErrorDoesNotBlockTheNextStart() async throws {
        let sources = [try source("First", "{ log: A }")]
        try await withRunning(sources) { scenarios in
            for (step, code) in [("{ logg: A }", HostError.Code.fileContent), ("{ press: Nothing }", .fileContent)] {
                _ = try write("First", step)
                await #expect {
                    try await start("First", scenarios)
                } throws: {
                    ($0 as? HostError)?.code == code
                }
            }
            _ = try write("First", "{ log: B }")
            try await start("First", scenarios)
            await #expect(throws: HostError.self) { try await scenarios.start("Third") }
        }
    }

    @Test func scenarioWithAnotherHomeIsRefused() async throws {
        let home = try folder.write("home: House\n", to: "home.yaml")
        let sources = [
            try source("First", "{ log: A }"), try source("Home", "{ log: B }", head: "home: \(home)\n"),
        ]
        try await withRunning(sources) { scenarios in
            await #expect {
                try await start("Home", scenarios)
            } throws: {
                ($0 as? HostError)?.message.contains("another home") == true
            }
            try await start("First", scenarios)
        }
    }
}
