import FoundationEssentials
import Glibc
import WebConsole

extension RunningProcess {
    /// Returns the running processes of this user, in any state folder.
    ///
    /// If no process has left a note in the user's runtime folder, they are found by their sockets. A process that was
    /// started with a relative state folder is then not found.
    ///
    /// - Parameter kinds: The kinds of processes.
    static func ofThisUser(_ kinds: Set<Kind>) async -> [RunningProcess] {
        let noted = await ProcessRegistry(ProcessInfo.processInfo.environment)?.processes() ?? []
        let found = noted.filter { kinds.contains($0.kind) }
        guard found.isEmpty else { return found }
        var listening: [RunningProcess] = []
        for process in sockets(in: KernelFile.text("/proc/net/unix") ?? "", kinds) where isOwn(process.socket) {
            if await process.isRunning { listening.append(process) }
        }
        return listening
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
