/// A packet on the control port or the timing port of a stream.
///
/// The first two bytes are `80` and the type; the first synchronization of a stream has `90`.
package enum ControlPacket: Sendable, Hashable {
    /// Relates the time of RTP to the time of the sender; type 54.
    case synchronization(Synchronization)
    /// Asks the sender for packets again; type 55.
    case resendRequest(ResendRequest)
    /// A whole packet of audio that was sent again; type 56.
    case resent([UInt8])
    /// Asks the peer for its time; type 52.
    case timingRequest(Timing)
    /// Gives the time of the peer; type 53.
    case timingReply(Timing)

    /// The relation of the time of RTP to the time of the sender.
    package struct Synchronization: Sendable, Hashable {
        /// Whether the packet is the first one of a stream or after a pause.
        package var isFirst: Bool
        /// The time of RTP, in frames, that is played at ``time``.
        package var timestamp: UInt32
        /// The time of the sender.
        package var time: NTPTime
        /// The time of RTP of the next packet of audio.
        package var nextTimestamp: UInt32

        /// Creates a relation.
        package init(isFirst: Bool = false, timestamp: UInt32, time: NTPTime, nextTimestamp: UInt32) {
            (self.isFirst, self.timestamp) = (isFirst, timestamp)
            (self.time, self.nextTimestamp) = (time, nextTimestamp)
        }

        /// The number of frames between the sending of a packet and its playing.
        package var latency: UInt32 { nextTimestamp &- timestamp }
    }

    /// The packets that a receiver needs again.
    package struct ResendRequest: Sendable, Hashable {
        /// The number of the first packet.
        package var first: UInt16
        /// The number of packets, at least 1.
        package var count: UInt16

        /// Creates a request.
        package init(first: UInt16, count: UInt16) {
            (self.first, self.count) = (first, count)
        }
    }

    /// The times of a measurement of the difference between two clocks.
    package struct Timing: Sendable, Hashable {
        /// When the request was sent, on the clock of its sender; zero in a request.
        package var origin: NTPTime
        /// When the request was received, on the clock of its receiver; zero in a request.
        package var received: NTPTime
        /// When this packet was sent, on the clock of its sender.
        package var sent: NTPTime

        /// Creates the times of a request.
        package init(sent: NTPTime) {
            self.init(origin: .zero, received: .zero, sent: sent)
        }

        /// Creates the times of a reply.
        package init(origin: NTPTime, received: NTPTime, sent: NTPTime) {
            (self.origin, self.received, self.sent) = (origin, received, sent)
        }

        /// Returns the reply to a request.
        package func reply(received: NTPTime, sent: NTPTime) -> Timing {
            Timing(origin: self.sent, received: received, sent: sent)
        }
    }

    /// Reads a packet.
    ///
    /// Bytes after the end of a packet are ignored.
    ///
    /// - Throws: ``AirPlayError`` if the packet is cut off, has another version or an unknown type, or requests no
    ///   packet.
    package init(parsing bytes: Span<UInt8>) throws(AirPlayError) {
        guard bytes.count >= 4, bytes[0] >> 6 == 2 else { throw .malformed("A control packet has no valid head.") }
        let type = bytes[1] & 0x7F
        let length =
            switch type {
            case 0x52, 0x53: 32
            case 0x54: 20
            case 0x55: 8
            case 0x56: 4 + RTPPacket.headerLength
            default: throw AirPlayError.malformed("A control packet has the type \(type).")
            }
        guard bytes.count >= length else { throw .malformed("A control packet of the type \(type) is cut off.") }
        switch type {
        case 0x52: self = .timingRequest(Self.timing(bytes))
        case 0x53: self = .timingReply(Self.timing(bytes))
        case 0x54:
            self = .synchronization(
                Synchronization(
                    isFirst: bytes[0] & 0x10 != 0,
                    timestamp: bytes.bigEndian32(at: 4),
                    time: NTPTime(rawValue: bytes.bigEndian64(at: 8)),
                    nextTimestamp: bytes.bigEndian32(at: 16)
                )
            )
        case 0x55:
            let request = ResendRequest(first: bytes.bigEndian16(at: 4), count: bytes.bigEndian16(at: 6))
            guard request.count > 0 else { throw .malformed("A control packet requests no packet.") }
            self = .resendRequest(request)
        default:
            self = .resent((4..<bytes.count).map { bytes[$0] })
        }
    }

    private static func timing(_ bytes: Span<UInt8>) -> Timing {
        Timing(
            origin: NTPTime(rawValue: bytes.bigEndian64(at: 8)),
            received: NTPTime(rawValue: bytes.bigEndian64(at: 16)),
            sent: NTPTime(rawValue: bytes.bigEndian64(at: 24))
        )
    }

    /// The bytes to send.
    package var bytes: [UInt8] {
        switch self {
        case .synchronization(let synchronization):
            var bytes: [UInt8] = [synchronization.isFirst ? 0x90 : 0x80, 0xD4, 0, 7]
            bytes.appendBigEndian(synchronization.timestamp)
            bytes.appendBigEndian(synchronization.time.rawValue)
            bytes.appendBigEndian(synchronization.nextTimestamp)
            return bytes
        case .resendRequest(let request):
            var bytes: [UInt8] = [0x80, 0xD5, 0, 1]
            bytes.appendBigEndian(request.first)
            bytes.appendBigEndian(request.count)
            return bytes
        case .resent(let packet):
            // Senders repeat the number of the packet.
            let number = packet.count >= 4 ? packet[2..<4] : [0, 0]
            return [0x80, 0xD6] + number + packet
        case .timingRequest(let timing): return Self.bytes(0xD2, timing)
        case .timingReply(let timing): return Self.bytes(0xD3, timing)
        }
    }

    private static func bytes(_ type: UInt8, _ timing: Timing) -> [UInt8] {
        var bytes: [UInt8] = [0x80, type, 0, 7, 0, 0, 0, 0]
        bytes.appendBigEndian(timing.origin.rawValue)
        bytes.appendBigEndian(timing.received.rawValue)
        bytes.appendBigEndian(timing.sent.rawValue)
        return bytes
    }
}
