import AccessoryModel
import FoundationEssentials
import Glibc
import Hosting
import WebConsole

extension RunningProcess {
    /// Returns the running processes with a state folder, or those of this user with any state folder.
    ///
    /// Processes are found by their notes in the user's runtime folder, by the kernel's table of sockets, and in the
    /// default state folder.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of processes.
    ///   - folder: The state folder, or `nil` for any.
    static func running(_ kinds: Set<Kind>, in folder: StateLocation?) -> [RunningProcess] {
        if let folder { return all(in: folder.path).filter { kinds.contains($0.kind) } }
        let environment = CommandContext.current.environment
        var candidates = ProcessRegistry(environment)?.processes().filter { kinds.contains($0.kind) } ?? []
        candidates += sockets(in: KernelFile.text("/proc/net/unix") ?? "", kinds).filter { isOwn($0.socket) }
        if let folder = try? StateLocation(nil, environment: environment) {
            candidates += kinds.map { RunningProcess($0, in: folder.path) }
        }
        var found: [RunningProcess] = []
        var known: Set<String> = []
        for process in candidates where known.insert(Self.realPath(process.socket)).inserted {
            if process.isRunning { found.append(process) }
        }
        return found
    }

    /// Returns the only running process of these kinds.
    ///
    /// - Parameters:
    ///   - state: The state folder of the process, or `nil` for any.
    ///   - option: The option with which the user can name the state folder.
    /// - Throws: ``CommandFailure`` if there is none, or more than one.
    static func only(
        _ kinds: Set<Kind>,
        state: String?,
        option: String = "--state"
    ) throws -> RunningProcess {
        let folder = try state.map { path throws in try StateLocation(path) }
        let found = running(kinds, in: folder)
        if let process = found.first, found.count == 1 { return process }
        guard found.isEmpty else { throw choice(of: found, option: option, hasKinds: kinds.count > 1) }
        if let folder, let kind = kinds.first, !RunningProcess(kind, in: folder.path).hasValidPath {
            throw CommandFailure.usage(
                "The path of \(folder.path.escapingControlCharacters) is too long for the socket of a process; change to a "
                    + "folder above it, and write the rest of the path."
            )
        }
        let place = folder.map { " with the state folder \($0.path.escapingControlCharacters)" } ?? ""
        throw CommandFailure.unavailable(
            kinds == [.serve]
                ? "No 'hap serve' runs\(place); start one, or name the state folder of a running one with \(option)."
                : "No process of hap that can do this runs\(place); start 'hap serve', or name the state folder of a "
                    + "running process with \(option)."
        )
    }

    /// Returns the failure that one of several processes must be chosen.
    ///
    /// - Parameter hasKinds: Whether the command has the option `--process`.
    static func choice(of found: [RunningProcess], option: String, hasKinds: Bool = false) -> CommandFailure {
        let list = found.map { process in
            let kind = hasKinds ? "--process \(process.kind.rawValue) " : ""
            return "\n  \(kind)\(option) \(process.folder.escapingControlCharacters)"
        }
        return .usage("\(found.count) processes run; choose one of these:\(list.joined())")
    }

    /// Whether two paths lead to the same socket.
    func hasSameSocket(as other: RunningProcess) -> Bool {
        Self.realPath(socket) == Self.realPath(other.socket)
    }

    /// Returns a path without links, by which a socket is recognized that two paths lead to.
    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the processes in the kernel's table of Unix sockets, without duplicates.
    static func sockets(in table: String, _ kinds: Set<Kind>) -> [RunningProcess] {
        var found: [RunningProcess] = []
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 7)
            guard fields.count == 8, fields[7].hasPrefix("/"), let slash = fields[7].lastIndex(of: "/"),
                let kind = kinds.first(where: { fields[7][slash...].dropFirst() == $0.socketName })
            else { continue }
            let process = RunningProcess(kind, in: String(fields[7][..<slash]))
            if !found.contains(process) { found.append(process) }
        }
        return found
    }

    /// Whether this user owns a socket.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
    }
}
