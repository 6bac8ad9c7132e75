import Foundation
import TestSupport
import Testing

/// The exit status and the output of a command.
struct HapOutcome: CustomStringConvertible {
    let status: Int32
    let output: String
    let errors: String

    /// Whether the command printed one line on standard error and nothing on standard output.
    var isOneSentence: Bool {
        output.isEmpty && errors.hasPrefix("hap: ") && errors.hasSuffix(".\n") && errors.count { $0 == "\n" } == 1
    }

    /// The outcome without the progress of a start that has taken longer than a second on a busy machine.
    var withoutProgress: HapOutcome {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("Starting: ") }
        return HapOutcome(status: status, output: lines.joined(separator: "\n"), errors: errors)
    }

    var description: String { "status \(status)\n\(output)\n\(errors)" }
}

/// `hap` with a command line: a process, or a command inside this one.
protocol HapInvocation: AnyObject {
    /// Starts the command.
    ///
    /// - Parameter output: The destination of standard output, or `nil` for a file that is read later.
    init(_ arguments: [String], environment: [String: String], output: FileHandle?) throws

    var isRunning: Bool { get }

    /// The standard output so far.
    var output: String { get }

    /// The standard error so far.
    var errors: String { get }

    /// Sends a signal that ends the command, and waits until it has ended.
    func terminate() async throws -> HapOutcome

    /// Waits until the command has ended.
    func outcome() async throws -> HapOutcome
}

extension HapInvocation {
    typealias Outcome = HapOutcome

    /// Starts the command.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(arguments, environment: environment, output: nil)
    }

    /// Starts the command with its standard output in a file or a pipe.
    init(_ arguments: [String], output: FileHandle) throws {
        try self.init(arguments, environment: [:], output: output)
    }

    /// Runs `hap` to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> HapOutcome {
        try await Self(arguments, environment: environment).outcome()
    }

    /// Runs `hap serve` with its state in `folder`, and waits until it ends by itself.
    static func serve(in folder: TemporaryFolder, _ arguments: String...) async throws -> HapOutcome {
        try await Self(serveArguments(arguments, in: folder)).outcome()
    }

    /// Starts `hap serve` on loopback, and waits until all servers listen.
    ///
    /// The state and the ready file are in `folder`.
    static func serving(
        in folder: TemporaryFolder,
        _ arguments: String...,
        output: FileHandle? = nil
    ) async throws -> (process: Self, ready: ReadyServer) {
        let (process, text) = try await serving(in: folder, arguments, output: output)
        return (process, try ReadyServer(text))
    }

    /// Starts several servers in one process, and waits until all of them listen.
    static func serving(
        copies: Int,
        in folder: TemporaryFolder,
        _ arguments: String...
    ) async throws -> (process: Self, ready: [ReadyServer]) {
        let (process, text) = try await serving(in: folder, ["--copies", "\(copies)"] + arguments, output: nil)
        return (process, try ReadyServer.servers(in: text))
    }

    /// Starts `hap serve` with these arguments, which can include files, and waits until all servers listen.
    static func serving(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> (process: Self, ready: [ReadyServer]) {
        let (process, text) = try await serving(in: folder, arguments, output: nil)
        return (process, try ReadyServer.servers(in: text))
    }

    private static func serving(
        in folder: TemporaryFolder,
        _ arguments: [String],
        output: FileHandle?
    ) async throws -> (process: Self, ready: [UInt8]) {
        let process = try Self(
            serveArguments(["--ready-file", folder("ready")] + arguments, in: folder),
            environment: [:],
            output: output
        )
        try await wait { FileManager.default.fileExists(atPath: folder("ready")) || !process.isRunning }
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

    /// Waits for a condition that has no signal, which is polled.
    static func wait(
        at location: SourceLocation = #_sourceLocation,
        until condition: () async throws -> Bool
    ) async throws {
        try await eventually("\(location)", condition)
    }
}

extension TemporaryFolder {
    /// Returns the content of a file in the folder, or an empty text if there is none.
    func text(of name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: self(name)) ?? Data(), as: UTF8.self)
    }
}
