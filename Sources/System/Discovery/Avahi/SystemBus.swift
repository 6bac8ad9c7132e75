internal import Glibc

/// The D-Bus system bus, over which the Avahi daemon is reached.
package enum SystemBus {
    /// The address of the bus if the environment does not contain one.
    package static let defaultAddress = "unix:path=/run/dbus/system_bus_socket"

    /// The address of the bus.
    package static var address: String {
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? defaultAddress
    }

    /// The result of an attempt to reach the bus.
    package enum ProbeResult: Sendable, Hashable {
        /// A program listens at the address of the bus.
        case available
        /// No program listens there.
        case unavailable
        /// This process cannot open the necessary file descriptors.
        case noDescriptors

        /// The reason why the bus cannot be used; `nil` if the bus is available, so that the daemon has failed.
        var discoveryError: DiscoveryError {
            switch self {
            case .available: .noDaemon
            case .unavailable: .noBus
            case .noDescriptors: .noDescriptors
            }
        }
    }

    /// Checks whether a program listens at the bus's address.
    ///
    /// An address that is not a socket in the file system counts as available, because it cannot be checked without the
    /// protocol of the bus.
    package static func probe() -> ProbeResult {
        guard hasFreeDescriptors() else { return .noDescriptors }
        let paths = socketPaths(in: address)
        guard !paths.isEmpty else { return .available }
        return paths.contains(where: accepts(path:)) ? .available : .unavailable
    }

    /// Returns the paths of the sockets in an address such as `unix:path=/run/a,guid=1;unix:path=/run/b`; empty if a
    /// part is of another kind.
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

    /// Returns whether this process can open as many file descriptors as one service needs.
    ///
    /// The failed attempt has already released its descriptors, so it is not enough to test whether a single one is
    /// free.
    private static func hasFreeDescriptors() -> Bool {
        var taken: [Int32] = []
        defer {
            for descriptor in taken {
                close(descriptor)
            }
        }
        while taken.count < descriptorsPerService {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            taken.append(descriptor)
        }
        return true
    }

    private static let descriptorsPerService = 7

    /// Returns a path as a C string for a socket address; `nil` if it is too long.
    private static func socketAddress(of path: String) -> [UInt8]? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { field in
            // One byte is needed for the terminating NUL.
            guard path.utf8.count < field.count else { return false }
            field.copyBytes(from: path.utf8)
            return true
        }
        return fits ? withUnsafeBytes(of: address) { Array($0) } : nil
    }

    private static func accepts(path: String) -> Bool {
        guard let address = socketAddress(of: path) else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isConnected = address.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            }
        }
        return isConnected == true
    }
}
