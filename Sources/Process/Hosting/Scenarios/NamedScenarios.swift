internal import AsyncPrimitives
internal import FoundationEssentials
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
    /// At most one run waits, because the next scenario is refused until it has ended.
    private let chosen = AsyncStream<ScenarioRun>.makeStream(bufferingPolicy: .bufferingOldest(1))

    /// - Parameter home: The file of the home that the host runs, or `nil` for none.
    package init(_ sources: [ScenarioSource], on host: AccessoryHost, home: HomeSource?) {
        self.sources = sources
        self.host = host
        self.home = home
        isRunning = Mutex(!sources.isEmpty)
    }

    /// Starts a scenario, whose file is read again.
    ///
    /// - Parameter name: The name that the scenario had at the start.
    /// - Throws: ``HostError`` if there is none, if one is running, if its file has errors, or if it names another home
    ///   than the one that runs.
    package func start(_ name: String) async throws(HostError) {
        guard let file = sources.first(where: { $0.scenario.name == name })?.file else {
            throw .usage("No scenario is called \(name.printable); choose one that was named at the start.")
        }
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return isRunning
        }
        guard !wasRunning else { throw .failed("A scenario is running; wait until it has ended.") }
        do throws(HostError) {
            let homeFile = home?.file
            let (source, home) = try await DiskWork.run { () throws(HostError) in
                // Users may have been added to the home.
                (try ScenarioSource(file), homeFile.map { HomeSource($0) })
            }
            guard source.home.map({ Self.isSame($0, homeFile) }) ?? true else {
                throw .failed("The scenario has another home than this process; run it in a process of its own.")
            }
            chosen.continuation.yield(
                try await ScenarioRun(source, home, on: host, isFast: false, reportsEverything: false)
            )
        } catch {
            isRunning.withLock { $0 = false }
            throw error
        }
    }

    /// Returns whether two paths lead to the same file.
    private static func isSame(_ file: NamedFile, _ other: NamedFile?) -> Bool {
        let resolve = { (file: NamedFile) in URL(filePath: file.path).resolvingSymlinksInPath().path }
        return other.map(resolve) == resolve(file)
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
