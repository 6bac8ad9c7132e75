internal import Glibc
internal import HAPCore
internal import HAPServer
package import Simulation
internal import Subprocess
internal import SystemPackage

/// How a program ended.
package enum ProgramExit: Sendable, Equatable {
    case code(Int32)
    case signal(Int32)
}

package enum ProgramError: Error, Equatable, CustomStringConvertible {
    /// The program cannot be started, or no longer be watched.
    case system(String)
    /// The program has closed its standard input or ended, or got only half of an earlier line.
    case inputClosed
    case badLine
    case tookTooLong(Duration)
    /// It has ended on its own.
    case ended(ProgramExit)
    /// Two tasks read the output at once, or the program is used after its run.
    case wrongUse

    package var description: String {
        switch self {
        case .system(let reason): reason
        case .inputClosed: "The program takes no more input."
        case .badLine: "A line for a program has a newline in it or is too long."
        case .tookTooLong(let limit): "The program took longer than \(ScenarioText.duration(limit))."
        case .ended(.code(let code)): "The program has ended with the code \(code)."
        case .ended(.signal(let signal)): "The program was ended by the signal \(signal)."
        case .wrongUse: "The program is read by two tasks, or used after its run."
        }
    }
}

/// A running program, whose standard input and output are lines.
///
/// It has a process group of its own, no descriptors but the standard three, and of the server's
/// environment only PATH, HOME, LANG and TZ.
package actor RunningProgram {
    package static let longestOutputLine = 64 << 10
    package static let longestErrorLine = 4 << 10
    package static let longestInputLine = 1 << 20
    package static let errorLinesPerSecond = 10
    /// The time between SIGTERM and SIGKILL.
    package static let timeToEnd = Duration.seconds(2)

    private typealias Process = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

    private let process: Process
    private var output: OutputReader
    private var lines = LineSplitter(limit: longestOutputLine)
    private var isReading = false
    private var isSending = false
    private var takesInput = true
    private var isOver = false

    private init(_ process: Process) {
        self.process = process
        output = OutputReader(process.standardOutput, of: process.processIdentifier.value)
    }

    // MARK: Run

    /// Starts a program and ends it, with all of its process group, when `body` returns or throws or the task
    /// is canceled.
    ///
    /// - Parameters:
    ///   - arguments: The program's path, or its name in PATH, and its arguments.
    ///   - environment: What the program gets besides PATH, HOME, LANG and TZ.
    ///   - errorLine: Gets the program's standard error, at most ten lines per second. It must return soon.
    nonisolated(nonsending) package static func run<R: Sendable>(
        _ arguments: [String],
        folder: String? = nil,
        environment: [String: String] = [:],
        errorLine: @escaping @Sendable (String) -> Void = { _ in },
        body: nonisolated(nonsending) (RunningProgram) async throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        ignoreBrokenPipes
        let configuration = try configuration(arguments, folder: folder, environment: environment)
        do {
            let result = try await Subprocess.run(
                configuration,
                input: .inputWriter,
                output: .sequence,
                error: .sequence
            ) { process -> Result<R, any Error> in
                let program = RunningProgram(process)
                // Its own task, because the errors of a canceled program must be read too until it has ended.
                let errors = Task { await Self.readErrors(of: process, report: errorLine) }
                let result: Result<R, any Error>
                do {
                    result = .success(try await body(program))
                } catch {
                    result = .failure(error)
                }
                await program.end()
                await errors.value
                return result
            }
            return try result.closureResult.get()
        } catch let error as SubprocessError {
            throw ProgramError.system(error.description)
        }
    }

    /// Runs a program without input, and returns how it ended and the first 64 KiB of its standard output.
    nonisolated(nonsending) package static func output(
        of arguments: [String],
        folder: String? = nil,
        environment: [String: String] = [:],
        timeLimit: Duration,
        errorLine: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> (output: [UInt8], exit: ProgramExit) {
        try await run(arguments, folder: folder, environment: environment, errorLine: errorLine) { program in
            try await withTimeLimit(timeLimit) {
                try await program.closeInput()
                return (try await program.allOutput(), try await program.exit())
            }
        }
    }

    private static func configuration(
        _ arguments: [String],
        folder: String?,
        environment: [String: String]
    ) throws -> Configuration {
        guard let program = arguments.first, !program.isEmpty,
            !arguments.contains(where: { $0.utf8.contains(0) })
        else { throw ProgramError.system("A program to run has no name or a zero byte in its arguments.") }
        var variables: [Environment.Key: String] = [:]
        for name in ["PATH", "HOME", "LANG", "TZ"] {
            if let value = getenv(name) { variables[.init(stringLiteral: name)] = String(cString: value) }
        }
        for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = ending
        return Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(Array(arguments.dropFirst())),
            environment: .custom(variables),
            workingDirectory: folder.map { FilePath($0) },
            platformOptions: options
        )
    }

    private static let ending: [TeardownStep] = [
        .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: timeToEnd),
        .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero),
        // For a leader that has left its group.
        .send(signal: .kill, allowedDurationToNextStep: .zero),
    ]

    /// Without this, a write to a program that has closed its standard input ends the server.
    private static let ignoreBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()

    /// Ends the whole process group.
    ///
    /// The leader stays a zombie until the run is over, so that its number
    /// cannot be that of another group yet.
    private func end() async {
        isOver = true
        var steps = Self.ending
        if Task.isCancelled {
            // Subprocess has sent SIGTERM already: signal 0 only waits.
            steps[0] = .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: Self.timeToEnd)
        }
        await process.teardown(using: steps)
        try? process.send(signal: .kill, toProcessGroup: true)
        // The descriptors are closed next: let calls of other tasks, which end now, leave them first.
        while isReading || isSending { await Self.pause(.milliseconds(1)) }
    }

    /// Sleeps also in a canceled task.
    private static func pause(_ duration: Duration) async {
        await Task { try? await Task.sleep(for: duration) }.value
    }

    // MARK: Use

    /// Returns the next line of standard output, or `nil` at its end.
    ///
    /// The program waits while no task reads.
    package func nextLine() async throws -> ProgramLine? {
        while true {
            if let line = lines.next() { return line }
            guard let chunk = try await nextChunk() else { return lines.next(atEnd: true) }
            chunk.withUnsafeBytes { lines.append($0) }
        }
    }

    /// Writes one line to standard input, and waits at most `timeLimit` until the program takes it.
    package func send(_ line: String, timeLimit: Duration = .seconds(10)) async throws {
        guard line.utf8.count <= Self.longestInputLine, !line.utf8.contains(UInt8(ascii: "\n")) else {
            throw ProgramError.badLine
        }
        try await withTimeLimit(timeLimit) {
            try await self.write(Array(line.utf8) + [UInt8(ascii: "\n")])
        }
    }

    /// Ends the program's standard input.
    package func closeInput() async throws {
        try await waitToSend()
        takesInput = false
        try? await process.standardInputWriter.finish()
    }

    /// Waits until the program has ended.
    ///
    /// It may wait for its output to be read.
    package func exit() async throws -> ProgramExit {
        var pause = Duration.milliseconds(1)
        while true {
            guard !isOver else { throw ProgramError.wrongUse }
            if let exit = ProgramExit(of: process.processIdentifier.value) { return exit }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    // MARK: Parts

    private func nextChunk() async throws -> SubprocessOutputSequence.Buffer? {
        guard !isReading, !isOver else { throw ProgramError.wrongUse }
        isReading = true
        defer { isReading = false }
        var reader = output
        defer { output = reader }
        let chunk = try await reader.next(isolation: self)
        if chunk == nil { try Task.checkCancellation() }
        return chunk
    }

    private func allOutput() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try await nextChunk() {
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(Self.longestOutputLine - bytes.count)) }
        }
        return bytes
    }

    /// Lets one task write at a time.
    ///
    /// Subprocess would mix up two writes.
    private func waitToSend() async throws {
        while isSending { try await Task.sleep(for: .milliseconds(2)) }
        guard !isOver else { throw ProgramError.wrongUse }
    }

    private func write(_ bytes: [UInt8]) async throws {
        try await waitToSend()
        guard takesInput else { throw ProgramError.inputClosed }
        isSending = true
        defer { isSending = false }
        let written: Int
        do {
            written = try await process.standardInputWriter.write(bytes)
        } catch {
            takesInput = false
            throw ProgramError.inputClosed
        }
        guard written < bytes.count else { return }
        // Canceled, or the program has ended. After half a line no other can follow.
        if written > 0 { takesInput = false }
        try Task.checkCancellation()
        throw ProgramError.inputClosed
    }

    private static func readErrors(of process: Process, report: @escaping @Sendable (String) -> Void) async {
        var limit = RateLimit(perSecond: errorLinesPerSecond)
        func receive(_ line: ProgramLine) {
            let (isAdmitted, skipped) = limit.admit(at: .now)
            if skipped > 0 { report("\(skipped) more lines") }
            if isAdmitted { report(line.beginning) }
        }
        var reader = OutputReader(process.standardError, of: process.processIdentifier.value)
        var lines = LineSplitter(limit: longestErrorLine)
        while let chunk = try? await reader.next(isolation: nil) {
            chunk.withUnsafeBytes { lines.append($0) }
            while let line = lines.next() { receive(line) }
        }
        if let line = lines.next(atEnd: true) { receive(line) }
        if limit.skipped > 0 { report("\(limit.skipped) more lines") }
    }
}

