package import Foundation
import Synchronization

/// A process that a test starts.
///
/// Foundation's `Process` is not used, because it copies whole directory entries of `/proc/self/fd`, including the last
/// one. With about 1,360 open descriptors, as in a test with many connections, it reads past the end of its buffer and
/// traps.
package final class ChildProcess: Sendable {
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> CInt

    /// Returns the function that closes all descriptors of a child starting at a number.
    ///
    /// Otherwise NIO's sockets would stay open in the child and listen.
    ///
    /// The C library has had the function since glibc 2.34, but Swift does not import it from the headers.
    private static func closeFrom() throws -> CloseFrom {
        guard let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            throw TestFailure("this C library is older than glibc 2.34")
        }
        return unsafeBitCast(function, to: CloseFrom.self)
    }

    package let processID: Int32
    /// The status that `waitpid` returned.
    private let waitStatus = Mutex<Int32?>(nil)

    /// Starts a process with three descriptors only.
    ///
    /// - Parameters:
    ///   - command: The program, which is looked up in `PATH`, and its arguments.
    ///   - environment: All variables; by default those of this process.
    ///   - folder: The working directory; by default that of this process.
    /// - Throws: ``TestFailure`` if the process cannot be started.
    package init(
        _ command: [String],
        environment: [String: String]? = nil,
        in folder: String? = nil,
        input: FileHandle = .nullDevice,
        output: FileHandle = .standardOutput,
        errors: FileHandle = .standardError
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, handle) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, Int32(number))
        }
        guard try Self.closeFrom()(&actions, 3) == 0 else { throw TestFailure("no memory") }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread that starts it may block signals, and this process ignores some.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        let command = (folder.map { ["env", "--chdir", $0] } ?? []) + command
        var processID: pid_t = 0
        // A handle closes its descriptor when it is released.
        let failure = withExtendedLifetime([input, output, errors]) {
            Self.withTexts(command) { arguments in
                Self.withTexts(variables) { variables in
                    posix_spawnp(&processID, command[0], &actions, &attributes, arguments, variables)
                }
            }
        }
        guard failure == 0 else {
            throw TestFailure("\(command[0]): \(String(cString: strerror(failure)))")
        }
        self.processID = processID
    }

    package var isRunning: Bool {
        waitStatus.withLock { end in
            guard end == nil else { return false }
            var status: Int32 = 0
            switch waitpid(processID, &status, WNOHANG) {
            case 0: return true
            case processID: end = status
            default:
                guard errno != EINTR else { return true }
                end = -1
            }
            return false
        }
    }

    /// The exit status of the process, or the number of the signal that ended it; 0 while the process runs.
    package var terminationStatus: Int32 {
        let status = waitStatus.withLock { $0 } ?? 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    package func waitUntilExit() {
        // Waits: the process is outside.
        while isRunning { usleep(2_000) }
    }

    private static func withTexts<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
