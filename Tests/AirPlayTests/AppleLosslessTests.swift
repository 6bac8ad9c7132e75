import AirPlay
import TestSupport
import Testing

/// Packets of Apple Lossless that are not compressed.
struct AppleLosslessTests {
    private static func format(channels: Int = 2, bits: Int = 16, frames: Int = 352) throws -> AudioFormat {
        try #require(
            AudioFormat(
                codec: .alac,
                sampleRate: 44_100,
                channels: channels,
                bitsPerSample: bits,
                framesPerPacket: frames
            )
        )
    }

    /// Writes a packet bit by bit.
    private struct Bits {
        var bytes: [UInt8] = []
        private var count = 0

        mutating func write(_ number: Int, _ width: Int) {
            for place in (0..<width).reversed() {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(number >> place & 1) << UInt8(7 - count % 8)
                count += 1
            }
        }
    }

    /// Returns a packet; without the end, it is as PulseAudio writes it.
    private static func packet(
        _ samples: [Int],
        element: Int = 1,
        frames: Int?,
        bits: Int = 16,
        isCompressed: Bool = false,
        hasEnd: Bool = true
    ) -> [UInt8] {
        var writer = Bits()
        writer.write(element, 3)
        writer.write(0, 16)
        writer.write(frames == nil ? 0 : 1, 1)
        writer.write(0, 2)
        writer.write(isCompressed ? 0 : 1, 1)
        if let frames { writer.write(frames, 32) }
        for sample in samples { writer.write(sample & (1 << bits - 1), bits) }
        if hasEnd { writer.write(7, 3) }
        return writer.bytes
    }

    private func unpack(_ packet: [UInt8], _ format: AudioFormat) throws(AirPlayError) -> AppleLossless.Packet {
        try AppleLossless.unpack(packet.span, format: format)
    }

    /// The last packets of noise that `ffmpeg -c:a alac -compression_level 0` of ffmpeg 5.1 has written.
    @Test(arguments: [
        (
            2, 16, "2000120000000dc09ec73beed1713d737b0a755ad8c80a3ce1b991bb64a5c5c0",
            "4fe09d6368f79eb8bdb93a856cad0564701ec8dcb2dde252"
        ),
        (1, 16, "0000120000000b070df415a2044dc1d451c0", "86830afa02d1e02628ea"),
        (
            2, 24, "2000120000000904124056ededa158561522bfb78786ddf7cd150cfc89e30fc0",
            "20098200f6762b002bacd0005f910a00c3c3db00e6fb6e007e868a0087f144"
        ),
    ])
    func thePacketsOfFfmpegAreUnpacked(_ channels: Int, _ bits: Int, _ packet: String, _ samples: String) throws {
        let format = try Self.format(channels: channels, bits: bits, frames: 4_096)
        // The samples of 24 bits were written as 32 bits with a lowest byte of 0.
        let bytes = [UInt8](hex: samples)
        let expected = bits == 24 ? bytes.enumerated().filter { $0.offset % 4 != 3 }.map(\.element) : bytes
        #expect(try unpack([UInt8](hex: packet), format) == .samples(expected))
    }

    @Test(arguments: [true, false])
    func aWholePacketIsUnpackedWithAndWithoutAnEnd(_ hasEnd: Bool) throws {
        let samples = (0..<704).map { $0 * 93 - 32_768 }
        let expected = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        for frames in [nil, 352] {
            let packet = Self.packet(samples, frames: frames, hasEnd: hasEnd)
            #expect(try unpack(packet, Self.format()) == .samples(expected))
        }
        // The packet of PulseAudio has 1,415 bytes.
        #expect(Self.packet(samples, frames: 352, hasEnd: false).count == 1_415)
    }

    @Test
    func samplesOf32BitsAreUnpacked() throws {
        let packet = Self.packet([0x0123_4567, -2], frames: 1, bits: 32)
        let expected: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0xFE, 0xFF, 0xFF, 0xFF]
        #expect(try unpack(packet, Self.format(bits: 32)) == .samples(expected))
    }

    @Test
    func compressedPacketsAreLeftAlone() throws {
        #expect(try unpack(Self.packet([], frames: nil, isCompressed: true), Self.format()) == .compressed)
        #expect(try unpack(Self.packet([], frames: 9_999, isCompressed: true), Self.format()) == .compressed)
    }

    @Test
    func thePacketMustAgreeWithTheStream() throws {
        let stereo = Self.packet([1, 2], frames: 1)
        #expect(throws: AirPlayError.self) { try unpack(stereo, Self.format(channels: 1)) }
        #expect(throws: AirPlayError.self) { try unpack(stereo, Self.format(channels: 3)) }
        for element in [0, 2, 3, 7] {
            #expect(throws: AirPlayError.self) {
                try unpack(Self.packet([1, 2], element: element, frames: 1), Self.format())
            }
        }
    }

    @Test(arguments: [(0, false), (1, true), (352, true), (353, false), (0x8000_0000, false), (0xFFFF_FFFF, false)])
    func theNumberOfFramesIsLimited(_ frames: Int, _ isValid: Bool) throws {
        let packet = Self.packet(Array(repeating: 1, count: 2 * 353), frames: frames)
        let format = try Self.format()
        let result = try? unpack(packet, format)
        #expect((result != nil) == isValid)
        if case .samples(let samples) = result { #expect(samples.count == 4 * frames) }
    }

    @Test(arguments: [nil, 5])
    func aPacketThatIsCutOffIsRefused(_ frames: Int?) throws {
        let format = try Self.format(frames: 5)
        let packet = Self.packet((0..<10).map { $0 * 3_000 }, frames: frames, hasEnd: false)
        HostileInput.truncations(of: packet) { part in
            #expect(((try? unpack(part, format)) != nil) == (part.count == packet.count))
        }
    }

    @Test
    func hostilePacketsAreUnpackedOrRefused() throws {
        var results = [true: 0, false: 0]
        let format = try Self.format(frames: 16)
        let samples = (0..<32).map { $0 * 1_000 }
        HostileInput.mutations(of: [Self.packet(samples, frames: 16), Self.packet(samples, frames: nil)]) { packet in
            let result = try? unpack(packet, format)
            results[result != nil, default: 0] += 1
            if case .samples(let samples) = result { #expect(samples.count <= 64) }
        }
        #expect(results.values.allSatisfy { $0 > 100 })
    }
}
