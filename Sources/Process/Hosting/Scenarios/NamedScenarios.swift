internal import AsyncPrimitives
package import Simulation
internal import Synchronization

/// The scenarios that were named at the start of a process.
///
/// One at a time runs alongside the servers: the first one at the start, and then those that are chosen.
package final class NamedScenarios: Sendable {
    /// The scenarios, as they were at the start.
    package let sources: [ScenarioSource]
    private let home: HomeSource?
    private let host: AccessoryHost
    private let isRunning: Mutex<Bool>
    private let chosen = AsyncStream<ScenarioRun>.makeStream()

    /// - Parameter home: The file of the home that the host runs, or `nil` for none.
    package init(_ sources: [ScenarioSource], on host: AccessoryHost, home: HomeSource?) {
        self.sources = sources
        self.host = host
        self.home = home
        isRunning = Mutex(!sources.isEmpty)
    }

    /// Starts a scenario, whose file is read again.
    ///
    /// - Parameter name: The name of the scenario.
    /// - Throws: ``HostError`` if there is none, if one is running, or if its file has errors.
    package func start(_ name: String) async throws(HostError) {
        guard let source = sources.first(where: { $0.scenario.name == name }) else {
            throw .usage("There is no scenario \(name.printable); name its file at the start.")
        }
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return isRunning
        }
        guard !wasRunning else { throw .failed("A scenario is running; wait until it has ended.") }
        do throws(HostError) {
            guard source.home == nil || source.home?.path == home?.file.path else {
                throw .failed("The scenario has another home than this process; name it first at the start.")
            }
            let file = source.file
            let read = try await DiskWork.run { () throws(HostError) in try ScenarioSource(file) }
            let run = try await ScenarioRun(read, home, on: host, isFast: false, reportsEverything: false)
            chosen.continuation.yield(run)
        } catch {
            isRunning.withLock { $0 = false }
            throw error
        }
    }

    /// Runs the first scenario, and then those that are started, until the task is canceled.
    ///
    /// - Parameter finishFirst: Receives the result of the first scenario.
    package func run(_ first: ScenarioRun, finishFirst: (ScenarioResult) -> Void) async {
        finishFirst(await first.run())
        isRunning.withLock { $0 = false }
        for await run in chosen.stream {
            _ = await run.run()
            isRunning.withLock { $0 = false }
        }
    }
}
