import Foundation
import Testing

/// A listener, usually on a loopback port, that is not an accessory.
final class StubListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// Accepts connections and sends this response once to each of them; only the client closes them.
    ///
    /// - Parameter response: The response, or `nil` to close connections at once.
    convenience init(response: [UInt8]?) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(isListening)
        self.init(accepting: descriptor, port: UInt16(bigEndian: address.sin_port), response: response)
    }

    /// Listens on a socket in the file system, which is not deleted.
    convenience init(response: [UInt8]?, at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        try #require(path.utf8.count < room, "too long for a socket")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 8) == 0
            }
        }
        try #require(isListening)
        self.init(accepting: descriptor, port: 0, response: response)
    }

    private init(accepting descriptor: Int32, port: UInt16, response: [UInt8]?) {
        self.descriptor = descriptor
        self.port = port
        Thread.detachNewThread {
            var open: [Int32] = []
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                if let response {
                    _ = response.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                    open.append(connection)
                } else {
                    close(connection)
                }
            }
            for connection in open { close(connection) }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
