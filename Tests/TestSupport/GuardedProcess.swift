import Foundation

/// A command that never outlives the test process.
///
/// A shell starts it and waits for the end of its own standard input, then kills it. The input ends when ``end()`` closes
/// it or when the test process is gone.
final class GuardedProcess: Sendable {
    private let process: Process
    private let lifeline: FileHandle

    init(_ command: String) throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // Not dash: the thread that starts it may block SIGCHLD, and then dash waits for ever.
        process.arguments = [
            "-c", "\(command) >/dev/null 2>&1 & child=$!; read -r line; kill -KILL $child; wait $child",
        ]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
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
