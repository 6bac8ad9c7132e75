import AirPlay
import Testing

/// The formats of audio, of SETUP and of WAV files.
struct AudioFormatTests {
    @Test(arguments: [
        (0x4, AudioFormat.Codec.pcm, 8_000, 16, 1), (0x800, .pcm, 44_100, 16, 2), (0x8000, .pcm, 48_000, 16, 2),
        (0x2_0000, .pcm, 48_000, 24, 2), (0x4_0000, .alac, 44_100, 16, 2), (0x8_0000, .alac, 44_100, 24, 2),
        (0x10_0000, .alac, 48_000, 16, 2), (0x20_0000, .alac, 48_000, 24, 2), (0x40_0000, .aac, 44_100, 16, 2),
        (0x80_0000, .aac, 48_000, 16, 2), (0x100_0000, .aacELD, 44_100, 16, 2), (0x400_0000, .aacELD, 16_000, 16, 1),
        (0x1_0000_0000, .aacELD, 48_000, 16, 1),
    ])
    func aBitIsAFormat(_ bits: Int, _ codec: AudioFormat.Codec, _ rate: Int, _ size: Int, _ channels: Int) throws {
        let format = try #require(
            AudioFormat(compressionType: nil, formatBits: bits, sampleRate: nil, framesPerPacket: nil)
        )
        #expect(format.codec == codec && format.sampleRate == rate)
        #expect(format.bitsPerSample == size && format.channels == channels)
        #expect(format.framesPerPacket == codec.usualFramesPerPacket)
    }

    /// The stream that pyatv 0.18.0 sets up.
    @Test
    func theSetupOfPyatvIsAFormat() throws {
        let format = try #require(
            AudioFormat(compressionType: 1, formatBits: 0x800, sampleRate: 44_100, framesPerPacket: 352)
        )
        let same = AudioFormat(codec: .pcm, sampleRate: 44_100, channels: 2, bitsPerSample: 16, framesPerPacket: 352)
        #expect(format == same)
        #expect(format.bytesPerFrame == 4 && format.bytesPerSecond == 176_400)
    }

    @Test(arguments: [(1, AudioFormat.Codec.pcm), (2, .alac), (4, .aac), (8, .aacELD)])
    func aTypeWithoutBitsIsStereoOf16Bits(_ type: Int, _ codec: AudioFormat.Codec) {
        let format = AudioFormat(compressionType: type, formatBits: nil, sampleRate: 48_000, framesPerPacket: nil)
        #expect(format == AudioFormat(codec: codec, sampleRate: 48_000, channels: 2, bitsPerSample: 16))
    }

    @Test(
        arguments: [
            // Nothing, an unknown type, no bit, two bits, an unknown bit, Opus, a negative number.
            (nil, nil, nil, nil), (3, nil, nil, nil), (0, nil, nil, nil), (nil, 0, nil, nil), (nil, 0xC00, nil, nil),
            (nil, 1, nil, nil), (nil, 0x1000_0000, nil, nil), (nil, .min, nil, nil), (nil, -1, nil, nil),
            // Contradictions.
            (2, 0x800, nil, nil), (3, 0x800, nil, nil), (1, 0x800, 48_000, nil),
            // Out of range.
            (1, 0x800, 44_100, 0), (1, 0x800, 44_100, 4_097), (1, nil, 7_999, nil), (1, nil, .max, nil),
            (1, nil, nil, .min),
        ] as [(Int?, Int?, Int?, Int?)]
    )
    func anotherSetupIsNotAFormat(_ type: Int?, _ bits: Int?, _ rate: Int?, _ frames: Int?) {
        let format = AudioFormat(compressionType: type, formatBits: bits, sampleRate: rate, framesPerPacket: frames)
        #expect(format == nil)
    }

    @Test(arguments: [
        (8_000, 1, 16, 1, true), (192_000, 8, 32, 4_096, true), (44_100, 2, 24, 352, true),
        (7_999, 1, 16, 1, false), (192_001, 1, 16, 1, false), (44_100, 0, 16, 1, false), (44_100, 9, 16, 1, false),
        (44_100, 2, 20, 1, false), (44_100, 2, 8, 1, false), (44_100, 2, 16, 0, false), (44_100, 2, 16, 4_097, false),
        (.min, .min, .min, .min, false), (.max, .max, .max, .max, false),
    ])
    func theNumbersOfAFormatHaveRanges(_ rate: Int, _ channels: Int, _ bits: Int, _ frames: Int, _ isValid: Bool) {
        let format = AudioFormat(
            codec: .pcm,
            sampleRate: rate,
            channels: channels,
            bitsPerSample: bits,
            framesPerPacket: frames
        )
        #expect((format != nil) == isValid)
    }

    @Test
    func theHeadOfAWaveFileDescribesTheSamples() throws {
        let format = try #require(AudioFormat(codec: .alac, sampleRate: 44_100, channels: 2, bitsPerSample: 16))
        let head = WaveFile.header(for: format, dataLength: 1_000)
        let expected: [UInt8] =
            Array("RIFF".utf8) + [0x0C, 4, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0]
            + [0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0] + Array("data".utf8) + [0xE8, 3, 0, 0]
        #expect(head == expected && head.count == WaveFile.headerLength)
    }

    @Test(arguments: [
        (-1, 0), (Int.min, 0), (4_294_967_259, 4_294_967_259), (4_294_967_260, 4_294_967_259),
        (Int.max, 4_294_967_259),
    ])
    func theLengthOfAWaveFileIsClampedTo32Bits(_ length: Int, _ written: Int) throws {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 192_000, channels: 8, bitsPerSample: 32))
        let head = WaveFile.header(for: format, dataLength: length)
        func number(_ place: Int) -> Int { head[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
        #expect(number(40) == written && number(4) == written + 36)
        #expect(number(28) == 192_000 * 32)
    }
}
