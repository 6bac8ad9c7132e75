/// Unpacks packets of Apple Lossless whose samples are not compressed.
///
/// A packet is a sequence of bits, the most significant bit of a byte first:
///
/// | bits | content |
/// |---|---|
/// | 3 | the element: 0 one channel, 1 two channels |
/// | 4 | the number of the element |
/// | 12 | not used |
/// | 1 | whether the number of frames follows |
/// | 2 | bytes that compression has removed, which has no meaning here |
/// | 1 | whether the samples are not compressed |
/// | 0 or 32 | the number of frames |
/// | n | the samples, the channels of a frame one after another |
/// | 3 | the end, 7 |
///
/// Some senders leave out the end, as PulseAudio does.
package enum AppleLossless {
    /// What a packet contains.
    package enum Packet: Sendable, Hashable {
        /// Whole frames as a WAV file stores them: little-endian samples, the channels one after another.
        case samples([UInt8])
        /// Compressed samples, which are not unpacked.
        case compressed
    }

    /// Unpacks a packet.
    ///
    /// - Parameters:
    ///   - bytes: The packet.
    ///   - format: The form of the stream: one or two channels, and the maximum number of frames in a packet.
    /// - Throws: ``AirPlayError`` for a stream of another number of channels, for an element that does not agree with
    ///   the stream, and if the number of frames is 0, is over the maximum, or is more than the packet contains.
    package static func unpack(_ bytes: Span<UInt8>, format: AudioFormat) throws(AirPlayError) -> Packet {
        guard bytes.count >= 3 else { throw .malformed("A packet of Apple Lossless is cut off in its head.") }
        guard format.channels <= 2 else { throw .malformed("Apple Lossless with over two channels is not supported.") }
        guard Int(bytes[0] >> 5) == format.channels - 1 else {
            throw .malformed("The element of a packet of Apple Lossless does not agree with the channels.")
        }
        // The bits 19 to 22 of the packet are the bits 4 to 1 of the third byte.
        let flags = bytes[2]
        guard flags & 0b10 != 0 else { return .compressed }
        var start = 2
        var frames = format.framesPerPacket
        if flags & 0b1_0000 != 0 {
            guard bytes.count >= 7 else { throw .malformed("A packet of Apple Lossless is cut off in its head.") }
            frames = (2..<6).reduce(0) { $0 << 8 | Int(bytes[$1] << 7 | bytes[$1 + 1] >> 1) }
            start = 6
        }
        guard (1...format.framesPerPacket).contains(frames) else {
            throw .malformed("A packet of Apple Lossless has \(frames) frames.")
        }
        let length = frames * format.bytesPerFrame
        // One bit of the last byte belongs to the samples.
        guard bytes.count - start - 1 >= length else {
            throw .malformed("A packet of Apple Lossless has fewer samples than it gives.")
        }
        return .samples(samples(bytes, start, length, sampleLength: format.bitsPerSample / 8))
    }

    /// Returns bytes that begin at the lowest bit of a byte, with the bytes of each sample in the reverse order.
    private static func samples(_ bytes: Span<UInt8>, _ start: Int, _ length: Int, sampleLength: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: length)
        var output = result.mutableSpan
        var sample = 0
        while sample < length {
            for place in 0..<sampleLength {
                let source = start + sample + place
                output[sample + sampleLength - 1 - place] = bytes[source] << 7 | bytes[source + 1] >> 1
            }
            sample += sampleLength
        }
        return result
    }
}
