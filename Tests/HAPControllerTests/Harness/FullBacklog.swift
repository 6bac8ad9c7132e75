import Glibc
import TestSupport

/// A port of the loopback that drops whoever wants to connect: nobody answers, and nobody refuses.
final class FullBacklog: Sendable {
    let port: UInt16
    private let sockets: [CInt]

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        // As it lies in memory: the family, the port, the address.
        var address: [UInt8] = [UInt8(AF_INET), 0, 0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        var length = socklen_t(address.count)
        let isBound = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                bind(listener, address.baseAddress, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, address.baseAddress, &length) == 0
            }
        }
        guard isBound else { throw TestFailure("no port can be listened at") }
        var sockets = [listener]
        // More than there is room for: the last of them wait already.
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
