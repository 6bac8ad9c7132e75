import Foundation
import Synchronization
import TestSupport
import UnixSignals

@testable import hap

/// A command of `hap` inside this process, with its own output, environment and signals.
///
/// It gets a signal when this object is released. Relative paths begin at the folder of this process, and the process ID
/// is that of the tests.
final class HapCommand: HapInvocation {
    /// The files of the command, its signals and its exit status.
    private final class Execution: Sendable {
        let files: TemporaryFolder
        let signals = SignalSource()
        private let status = Mutex<Int32?>(nil)

        init() throws {
            files = try TemporaryFolder()
        }

        var isRunning: Bool { status.withLock { $0 == nil } }

        /// Performs the command, closes its descriptors, and returns the exit status.
        func run(_ context: CommandContext) async -> Int32 {
            let result = await CommandContext.$current.withValue(context) { await Hap.perform() }
            for descriptor in [context.input, context.output, context.errors] { close(descriptor) }
            status.withLock { $0 = result }
            return result
        }
    }

    private let execution: Execution
    private let task: Task<Int32, Never>

    /// Sets the address of the bus, so that no command uses the message bus of this machine.
    private static let hasPrivateBus: Bool = {
        PrivateDaemon.prepareEnvironment()
        return true
    }()

    init(_ arguments: [String], environment: [String: String], output: FileHandle?) throws {
        guard Self.hasPrivateBus else { throw TestFailure("the bus is private") }
        let execution = try Execution()
        let files = execution.files
        var context = CommandContext()
        context.arguments = arguments
        context.input = try Self.open("/dev/null", O_RDONLY)
        context.output = try output.map { dup($0.fileDescriptor) } ?? Self.open(files("output"))
        context.errors = try Self.open(files("errors"))
        context.variables = ["HOME": files.path].merging(environment) { $1 }
        context.configurationFile = files("hap.yaml")
        context.signals = { execution.signals.stream() }
        self.execution = execution
        task = Task { [context] in await execution.run(context) }
    }

    deinit {
        execution.signals.send(.sigterm)
    }

    private static func open(_ path: String, _ mode: Int32 = O_WRONLY | O_CREAT | O_APPEND) throws -> Int32 {
        let descriptor = Glibc.open(path, mode | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("\(path) cannot be opened") }
        return descriptor
    }

    var isRunning: Bool { execution.isRunning }

    var output: String { execution.files.text(of: "output") }

    var errors: String { execution.files.text(of: "errors") }

    func terminate() async throws -> HapOutcome {
        execution.signals.send(.sigterm)
        return try await outcome()
    }

    func outcome() async throws -> HapOutcome {
        HapOutcome(status: await task.value, output: output, errors: errors)
    }
}

/// The signals of a command, which all of its streams receive.
private final class SignalSource: Sendable {
    private struct State {
        var sent: UnixSignal?
        var streams: [AsyncStream<UnixSignal>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Returns a stream of the signals, also of one that was sent before.
    func stream() -> AsyncStream<UnixSignal> {
        let (stream, continuation) = AsyncStream.makeStream(of: UnixSignal.self)
        state.withLock { state in
            state.streams.append(continuation)
            if let signal = state.sent { continuation.yield(signal) }
        }
        return stream
    }

    func send(_ signal: UnixSignal) {
        state.withLock { state in
            state.sent = signal
            for stream in state.streams { stream.yield(signal) }
        }
    }
}
