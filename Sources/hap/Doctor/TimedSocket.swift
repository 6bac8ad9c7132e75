import Glibc

/// A stream socket whose every operation ends by a deadline, on the calling thread.
///
/// For looking at things that may not answer.
struct TimedSocket: ~Copyable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects.
    ///
    /// - Parameter address: the bytes of a `sockaddr`, as `getaddrinfo` gives them.
    static func connect(
        to address: [UInt8],
        by deadline: ContinuousClock.Instant
    ) throws(SocketFailure) -> TimedSocket {
        guard address.count >= MemoryLayout<sockaddr>.size else { throw .system(EINVAL) }
        let family = address.withUnsafeBytes { Int32($0.loadUnaligned(as: sa_family_t.self)) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = TimedSocket(Glibc.socket(family, kind, 0))
        guard socket.descriptor >= 0 else { throw .system(errno) }
        let status = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(socket.descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard status != 0 else { return socket }
        guard errno == EINPROGRESS else { throw .system(errno) }
        try socket.wait(for: POLLOUT, by: deadline)
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 else { throw .system(errno) }
        guard failure == 0 else { throw .system(failure) }
        return socket
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
        }
    }

    /// Writes all of the bytes.
    func write(_ bytes: [UInt8], by deadline: ContinuousClock.Instant) throws(SocketFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                return send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, by: deadline)
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Reads what has arrived, at least one byte; nothing once the other side has ended the connection.
    func read(by deadline: ContinuousClock.Instant) throws(SocketFailure) -> [UInt8] {
        while true {
            // Also when bytes are there: a peer that never stops must not outlast the deadline.
            try wait(for: POLLIN, by: deadline)
            var bytes = [UInt8](repeating: 0, count: 16 << 10)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count >= 0 { return Array(bytes.prefix(count)) }
            guard errno == EAGAIN || errno == EINTR else { throw .system(errno) }
        }
    }

    private func wait(for event: Int32, by deadline: ContinuousClock.Instant) throws(SocketFailure) {
        while true {
            let (seconds, attoseconds) = ContinuousClock.now.duration(to: deadline).components
            guard seconds >= 0, attoseconds > 0 || seconds > 0 else { throw .timedOut }
            let milliseconds = min(seconds, 60) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = poll(&request, 1, Int32(clamping: milliseconds))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw .system(errno) }
        }
    }
}
