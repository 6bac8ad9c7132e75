/// The head of a packet of audio, and where its content is.
///
/// [RTP](https://www.rfc-editor.org/rfc/rfc3550#section-5.1)
package struct RTPPacket: Sendable, Hashable {
    /// The number of bytes of a head without sources and extensions.
    package static let headerLength = 12
    /// The type of the content of packets of audio.
    package static let audioType: UInt8 = 96
    /// The bytes of a packet that are authenticated with the encrypted content: the timestamp and the stream.
    package static let authenticatedRange = 4..<12

    /// Whether the packet is the first one after a pause.
    package let isMarked: Bool
    /// The number of the packet, which begins again after 16 bits.
    package let sequence: UInt16
    /// The time of the first frame in frames, which begins again after 32 bits.
    package let timestamp: UInt32
    /// The number of the stream.
    package let source: UInt32
    /// The positions of the content in the packet, counted from its first byte; may be empty.
    package let content: Range<Int>

    /// Reads a packet.
    ///
    /// Lists of sources, extensions and padding are skipped.
    ///
    /// - Throws: ``AirPlayError`` if the packet is cut off, is not version 2 or is not of the type ``audioType``.
    package init(parsing bytes: Span<UInt8>) throws(AirPlayError) {
        guard bytes.count >= Self.headerLength else { throw .malformed("A packet of RTP is cut off in its head.") }
        guard bytes[0] >> 6 == 2 else { throw .malformed("A packet is not version 2 of RTP.") }
        guard bytes[1] & 0x7F == Self.audioType else {
            throw .malformed("A packet of RTP has the type \(bytes[1] & 0x7F).")
        }
        var start = Self.headerLength + 4 * Int(bytes[0] & 0x0F)
        if bytes[0] & 0x10 != 0 {
            guard bytes.count >= start + 4 else { throw .malformed("A packet of RTP is cut off in its extension.") }
            start += 4 + 4 * Int(bytes.bigEndian16(at: start + 2))
        }
        var end = bytes.count
        if bytes[0] & 0x20 != 0 {
            // The last byte counts itself.
            let padding = Int(bytes[end - 1])
            guard padding > 0 else { throw .malformed("The padding of a packet of RTP is malformed.") }
            end -= padding
        }
        guard start <= end else { throw .malformed("A packet of RTP is shorter than its head.") }
        isMarked = bytes[1] & 0x80 != 0
        sequence = bytes.bigEndian16(at: 2)
        timestamp = bytes.bigEndian32(at: 4)
        source = bytes.bigEndian32(at: 8)
        content = start..<end
    }

    /// Returns the 12 bytes before the content of a packet.
    package static func header(
        isMarked: Bool = false,
        sequence: UInt16,
        timestamp: UInt32,
        source: UInt32
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x80, audioType | (isMarked ? 0x80 : 0)]
        bytes.reserveCapacity(headerLength)
        bytes.appendBigEndian(sequence)
        bytes.appendBigEndian(timestamp)
        bytes.appendBigEndian(source)
        return bytes
    }
}

extension Span<UInt8> {
    /// Returns the number of two bytes, which must exist.
    func bigEndian16(at index: Int) -> UInt16 {
        UInt16(self[index]) << 8 | UInt16(self[index + 1])
    }

    /// Returns the number of four bytes, which must exist.
    func bigEndian32(at index: Int) -> UInt32 {
        UInt32(bigEndian16(at: index)) << 16 | UInt32(bigEndian16(at: index + 2))
    }

    /// Returns the number of eight bytes, which must exist.
    func bigEndian64(at index: Int) -> UInt64 {
        UInt64(bigEndian32(at: index)) << 32 | UInt64(bigEndian32(at: index + 4))
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the most significant first.
    mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        for place in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> place))
        }
    }
}
