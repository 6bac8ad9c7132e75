import Foundation
import Glibc
import TestSupport

/// A server that runs as a process of its own so that it can be killed.
///
/// It dies with the thread that started it, so that no server is left behind.
final class ServerUnderTest {
    let processID: pid_t
    private var status: Int32?

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - command: The executable and its arguments.
    ///   - environment: Environment variables in addition to a home folder, a path and the address of a missing bus.
    ///   - folder: The home folder; output is appended to `log` in it.
    ///   - input: The descriptor to use as standard input.
    ///   - output: The descriptor to use as standard output instead of the log.
    init(
        _ command: [String],
        environment: [String: String] = [:],
        folder: String,
        input: Int32? = nil,
        output: Int32? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        let log = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, folder + "/log", log, 0o600)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder + "/log", log, 0o600)
        }
        // The parent process may ignore signals; the server must have their default actions, so that they can end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigfillset(&defaults)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let surroundings = [
            "HOME": folder, "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder)/no-bus",
        ]
        .merging(environment) { $1 }
        let words = ["/usr/bin/setpriv", "--pdeathsig", "KILL"] + command
        var arguments = words.map { strdup($0) } + [nil]
        var variables = surroundings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for word in arguments + variables {
                free(word)
            }
        }
        var processID: pid_t = 0
        let failure = posix_spawn(&processID, words[0], &actions, &attributes, &arguments, &variables)
        guard failure == 0 else {
            throw TestFailure("cannot start \(command[0]): \(String(cString: strerror(failure)))")
        }
        self.processID = processID
    }

    deinit {
        guard status == nil else { return }
        kill()
        _ = wait()
    }

    /// Kills the server.
    func kill() {
        _ = Glibc.kill(processID, SIGKILL)
    }

    /// Requests that the server ends.
    func terminate() {
        _ = Glibc.kill(processID, SIGTERM)
    }

    /// Whether the server is running.
    var isRunning: Bool {
        guard status == nil else { return false }
        var found: Int32 = 0
        if waitpid(processID, &found, WNOHANG) == processID {
            status = found
        }
        return status == nil
    }

    /// Waits for the end of the server; returns its exit code, or `nil` if a signal killed it.
    func wait() -> Int32? {
        var found = status ?? 0
        while status == nil {
            if waitpid(processID, &found, 0) == processID || errno != EINTR {
                status = found
            }
        }
        return found & 0x7F == 0 ? found >> 8 & 0xFF : nil
    }
}
