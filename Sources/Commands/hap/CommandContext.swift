import FoundationEssentials
import Glibc
import Hosting
import UnixSignals

/// The surroundings of a command: its arguments, where it reads and writes, its environment, and what ends it.
///
/// The program's are those of its process. Tests perform commands with other ones, several at a time in one process.
/// Child tasks inherit the value. Dispatch queues and detached tasks do not, so they are passed what they need.
struct CommandContext: Sendable {
    @TaskLocal static var current = CommandContext()

    /// The command line, without the program.
    var arguments = Array(CommandLine.arguments.dropFirst())
    /// The descriptor of standard input.
    var input = STDIN_FILENO
    /// The descriptor of standard output.
    var output = STDOUT_FILENO
    /// The descriptor of standard error.
    var errors = STDERR_FILENO
    /// The environment variables, or `nil` for those of the process.
    var variables: [String: String]?
    /// The configuration file that is read if it exists and no other one is named.
    var configurationFile = "Config/hap.yaml"
    /// Returns the signals that end the command, or `nil` for those that the process receives.
    var signals: (@Sendable () -> AsyncStream<UnixSignal>)?

    /// The environment variables.
    var environment: [String: String] { variables ?? ProcessInfo.processInfo.environment }

    /// The folder for temporary files.
    var temporaryFolder: URL {
        guard let path = variables?["TMPDIR"] else { return FileManager.default.temporaryDirectory }
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Whether standard output is a terminal.
    var isOutputTerminal: Bool { isatty(output) == 1 }

    /// Whether standard error is a terminal.
    var isErrorTerminal: Bool { isatty(errors) == 1 }

    /// Begins to receive the signals that end a command.
    func stopSignals() async -> StopSignals {
        if let signals { return signals() }
        return await UnixSignalsSequence(trapping: .sigint, .sigterm)
    }
}
