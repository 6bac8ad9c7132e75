import Glibc
import HAPCore
import TestSupport

/// A ``HAPClient`` on a socket that waits for each response.
final class BlockingClient {
    private let descriptor: Int32
    private let killPoint: KillPoint?
    private var client = HAPClient()

    /// The number of seconds that a response may take on a busy machine.
    private static let timeout = 30

    /// Connects to a server; the kill point is notified of every message.
    init(to place: ServerEndpoint, killPoint strike: KillPoint? = nil) throws {
        self.killPoint = strike
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = place.port.bigEndian
        inet_pton(AF_INET, place.address, &address.sin_addr)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw ConnectionClosed() }
    }

    deinit {
        close(descriptor)
    }

    /// Uses encrypted frames from now on.
    func secure(with frames: FrameCodec) {
        client.secure(with: frames)
    }

    /// Sends a request and waits for its response.
    func request(_ request: HTTPRequest) throws -> HTTPMessage {
        try send(client.bytes(of: request.message))
        killPoint?.didSend()
        while true {
            if let message = try client.nextMessage() {
                guard message.kind == .response else { continue }
                killPoint?.didReceive()
                return message
            }
            try receive()
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw ConnectionClosed() }
            rest = rest.dropFirst(count)
        }
    }

    private func receive() throws {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 || errno != EAGAIN else { throw TestFailure("no response within \(Self.timeout) s") }
        guard count > 0 else { throw ConnectionClosed() }
        try client.receive(Array(bytes.prefix(count)))
    }
}

/// The address and port of a server.
struct ServerEndpoint {
    var address: String
    var port: UInt16
}

/// The error of a connection that the server closed, because it was killed or refused the connection.
struct ConnectionClosed: Error {}
