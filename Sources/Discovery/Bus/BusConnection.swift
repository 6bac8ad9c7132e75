internal import Glibc

/// A connection to the system bus whose every call ends by a deadline.
///
/// The `dns_sd` library's own calls block for 25 seconds when the bus hangs, and cannot ask for more than services. For
/// one look this is also cheaper: one connection, whatever the number of services.
struct BusConnection: ~Copyable {
    private let socket: TimedSocket
    private var buffer: [UInt8] = []
    private var lastSerial: UInt32 = 0
    /// What came while something else was waited for.
    private var waiting: [BusMessage] = []

    private init(_ socket: consuming TimedSocket) {
        self.socket = socket
    }

    /// Connects to the first of the bus's addresses that answers, and says hello.
    static func open(by deadline: ContinuousClock.Instant) throws(DiscoveryError) -> BusConnection {
        let paths = SystemBus.socketPaths(in: SystemBus.address)
        guard !paths.isEmpty else { throw .busRefused }
        for path in paths {
            guard let address = SystemBus.socketAddress(of: path),
                let socket = try? TimedSocket.connect(to: address, by: deadline)
            else { continue }
            var connection = BusConnection(socket)
            try connection.greet(by: deadline)
            return connection
        }
        throw .noBus
    }

    /// Sends a call and answers its serial.
    mutating func begin(
        _ member: String,
        of interface: String,
        at path: String,
        destination: String? = nil,
        _ arguments: [BusMessage.Argument] = [],
        by deadline: ContinuousClock.Instant
    ) throws(DiscoveryError) -> UInt32 {
        lastSerial += 1
        let call = BusMessage.call(
            member,
            of: interface,
            at: path,
            destination: destination ?? interface,
            arguments,
            serial: lastSerial
        )
        try send(call, by: deadline)
        return lastSerial
    }

    /// Calls and waits for the answer; what else comes waits for ``next(by:)``.
    ///
    /// - Throws: `.noAnswer` when there is none in time.
    mutating func call(
        _ member: String,
        of interface: String,
        at path: String,
        destination: String? = nil,
        _ arguments: [BusMessage.Argument] = [],
        by deadline: ContinuousClock.Instant
    ) throws(DiscoveryError) -> BusMessage {
        let serial = try begin(member, of: interface, at: path, destination: destination, arguments, by: deadline)
        while true {
            guard let message = try receive(by: deadline) else { throw .busSilent }
            if message.replySerial == serial { return message }
            waiting.append(message)
        }
    }

    /// The next message, `nil` when none comes in time.
    mutating func next(by deadline: ContinuousClock.Instant) throws(DiscoveryError) -> BusMessage? {
        waiting.isEmpty ? try receive(by: deadline) : waiting.removeFirst()
    }

    private mutating func greet(by deadline: ContinuousClock.Instant) throws(DiscoveryError) {
        let user = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
        try send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8), by: deadline)
        guard try line(by: deadline).hasPrefix("OK ") else { throw .busRefused }
        try send(Array("BEGIN\r\n".utf8), by: deadline)
        _ = try call("Hello", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", by: deadline)
    }

    private mutating func receive(by deadline: ContinuousClock.Instant) throws(DiscoveryError) -> BusMessage? {
        while true {
            if buffer.count >= BusMessage.prefixSize {
                guard let size = BusMessage.size(ofPrefix: Array(buffer.prefix(BusMessage.prefixSize))) else {
                    throw .busRefused
                }
                if buffer.count >= size {
                    let message = BusMessage(Array(buffer.prefix(size)))
                    buffer.removeFirst(size)
                    guard let message else { throw .busRefused }
                    return message
                }
            }
            guard try fill(by: deadline) else { return nil }
        }
    }

    private mutating func line(by deadline: ContinuousClock.Instant) throws(DiscoveryError) -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line
            }
            guard buffer.count < 4_096 else { throw .busRefused }
            guard try fill(by: deadline) else { throw .busSilent }
        }
    }

    /// Waits for more bytes; false when none came in time.
    private mutating func fill(by deadline: ContinuousClock.Instant) throws(DiscoveryError) -> Bool {
        do throws(SocketFailure) {
            let bytes = try socket.read(by: deadline)
            guard !bytes.isEmpty else { throw .system(ECONNRESET) }
            buffer += bytes
            return true
        } catch {
            guard error == .timedOut else { throw .busRefused }
            return false
        }
    }

    private func send(_ bytes: [UInt8], by deadline: ContinuousClock.Instant) throws(DiscoveryError) {
        do throws(SocketFailure) {
            try socket.write(bytes, by: deadline)
        } catch {
            throw error == .timedOut ? .busSilent : .busRefused
        }
    }
}
