/// The form of the audio of a stream.
package struct AudioFormat: Sendable, Hashable {
    /// How samples are coded.
    package enum Codec: Sendable, Hashable {
        /// Samples as they are.
        case pcm
        /// Apple Lossless.
        case alac
        /// AAC, low complexity.
        case aac
        /// AAC, enhanced low delay.
        case aacELD

        /// The number of frames in a packet unless the sender gives another one.
        package var usualFramesPerPacket: Int {
            switch self {
            case .pcm, .alac: 352
            case .aac: 1_024
            case .aacELD: 480
            }
        }
    }

    /// The sample rates in Hz that a format can have.
    package static let sampleRates = 8_000...192_000
    /// The numbers of channels that a format can have.
    package static let channelCounts = 1...8
    /// The numbers of frames in a packet that a format can have.
    package static let packetSizes = 1...4_096
    /// The numbers of bits of a sample that a format can have.
    package static let sampleSizes: Set<Int> = [16, 24, 32]

    /// How the samples are coded.
    package let codec: Codec
    /// The number of frames per second, one of ``sampleRates``.
    package let sampleRate: Int
    /// The number of channels, one of ``channelCounts``.
    package let channels: Int
    /// The number of bits of a sample, one of ``sampleSizes``; 16 for AAC.
    package let bitsPerSample: Int
    /// The number of frames in a packet, one of ``packetSizes``.
    package let framesPerPacket: Int

    /// Creates a format.
    ///
    /// - Parameter framesPerPacket: The number of frames; `nil` for the usual number of the codec.
    /// - Returns: `nil` if a number is out of its range.
    package init?(codec: Codec, sampleRate: Int, channels: Int, bitsPerSample: Int, framesPerPacket: Int? = nil) {
        let framesPerPacket = framesPerPacket ?? codec.usualFramesPerPacket
        guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channels),
            Self.sampleSizes.contains(bitsPerSample), Self.packetSizes.contains(framesPerPacket)
        else { return nil }
        (self.codec, self.sampleRate, self.channels) = (codec, sampleRate, channels)
        (self.bitsPerSample, self.framesPerPacket) = (bitsPerSample, framesPerPacket)
    }

    /// The number of bytes of a frame of unpacked samples, at most 32.
    package var bytesPerFrame: Int { channels * bitsPerSample / 8 }

    /// The number of bytes of a second of unpacked samples.
    package var bytesPerSecond: Int { sampleRate * bytesPerFrame }
}

// MARK: AirPlay 2

extension AudioFormat {
    /// Creates the format that a SETUP request of AirPlay 2 describes.
    ///
    /// The members of a stream may be missing, but those that are present must agree with one another.
    ///
    /// - Parameters:
    ///   - compressionType: `ct`: 1 PCM, 2 ALAC, 4 AAC, 8 AAC-ELD.
    ///   - formatBits: `audioFormat`: exactly one bit.
    ///   - sampleRate: `sr` in Hz.
    ///   - framesPerPacket: `spf`.
    /// - Returns: `nil` if the format is unknown or not supported, as Opus is, or if the members contradict.
    package init?(compressionType: Int?, formatBits: Int?, sampleRate: Int?, framesPerPacket: Int?) {
        let codec: Codec? =
            switch compressionType {
            case nil: nil
            case 1: .pcm
            case 2: .alac
            case 4: .aac
            case 8: .aacELD
            default: nil
            }
        guard codec != nil || compressionType == nil else { return nil }
        if let formatBits {
            guard let row = Self.rows.first(where: { 1 << $0.bit == formatBits }) else { return nil }
            guard codec == nil || codec == row.codec, sampleRate == nil || sampleRate == row.sampleRate else {
                return nil
            }
            self.init(
                codec: row.codec,
                sampleRate: row.sampleRate,
                channels: row.channels,
                bitsPerSample: row.bitsPerSample,
                framesPerPacket: framesPerPacket
            )
        } else {
            guard let codec else { return nil }
            self.init(
                codec: codec,
                sampleRate: sampleRate ?? 44_100,
                channels: 2,
                bitsPerSample: 16,
                framesPerPacket: framesPerPacket
            )
        }
    }

    /// The meaning of a bit of `audioFormat`.
    private struct Row {
        let bit: Int
        let codec: Codec
        let sampleRate: Int
        let bitsPerSample: Int
        let channels: Int

        init(_ bit: Int, _ codec: Codec, _ sampleRate: Int, _ bitsPerSample: Int, _ channels: Int) {
            (self.bit, self.codec, self.sampleRate) = (bit, codec, sampleRate)
            (self.bitsPerSample, self.channels) = (bitsPerSample, channels)
        }
    }

    /// The supported bits; 28 to 30 are Opus.
    private static let rows = [
        Row(2, .pcm, 8_000, 16, 1), Row(3, .pcm, 8_000, 16, 2),
        Row(4, .pcm, 16_000, 16, 1), Row(5, .pcm, 16_000, 16, 2),
        Row(6, .pcm, 24_000, 16, 1), Row(7, .pcm, 24_000, 16, 2),
        Row(8, .pcm, 32_000, 16, 1), Row(9, .pcm, 32_000, 16, 2),
        Row(10, .pcm, 44_100, 16, 1), Row(11, .pcm, 44_100, 16, 2),
        Row(12, .pcm, 44_100, 24, 1), Row(13, .pcm, 44_100, 24, 2),
        Row(14, .pcm, 48_000, 16, 1), Row(15, .pcm, 48_000, 16, 2),
        Row(16, .pcm, 48_000, 24, 1), Row(17, .pcm, 48_000, 24, 2),
        Row(18, .alac, 44_100, 16, 2), Row(19, .alac, 44_100, 24, 2),
        Row(20, .alac, 48_000, 16, 2), Row(21, .alac, 48_000, 24, 2),
        Row(22, .aac, 44_100, 16, 2), Row(23, .aac, 48_000, 16, 2),
        Row(24, .aacELD, 44_100, 16, 2), Row(25, .aacELD, 48_000, 16, 2),
        Row(26, .aacELD, 16_000, 16, 1), Row(27, .aacELD, 24_000, 16, 1),
        Row(31, .aacELD, 44_100, 16, 1), Row(32, .aacELD, 48_000, 16, 1),
    ]
}
