import Glibc
import TestSupport

/// A port on the loopback interface that drops all connection attempts: they are neither accepted nor refused.
final class FullBacklog: Sendable {
    let port: UInt16
    private let sockets: [CInt]

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        // The layout in memory is the family, the port and the address.
        var address: [UInt8] = [UInt8(AF_INET), 0, 0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        var length = socklen_t(address.count)
        let isBound = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                bind(listener, address.baseAddress, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, address.baseAddress, &length) == 0
            }
        }
        guard isBound else { throw TestFailure("cannot listen on any port") }
        var sockets = [listener]
        // These are more connections than the backlog has room for, so that the last ones already wait.
        for _ in 0..<3 {
            let caller = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
            address.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { _ = connect(caller, $0.baseAddress, length) }
            }
            sockets.append(caller)
        }
        self.sockets = sockets
        port = UInt16(address[2]) << 8 | UInt16(address[3])
    }

    deinit {
        for socket in sockets {
            close(socket)
        }
    }
}
