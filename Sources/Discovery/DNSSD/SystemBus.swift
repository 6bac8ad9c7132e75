internal import Glibc

/// The D-Bus system bus, over which the Avahi daemon is reached.
package enum SystemBus {
    /// Where the bus is when the environment does not say.
    package static let defaultAddress = "unix:path=/run/dbus/system_bus_socket"

    /// Where the bus is.
    package static var address: String {
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? defaultAddress
    }

    /// Whether something listens at the bus's address.
    ///
    /// An address of another kind than a socket in the file system counts as answering, since it cannot be told without
    /// speaking the bus's protocol.
    package static func answers() -> Bool {
        let paths = socketPaths(in: address)
        return paths.isEmpty || paths.contains(where: accepts(path:))
    }

    /// The paths of the sockets in an address such as `unix:path=/run/a,guid=1;unix:path=/run/b`; empty when one of its
    /// parts is of another kind.
    package static func socketPaths(in address: String) -> [String] {
        var paths: [String] = []
        for part in address.split(separator: ";") {
            guard part.hasPrefix("unix:") else { return [] }
            let pairs = part.dropFirst("unix:".count).split(separator: ",")
            guard let path = pairs.first(where: { $0.hasPrefix("path=") }) else { return [] }
            paths.append(String(path.dropFirst("path=".count)))
        }
        return paths
    }

    /// A path as the system takes it; `nil` when it is too long.
    static func socketAddress(of path: String) -> [UInt8]? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { field in
            // One byte stays for the terminating NUL.
            guard path.utf8.count < field.count else { return false }
            field.copyBytes(from: path.utf8)
            return true
        }
        return fits ? withUnsafeBytes(of: address) { Array($0) } : nil
    }

    private static func accepts(path: String) -> Bool {
        guard let address = socketAddress(of: path) else { return false }
        guard let socket = try? TimedSocket.connect(to: address, by: .now.advanced(by: .seconds(1))) else {
            return false
        }
        _ = consume socket
        return true
    }
}
