import Foundation

/// A command that ends with the test process at the latest.
///
/// A shell starts the command, waits for the end of its own standard input, and then kills the command. The input ends
/// when ``stop()`` closes it or when the test process has ended.
final class GuardedProcess: Sendable {
    private let process: ChildProcess
    private let lifeline: FileHandle
    /// The command's process, not the shell's.
    let processID: Int32

    init(_ command: String) throws {
        let input = Pipe()
        let output = Pipe()
        let script = "\(command) >/dev/null 2>&1 & child=$!; echo $child; read -r line; kill -KILL $child; wait $child"
        process = try ChildProcess(
            ["/bin/bash", "-c", script],
            input: input.fileHandleForReading,
            output: output.fileHandleForWriting,
            errors: .nullDevice
        )
        try output.fileHandleForWriting.close()
        try input.fileHandleForReading.close()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        processID = Int32(line.trimmingCharacters(in: .newlines)) ?? 0
        lifeline = input.fileHandleForWriting
    }

    /// Kills the command and waits for its end.
    ///
    /// It may be called again.
    func stop() {
        try? lifeline.close()
        process.waitUntilExit()
    }

    deinit {
        stop()
    }
}
