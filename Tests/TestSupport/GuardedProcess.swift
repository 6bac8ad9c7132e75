import Foundation

/// A command that never outlives the test process.
///
/// A shell starts it and waits for the end of its own standard input, then kills it. The input ends when ``end()`` closes
/// it or when the test process is gone.
final class GuardedProcess: Sendable {
    private let process: Process
    private let lifeline: FileHandle
    /// The command's process, not the shell's.
    let processID: Int32

    init(_ command: String) throws {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // Not dash: the thread that starts it may block SIGCHLD, and then dash waits for ever.
        process.arguments = [
            "-c", "\(command) >/dev/null 2>&1 & child=$!; echo $child; read -r line; kill -KILL $child; wait $child",
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        processID = Int32(line.trimmingCharacters(in: .newlines)) ?? 0
        self.process = process
        lifeline = input.fileHandleForWriting
    }

    /// Kills the command and returns when it is gone.
    ///
    /// May be called again.
    func end() {
        try? lifeline.close()
        process.waitUntilExit()
    }

    deinit {
        end()
    }
}
