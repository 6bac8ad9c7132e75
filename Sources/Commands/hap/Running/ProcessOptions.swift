import ArgumentParser
import Hosting
import WebConsole

/// The options of commands that ask a running process.
struct ProcessOptions: ParsableArguments {
    @Option(
        help: .value("folder", "The state folder of the process. Default: the only process that runs."),
        completion: .directory
    )
    var state: String?

    @Option(help: .value("kind", "The kind of process, if several use the state folder: serve, run or home."))
    var process: RunningProcess.Kind?

    @Flag(help: "Print JSON.")
    var json = false

    /// Returns the process.
    ///
    /// - Parameter possible: The kinds of processes that can answer.
    /// - Throws: ``CommandFailure`` if there is none, or more than one.
    func running(_ possible: Set<RunningProcess.Kind> = [.serve, .run]) async throws -> RunningProcess {
        try RunningProcess.only(process.map { possible.intersection([$0]) } ?? possible, state: state)
    }
}

extension RunningProcess.Kind: ExpressibleByArgument {}
