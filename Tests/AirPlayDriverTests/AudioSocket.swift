import AirPlay
import Glibc
import HAPCore
import TestSupport

/// The sockets of a sender of audio, and the packets that it sends.
final class AudioSocket {
    /// The key of the packets; empty if they are not encrypted.
    let key: [UInt8]
    /// Sends packets, and receives requests to send them again.
    private let socket: Int32
    let port: UInt16
    var dataPort: UInt16 = 0
    var controlPort: UInt16 = 0
    /// The packets that were made, by their numbers.
    private var packets: [UInt16: [UInt8]] = [:]

    /// - Parameter host: The address from which packets are sent.
    init(key: [UInt8] = (0..<32).map { UInt8($0) }, from host: String = "127.0.0.1") throws {
        self.key = key
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        self.socket = socket
        var address = Self.address(host, 0)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound, isKnown else { throw TestFailure("no socket of \(host)") }
    }

    deinit { close(socket) }

    private static func address(_ host: String, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return address
    }

    private func send(_ bytes: [UInt8], to port: UInt16) {
        var address = Self.address("127.0.0.1", port)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    // MARK: Packets

    /// Returns big-endian samples of 352 frames in two channels that are different in each packet.
    static func samples(_ sequence: UInt16) -> [UInt8] {
        (0..<704).flatMap { place -> [UInt8] in [UInt8(truncatingIfNeeded: sequence), UInt8(place & 0xFF)] }
    }

    /// Returns what a recording of packets contains: little-endian samples; silence for those that are `nil`.
    static func recording(_ sequences: [UInt16?]) -> [UInt8] {
        sequences.flatMap { sequence -> [UInt8] in
            guard let sequence else { return [UInt8](repeating: 0, count: 1_408) }
            let samples = samples(sequence)
            return stride(from: 0, to: samples.count, by: 2).flatMap { [samples[$0 + 1], samples[$0]] }
        }
    }

    /// Sends packets, one after the other.
    func send(_ sequences: some Sequence<UInt16>) {
        for sequence in sequences { send(packet(sequence), to: dataPort) }
    }

    /// Sends a packet with another content.
    func send(payload: [UInt8], _ sequence: UInt16) { send(packet(sequence, payload), to: dataPort) }

    /// Sends what is not a packet.
    func sendRaw(_ bytes: [UInt8]) { send(bytes, to: dataPort) }

    /// Sends packets again, as the receiver has asked for.
    func resend(_ sequence: UInt16) { send(ControlPacket.resent(packet(sequence)).bytes, to: controlPort) }

    func synchronize(isFirst: Bool, timestamp: UInt32) {
        let content = ControlPacket.Synchronization(
            isFirst: isFirst,
            timestamp: timestamp,
            time: NTPTime(rawValue: UInt64(timestamp) << 20),
            nextTimestamp: timestamp &+ 11_025
        )
        send(ControlPacket.synchronization(content).bytes, to: controlPort)
    }

    /// Returns a packet: the head, the encrypted samples, and the last bytes of the nonce.
    func packet(_ sequence: UInt16, _ payload: [UInt8]? = nil) -> [UInt8] {
        let payload = payload ?? Self.samples(sequence)
        let header = RTPPacket.header(sequence: sequence, timestamp: UInt32(sequence) * 352, source: 7)
        guard !key.isEmpty else { return header + payload }
        let nonce = UInt64(sequence) + 1
        var sealed = [UInt8](repeating: 0, count: payload.count + ChaChaPoly.tagLength)
        payload.withUnsafeBytes { payload in
            header.withUnsafeBytes { header in
                key.withUnsafeBytes { key in
                    sealed.withUnsafeMutableBytes { sealed in
                        ChaChaPoly.seal(
                            payload,
                            authenticating: UnsafeRawBufferPointer(rebasing: header[4..<12]),
                            nonce: nonce,
                            key: key,
                            into: sealed
                        )
                    }
                }
            }
        }
        return header + sealed + (0..<8).map { UInt8(truncatingIfNeeded: nonce >> (8 * $0)) }
    }

    /// Returns big-endian samples of 16 bits as a packet of Apple Lossless that is not compressed.
    static func alac(_ samples: [UInt8]) -> [UInt8] {
        // Two channels; the flag that the samples are not compressed; the samples from the 24th bit on; the end.
        var bits = [false, false, true] + [Bool](repeating: false, count: 19) + [true]
        for byte in samples { bits += (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
        bits += [true, true, true]
        bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
        return stride(from: 0, to: bits.count, by: 8)
            .map { start in bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
    }

    // MARK: Requests

    private var kept: [ControlPacket.ResendRequest] = []

    /// The requests for packets that have arrived.
    var requests: [ControlPacket.ResendRequest] {
        var buffer = [UInt8](repeating: 0, count: 256)
        while case let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            if case .resendRequest(let request)? = try? ControlPacket(parsing: Array(buffer[..<count]).span) {
                kept.append(request)
            }
        }
        return kept
    }

    /// The time in which the packets of an audio stream follow one another, about three times as long as in music.
    private static let interval = Duration.milliseconds(25)

    /// Sends a packet again and again, until a condition is true; returns the number of the next packet.
    @discardableResult
    func play(
        from first: UInt16,
        until what: String,
        within limit: Duration = .seconds(60),
        _ isDone: () async throws -> Bool
    ) async throws -> UInt16 {
        let deadline = ContinuousClock.now.advanced(by: limit)
        var sequence = first
        while try await !isDone() {
            guard ContinuousClock.now < deadline else { throw TestFailure("not within \(limit): \(what)") }
            send([sequence])
            sequence &+= 1
            // Waits: audio is received in its own time.
            try await Task.sleep(for: Self.interval)
        }
        return sequence
    }
}
