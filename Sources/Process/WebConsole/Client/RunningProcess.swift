internal import Documents
internal import FoundationEssentials
internal import Glibc
internal import HAPCore
internal import Resources
internal import Storage

/// A process whose API can be reached over its Unix socket.
package struct RunningProcess: Sendable, Hashable {
    /// The kinds of processes, by the command.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case serve
        case run
        case home

        /// The name of the socket in the state folder.
        package var socketName: String { "\(rawValue).sock" }
    }

    package let kind: Kind
    /// The absolute path of the state folder.
    package let folder: String

    /// Creates a process of a kind, without checking that it runs.
    ///
    /// - Parameter folder: The absolute path of the state folder.
    package init(_ kind: Kind, in folder: String) {
        self.kind = kind
        self.folder = folder
    }

    /// The path of the socket: from the working directory if it is too long otherwise.
    package var socket: String {
        let path = "\(folder)/\(kind.socketName)"
        let prefix = FileManager.default.currentDirectoryPath + "/"
        return path.utf8.count > Self.maximumPathLength && path.hasPrefix(prefix)
            ? String(path.dropFirst(prefix.count)) : path
    }

    /// The maximum number of bytes of the path of a Unix socket.
    package static let maximumPathLength = 107

    /// Whether the path of the socket is short enough.
    package var hasValidPath: Bool { socket.utf8.count <= Self.maximumPathLength }

    /// The client of the process.
    package var client: ConsoleClient { ConsoleClient(socket: socket) }

    /// Whether a process listens on the socket, even if it does not answer because it is stopped.
    package var isRunning: Bool {
        let descriptor = Glibc.socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0, hasValidPath else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // A process with many waiting connections is busy.
        return result == 0 || errno == EAGAIN
    }

    /// Returns the processes whose sockets are in a state folder.
    package static func all(in folder: String) -> [RunningProcess] {
        Kind.allCases.map { RunningProcess($0, in: folder) }.filter(\.isRunning)
    }
}

/// The folder in which running processes leave a note, so that commands find them without `--state`.
package struct ProcessRegistry: Sendable {
    private let folder: String

    /// Uses `hap` in the user's runtime folder.
    ///
    /// Returns `nil` if the environment names none.
    package init?(_ environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        folder = runtime + "/hap"
    }

    /// Leaves a note about this process, and returns its path; `nil` if that is not possible.
    package func register(_ process: RunningProcess) -> String? {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { return nil }
        guard isPrivate else { return nil }
        let path = "\(folder)/\(getpid())"
        let note = DocumentTree.map([
            .init("kind", .text(process.kind.rawValue)), .init("folder", .text(process.folder)),
        ])
        guard (try? AtomicFile.write(JSONWriter.bytes(of: note), to: path, permissions: .owner)) != nil else {
            return nil
        }
        return path
    }

    /// Returns the processes that run, and removes the notes of those that have ended.
    package func processes() -> [RunningProcess] {
        guard isPrivate, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        var found: [RunningProcess] = []
        for name in names.sorted() {
            guard let pid = pid_t(name) else { continue }
            let path = "\(folder)/\(name)"
            guard kill(pid, 0) == 0 || errno == EPERM else {
                unlink(path)
                continue
            }
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 65_536,
                let data = FileManager.default.contents(atPath: path),
                let note = try? JSONValue(parsing: Array(data)).object, let folder = note["folder"]?.string,
                let kind = note["kind"]?.string.flatMap(RunningProcess.Kind.init)
            else { continue }
            let process = RunningProcess(kind, in: folder)
            // A note of a process that was killed remains, and another process can have its id.
            guard !found.contains(process) else { continue }
            if process.isRunning { found.append(process) }
        }
        return found
    }

    /// Whether only this user can change the folder.
    private var isPrivate: Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }
}
