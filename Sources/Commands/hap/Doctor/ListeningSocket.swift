import FoundationEssentials

/// A listening TCP socket of this machine.
struct ListeningSocket: Sendable, Hashable {
    var port: UInt16
    /// Whether only this machine can reach the socket.
    var isLoopback: Bool
    /// The inode number, by which the socket's process is found.
    var inode: String

    /// Returns all listening sockets, or `nil` if the system does not show them.
    static func all() -> [ListeningSocket]? {
        let tables = ["tcp", "tcp6"].compactMap { KernelFile.text("/proc/net/\($0)") }
        return tables.isEmpty ? nil : tables.flatMap { parse($0) }
    }

    /// Returns the listening sockets of a process, or `nil` if this user may not inspect the process.
    static func all(of processID: Int32?) -> [ListeningSocket]? {
        let folder = "/proc/\(processID ?? 0)/fd"
        let files = FileManager.default
        guard let descriptors = try? files.contentsOfDirectory(atPath: folder) else { return nil }
        let open = Set(descriptors.compactMap { try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
        return all()?.filter { open.contains("socket:[\($0.inode)]") }
    }

    /// Parses the table in Linux's format: addresses in the machine's byte order, state `0A` for listening.
    static func parse(_ table: String) -> [ListeningSocket] {
        table.split(separator: "\n").dropFirst()
            .compactMap { line in
                let fields = line.split(separator: " ")
                guard fields.count > 9, fields[3] == "0A" else { return nil }
                let place = fields[1].split(separator: ":")
                guard place.count == 2, let port = UInt16(place[1], radix: 16) else { return nil }
                return ListeningSocket(port: port, isLoopback: isLoopback(place[0]), inode: String(fields[9]))
            }
    }

    private static func isLoopback(_ address: Substring) -> Bool {
        // The address is 127.x.x.x or ::1. In each group of four bytes, the last one comes first.
        address.count == 8 ? address.hasSuffix("7F") : address == "00000000000000000000000001000000"
    }

    /// Returns the process that has the socket open, among the processes that this user may inspect.
    func findOwner() -> PortOwner? {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let processID = Int32(name) else { continue }
            let folder = "/proc/\(name)/fd"
            for descriptor in (try? files.contentsOfDirectory(atPath: folder)) ?? []
            where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")) == "socket:[\(inode)]" {
                let command = KernelFile.text("/proc/\(name)/comm")
                return PortOwner(processID: processID, name: command?.split(separator: "\n").first.map { String($0) })
            }
        }
        return nil
    }
}

/// A process that listens on a port.
struct PortOwner: Sendable, Hashable {
    var processID: Int32
    var name: String?
}

extension PortOwner: CustomStringConvertible {
    var description: String {
        "process \(processID)\(name.map { " (\($0))" } ?? "")"
    }
}

/// A check of which process listens on the port of a server.
struct PortCheck: Sendable, Hashable {
    /// The name of the port's intended user in a sentence: the key of a server, or the configuration file.
    var user: String
    /// Whether a driver listens, which other machines reach only if its definition says so.
    var isDriver = false
    var port: UInt16
    /// The process that uses the state folder, which should also be the one that listens.
    var stateHolder: Int32?
    var isHeld: Bool
    var socket: ListeningSocket?
    var owner: PortOwner?

    var result: CheckResult {
        let subject = CheckSubject("Port \(port)")
        guard let socket else {
            guard isHeld else { return subject.ok("It is free for \(user).") }
            return subject.problem(
                "The state is in use, but no process listens on the port of \(user).",
                remedy: "The server is starting, stopping or stuck: check again, and restart it if this remains."
            )
        }
        guard isHeld, owner == nil || owner?.processID == stateHolder else {
            return subject.problem(
                "It belongs to \(user), but \(owner?.description ?? "another user's process") listens on it.",
                remedy: "End that program, or give \(user) another port with --port."
            )
        }
        let listener = owner?.description ?? "the process that uses the state"
        guard !socket.isLoopback || isDriver else {
            return subject.note(
                "\(user) is served by \(listener) to this machine only.",
                remedy: "Start it without --bind 127.0.0.1 to let other machines reach it."
            )
        }
        return subject.ok("\(user) is served by \(listener)\(socket.isLoopback ? ", to this machine only" : "").")
    }
}
