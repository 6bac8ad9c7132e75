import Glibc
import HAPCore
import TestSupport

/// A controller on one connection that waits for each answer: in clear first, in frames once it has verified.
final class Controller {
    private let descriptor: Int32
    private let strike: Strike?
    private var decoder = HTTPResponseDecoder()
    private var sealer: FrameSealer?
    private var opener: FrameOpener?
    private var unopened: [UInt8] = []

    /// How long an answer may take on a busy machine.
    private static let patience = 30

    /// Connects; every message is told to the strike.
    init(to place: ServerPlace, telling strike: Strike? = nil) throws {
        self.strike = strike
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
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
        guard result == 0 else { throw ConnectionEnded() }
    }

    deinit {
        close(descriptor)
    }

    /// Speaks in frames from now on.
    func secure(with keys: SessionKeys) {
        sealer = keys.takeSealer()
        opener = keys.takeOpener()
    }

    /// Sends a request and waits for its response.
    func request(_ request: HTTPRequest) throws -> HTTPMessage {
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: "accessory")
        try send(bytes)
        strike?.noteSent()
        while true {
            if let message = try decoder.next() {
                guard message.kind == .response else { continue }
                strike?.noteReceived()
                return message
            }
            try receive()
        }
    }

    private func send(_ message: [UInt8]) throws {
        var bytes = message
        if sealer != nil {
            bytes = [UInt8](repeating: 0, count: FrameSealer.sealedSize(of: message.count))
            message.withUnsafeBytes { message in
                bytes.withUnsafeMutableBytes { target in
                    _ = sealer?.seal(message, into: target)
                }
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw ConnectionEnded() }
            rest = rest.dropFirst(count)
        }
    }

    private func receive() throws {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 || errno != EAGAIN else { throw TestFailure("no answer came in \(Self.patience) s") }
        guard count > 0 else { throw ConnectionEnded() }
        guard opener != nil else {
            bytes.prefix(count).withUnsafeBytes { decoder.append($0) }
            return
        }
        unopened += bytes.prefix(count)
        while let frame = try openFrame() {
            frame.withUnsafeBytes { decoder.append($0) }
        }
    }

    private func openFrame() throws -> [UInt8]? {
        var plaintext = [UInt8](repeating: 0, count: 1_024)
        let step = try unopened.withUnsafeBytes { input in
            try plaintext.withUnsafeMutableBytes { target in try opener?.open(input, into: target) }
        }
        guard case .frame(let consumed, let count) = step else { return nil }
        unopened.removeFirst(consumed)
        return Array(plaintext.prefix(count))
    }
}

/// Where a server listens.
struct ServerPlace {
    var address: String
    var port: UInt16
}

/// The other side has ended the connection: it was killed, or it does not want to talk.
struct ConnectionEnded: Error {}
