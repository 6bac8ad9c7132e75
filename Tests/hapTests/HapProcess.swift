import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap` as a process, in the way that users and scripts run it.
///
/// It is killed when this object is released, so that a failed test leaves no process behind.
final class HapProcess {
    /// The exit status and the output of a process.
    struct Outcome: CustomStringConvertible {
        let status: Int32
        let output: String
        let errors: String

        /// Whether the process printed one line on standard error and nothing on standard output.
        var isOneSentence: Bool {
            output.isEmpty && errors.hasPrefix("hap: ") && errors.hasSuffix(".\n") && errors.count { $0 == "\n" } == 1
        }

        var description: String { "status \(status)\n\(output)\n\(errors)" }
    }

    /// The variables that `make test-thread` and `make test-address` set for every process.
    private static let sanitizerVariables = ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"]

    private let process: ChildProcess
    private let files: TemporaryFolder

    var isRunning: Bool { process.isRunning }

    var processID: Int32 { process.processID }

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - output: The destination of standard output; by default a file that is read later.
    ///   - wrapper: A command that runs the process.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        output: FileHandle? = nil,
        wrapper: [String] = []
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

    /// Runs `hap` to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await HapProcess(arguments, environment: environment).outcome()
    }

    /// Runs `hap serve` with its state in `folder`, and waits until it ends by itself.
    static func serve(in folder: TemporaryFolder, _ arguments: String...) async throws -> Outcome {
        try await HapProcess(serveArguments(arguments, in: folder)).outcome()
    }

    /// Starts `hap serve` on loopback, and waits until all servers listen.
    ///
    /// The state and the ready file are in `folder`.
    static func serving(
        in folder: TemporaryFolder,
        _ arguments: String...,
        output: FileHandle? = nil
    ) async throws -> (process: HapProcess, ready: ReadyServer) {
        let (process, text) = try await serving(in: folder, arguments, output: output)
        return (process, try ReadyServer(text))
    }

    /// Starts several servers in one process, and waits until all of them listen.
    static func serving(
        copies: Int,
        in folder: TemporaryFolder,
        _ arguments: String...
    ) async throws -> (process: HapProcess, ready: [ReadyServer]) {
        let (process, text) = try await serving(in: folder, ["--copies", "\(copies)"] + arguments, output: nil)
        return (process, try ReadyServer.servers(in: text))
    }

    /// Starts `hap serve` with these arguments, which can include files, and waits until all servers listen.
    static func serving(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> (process: HapProcess, ready: [ReadyServer]) {
        let (process, text) = try await serving(in: folder, arguments, output: nil)
        return (process, try ReadyServer.servers(in: text))
    }

    private static func serving(
        in folder: TemporaryFolder,
        _ arguments: [String],
        output: FileHandle?
    ) async throws -> (process: HapProcess, ready: [UInt8]) {
        let process = try HapProcess(
            serveArguments(["--ready-file", folder("ready")] + arguments, in: folder),
            output: output
        )
        try await wait { FileManager.default.fileExists(atPath: folder("ready")) || !process.process.isRunning }
        guard let text = FileManager.default.contents(atPath: folder("ready")) else {
            Issue.record("not ready: \(try await process.outcome())")
            throw CancellationError()
        }
        return (process, Array(text))
    }

    /// Returns the arguments for serving on loopback without an announcement, unless the arguments say otherwise.
    static func serveArguments(_ arguments: [String], in folder: TemporaryFolder) -> [String] {
        ["serve", "--state", folder("state")]
            + (arguments.contains("--bind") ? [] : ["--bind", "127.0.0.1"])
            + (arguments.contains("--advertise") ? [] : ["--advertise", "off"]) + arguments
    }

    /// The standard output so far.
    var output: String { text("output") }

    /// The standard error so far.
    var errors: String { text("errors") }

    /// Sends a signal that ends the process, and waits until it has ended.
    func terminate(with signal: Int32 = SIGTERM) async throws -> Outcome {
        kill(process.processID, signal)
        return try await outcome()
    }

    /// Waits until the process has ended.
    func outcome() async throws -> Outcome {
        try await Self.wait { !self.process.isRunning }
        return Outcome(status: process.terminationStatus, output: text("output"), errors: text("errors"))
    }

    /// Waits for a condition outside of this process, which is polled.
    static func wait(
        at location: SourceLocation = #_sourceLocation,
        until condition: () async throws -> Bool
    ) async throws {
        try await eventually("\(location)", condition)
    }

    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: files(name)) ?? Data(), as: UTF8.self)
    }

    /// The build places it next to the tests.
    private static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("hap")
    }
}
