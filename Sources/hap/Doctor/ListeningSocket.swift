import Foundation

/// A TCP socket of this machine that listens.
struct ListeningSocket: Sendable, Hashable {
    var port: UInt16
    /// Whether only this machine reaches it.
    var isLoopback: Bool
    /// The number by which its process is found.
    var inode: String

    /// All of them; `nil` where the system does not show them.
    static func all() -> [ListeningSocket]? {
        let tables = ["tcp", "tcp6"].compactMap { KernelFile.text("/proc/net/\($0)") }
        return tables.isEmpty ? nil : tables.flatMap { parse($0) }
    }

    /// Those of one process; `nil` when this user may not look into it.
    static func all(of processID: Int32?) -> [ListeningSocket]? {
        let folder = "/proc/\(processID ?? 0)/fd"
        let files = FileManager.default
        guard let descriptors = try? files.contentsOfDirectory(atPath: folder) else { return nil }
        let open = Set(descriptors.compactMap { try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
        return all()?.filter { open.contains("socket:[\($0.inode)]") }
    }

    /// Reads the table as Linux prints it: addresses in the order of the machine's bytes, state `0A` for listening.
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
        // 127.x.x.x, or ::1; the last byte of each group of four comes first.
        address.count == 8 ? address.hasSuffix("7F") : address == "00000000000000000000000001000000"
    }

    /// The process that has it open, among those that this user may look into.
    func owner() -> PortOwner? {
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
