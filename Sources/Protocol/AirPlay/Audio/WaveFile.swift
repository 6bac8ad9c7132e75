/// Writes the head of a WAV file.
package enum WaveFile {
    /// The number of bytes of a head.
    package static let headerLength = 44
    /// The maximum number of bytes of samples that a head can give.
    package static let maximumDataLength = Int(UInt32.max) - 36

    /// Returns the 44 bytes before the samples of a WAV file.
    ///
    /// The samples that follow are little-endian integers, the channels of a frame one after another. The codec of the
    /// format is ignored: the samples are the unpacked ones.
    ///
    /// - Parameters:
    ///   - format: The sample rate, the channels and the bits of the samples.
    ///   - dataLength: The number of bytes of samples, clamped to the range from 0 to ``maximumDataLength``.
    package static func header(for format: AudioFormat, dataLength: Int) -> [UInt8] {
        let length = min(max(dataLength, 0), maximumDataLength)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerLength)
        bytes += "RIFF".utf8
        bytes.appendLittleEndian(length + 36, count: 4)
        bytes += "WAVEfmt ".utf8
        bytes.appendLittleEndian(16, count: 4)
        // The number 1 is the format of integer samples.
        bytes.appendLittleEndian(1, count: 2)
        bytes.appendLittleEndian(format.channels, count: 2)
        bytes.appendLittleEndian(format.sampleRate, count: 4)
        bytes.appendLittleEndian(format.bytesPerSecond, count: 4)
        bytes.appendLittleEndian(format.bytesPerFrame, count: 2)
        bytes.appendLittleEndian(format.bitsPerSample, count: 2)
        bytes += "data".utf8
        bytes.appendLittleEndian(length, count: 4)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func appendLittleEndian(_ number: Int, count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
}
