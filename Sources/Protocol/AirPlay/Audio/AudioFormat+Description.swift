extension AudioFormat: CustomStringConvertible {
    /// Such as `ALAC 44100 Hz, 2 channels, 16 bits`.
    package var description: String {
        let name =
            switch codec {
            case .pcm: "PCM"
            case .alac: "ALAC"
            case .aac: "AAC"
            case .aacELD: "AAC-ELD"
            }
        return "\(name) \(sampleRate) Hz, \(channels) \(channels == 1 ? "channel" : "channels"), \(bitsPerSample) bits"
    }
}
