import Foundation
import Testing

/// A loopback port that never answers.
///
/// It is silent either on accepted connections or, if its queue is full, already while connecting, because the system
/// then drops new connections.
final class SilentPort {
    let port: UInt16
    private let descriptors: [Int32]

    /// Listens on this port, or on a free one.
    init(port: UInt16 = 0, isFull: Bool) throws {
        let listening = try Self.socket()
        var yes: Int32 = 1
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // A queue of length 0 still has room for one connection. This connection fills it.
        let filling = try Self.socket()
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, size) == 0 && listen(listening, isFull ? 0 : 8) == 0
                    && getsockname(listening, $0, &size) == 0
                    && (!isFull || connect(filling, $0, size) == 0)
            }
        }
        descriptors = [listening, filling]
        self.port = UInt16(bigEndian: address.sin_port)
        try #require(isReady)
    }

    /// Whether a client has connected.
    var hasConnection: Bool {
        var look = pollfd(fd: descriptors[0], events: Int16(POLLIN), revents: 0)
        return poll(&look, 1, 0) > 0
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func socket() throws -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Foundation.socket(AF_INET, type, 0)
        try #require(descriptor >= 0)
        return descriptor
    }
}