/// Reads one output stream of a program until it is closed or the program has ended, also if a child of the
/// program still holds it open.
private struct OutputReader {
    private var buffers: SubprocessOutputSequence.Iterator
    private let leader: pid_t
    private var deadline: ContinuousClock.Instant?

    init(_ sequence: SubprocessOutputSequence, of leader: pid_t) {
        buffers = sequence.makeAsyncIterator()
        self.leader = leader
    }

    /// Returns the next part of the output, or `nil` at its end.
    ///
    /// Once the leader has ended, Subprocess returns what the pipe holds and then `nil`. The deadline is for a
    /// child that goes on filling the pipe. The first read after the end always takes place, however late it
    /// is: it is as large as the pipe, so it gets all that the leader itself has written.
    mutating func next(isolation: isolated (any Actor)?) async throws -> SubprocessOutputSequence.Buffer? {
        // While there is always more to read, nothing else lets other tasks run.
        await Task.yield()
        if let deadline, deadline < .now { return nil }
        if deadline == nil, ProgramExit(of: leader) != nil { deadline = .now + .milliseconds(200) }
        return try await buffers.next(isolation: isolation)
    }
}

extension ProgramExit {
    /// Returns how a child of this process has ended, or `nil` if it is running.
    ///
    /// It stays to be waited for.
    fileprivate init?(of child: pid_t) {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0,
            info._sifields._sigchld.si_pid == child
        else { return nil }
        let status = info._sifields._sigchld.si_status
        self = info.si_code == CLD_EXITED ? .code(status) : .signal(status)
    }
}

/// Returns the result of some work.
///
/// - Throws: ``ProgramError/tookTooLong(_:)`` if it takes longer than a limit.
private func withTimeLimit<Result: Sendable>(
    _ limit: Duration,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        defer { group.cancelAll() }
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        guard let result = try await group.next() ?? nil else { throw ProgramError.tookTooLong(limit) }
        return result
    }
}
