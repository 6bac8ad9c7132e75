import Foundation
import TestSupport
import Testing

/// `hap` as a process, in the way that users and scripts run it.
///
/// It is for claims about signals, exit codes, pipes, terminals and descriptors; ``HapCommand`` is for all others. It is
/// killed when this object is released, so that a failed test leaves no process behind.
final class HapProcess: HapInvocation {
    /// The variables that `make test-thread` and `make test-address` set for every process.
    private static let sanitizerVariables = ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"]

    private let process: ChildProcess
    private let files: TemporaryFolder

    var isRunning: Bool { process.isRunning }

    var processID: Int32 { process.processID }

    convenience init(_ arguments: [String], environment: [String: String], output: FileHandle?) throws {
        try self.init(arguments, environment: environment, output: output, wrapper: [])
    }

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - output: The destination of standard output; by default a file that is read later.
    ///   - wrapper: A command that runs the process.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        output: FileHandle? = nil,
        wrapper: [String]
    ) throws {
        files = try TemporaryFolder()
        for name in ["output", "errors"] {
            _ = try files.write("", to: name)
        }
        let command = wrapper + [Self.executable.path] + arguments
        // The process uses no configuration file, no state and no message bus of this machine.
        let inherited = ProcessInfo.processInfo.environment.filter { Self.sanitizerVariables.contains($0.key) }
        let variables = [
            "HOME": files.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(files("no-bus"))",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        ]
        .merging(inherited) { $1 }
        .merging(environment) { $1 }
        process = try ChildProcess(
            command,
            environment: variables,
            in: files.path,
            output: output ?? FileHandle(forWritingTo: URL(fileURLWithPath: files("output"))),
            errors: FileHandle(forWritingTo: URL(fileURLWithPath: files("errors")))
        )
    }

    deinit {
        if process.isRunning {
            kill(process.processID, SIGKILL)
        }
    }

    var output: String { files.text(of: "output") }

    var errors: String { files.text(of: "errors") }

    func terminate() async throws -> HapOutcome {
        try await terminate(with: SIGTERM)
    }

    /// Sends a signal that ends the process, and waits until it has ended.
    func terminate(with signal: Int32) async throws -> HapOutcome {
        kill(process.processID, signal)
        return try await outcome()
    }

    func outcome() async throws -> HapOutcome {
        try await Self.wait { !self.process.isRunning }
        return HapOutcome(status: process.terminationStatus, output: output, errors: errors)
    }

    /// The build places it next to the tests.
    private static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("hap")
    }
}
