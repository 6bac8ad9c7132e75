/// Writes the parts of files with compressed audio, which is stored as it was received.
package enum CompressedAudioFile: Sendable, Hashable {
    /// AAC with a head before each packet: ADTS.
    case adts
    /// Apple Lossless in a Core Audio file, whose table of packets follows the packets.
    case coreAudio

    /// The file for a format; `nil` if its packets cannot be stored.
    package init?(_ format: AudioFormat) {
        switch format.codec {
        case .aac where Self.frequencies.contains(format.sampleRate) && format.channels <= 7: self = .adts
        case .alac: self = .coreAudio
        case .aac, .aacELD, .pcm: return nil
        }
    }

    /// The ending of the name.
    package var suffix: String {
        switch self {
        case .adts: "aac"
        case .coreAudio: "caf"
        }
    }

    /// Returns the bytes before the first packet.
    ///
    /// - Parameter dataLength: The number of bytes of all packets; `nil` if it is not known yet.
    package func header(for format: AudioFormat, dataLength: Int?) -> [UInt8] {
        guard self == .coreAudio else { return [] }
        var bytes = Array("caff".utf8)
        bytes.appendBigEndian(UInt16(1))
        bytes.appendBigEndian(UInt16(0))
        bytes.appendChunk("desc", Self.description(of: format))
        bytes.appendChunk("kuki", Self.configuration(of: format))
        bytes += "data".utf8
        // The data begins with the number of edits.
        bytes.appendBigEndian(dataLength.map { Int64($0) + 4 } ?? -1)
        bytes.appendBigEndian(UInt32(0))
        return bytes
    }

    /// Returns a packet as it is stored; `nil` for one that is too long.
    package func packet(_ payload: [UInt8], format: AudioFormat) -> [UInt8]? {
        guard self == .adts else { return payload }
        let length = payload.count + 7
        guard length < 1 << 13, let frequency = Self.frequencies.firstIndex(of: format.sampleRate) else { return nil }
        let channels = format.channels
        // MPEG-4, without a checksum; low complexity; variable bit rate; one frame.
        return [
            0xFF, 0xF1, UInt8(1 << 6 | frequency << 2 | channels >> 2), UInt8((channels & 3) << 6 | length >> 11),
            UInt8(length >> 3 & 0xFF), UInt8((length & 7) << 5 | 0x1F), 0xFC,
        ] + payload
    }

    /// Returns the bytes after the last packet: the table with the sizes of all packets.
    package func trailer(for format: AudioFormat, packetSizes: [Int]) -> [UInt8] {
        guard self == .coreAudio else { return [] }
        var table: [UInt8] = []
        table.appendBigEndian(Int64(packetSizes.count))
        table.appendBigEndian(Int64(packetSizes.count) * Int64(format.framesPerPacket))
        table.appendBigEndian(UInt64(0))
        for size in packetSizes { table.appendVariable(size) }
        var bytes: [UInt8] = []
        bytes.appendChunk("pakt", table)
        return bytes
    }

    /// The sample rates of ADTS in Hz, by their numbers.
    private static let frequencies = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    ]

    private static func description(of format: AudioFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(Double(format.sampleRate).bitPattern)
        bytes += "alac".utf8
        // The flags are the number of bits before the compression.
        let flags: [Int: UInt32] = [16: 1, 24: 3, 32: 4]
        bytes.appendBigEndian(flags[format.bitsPerSample] ?? 1)
        bytes.appendBigEndian(UInt32(0))
        bytes.appendBigEndian(UInt32(format.framesPerPacket))
        bytes.appendBigEndian(UInt32(format.channels))
        bytes.appendBigEndian(UInt32(0))
        return bytes
    }

    /// The configuration of a decoder, with the numbers that every sender announces.
    private static func configuration(of format: AudioFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt32(format.framesPerPacket))
        bytes += [0, UInt8(format.bitsPerSample), 40, 10, 14, UInt8(format.channels)]
        bytes.appendBigEndian(UInt16(255))
        bytes.appendBigEndian(UInt32(0))
        bytes.appendBigEndian(UInt32(0))
        bytes.appendBigEndian(UInt32(format.sampleRate))
        return bytes
    }
}

extension [UInt8] {
    /// Appends a part of a Core Audio file.
    fileprivate mutating func appendChunk(_ name: String, _ content: [UInt8]) {
        self += name.utf8
        appendBigEndian(Int64(content.count))
        self += content
    }

    /// Appends a number in groups of seven bits, of which all but the last have the highest bit set.
    fileprivate mutating func appendVariable(_ number: Int) {
        var groups = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        self += groups.reversed()
    }
}
