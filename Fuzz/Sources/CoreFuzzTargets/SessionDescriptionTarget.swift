import AirPlay
import FuzzHarness

/// The bodies of ANNOUNCE and of SET_PARAMETER: any bytes are values in their ranges or an error.
enum SessionDescriptionTarget: FuzzTarget {
    static let name = "session-description"

    static var seeds: [String: [UInt8]] {
        let head = "v=0\r\no=iTunes 4018537194 0 IN IP4 10.0.0.2\r\ns=iTunes\r\nm=audio 0 RTP/AVP 96\r\n"
        let texts = [
            "alac": head + "a=rtpmap:96 AppleLossless\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n",
            "linear": head + "a=rtpmap:96 L16/44100/2\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n",
            "aac": head + "a=rtpmap:96 mpeg4-generic/44100/2\r\na=fmtp:96 mode=AAC-eld; constantDuration=480\r\n",
            "encrypted": head + "i=iPad\na=rsaaeskey:AAAA\na=aesiv:AAAA\na=min-latency:11025\na=rtpmap:96 L24/48000\n",
            "volume": "volume: -20.0\r\n", "muted": "volume: -144.000000\r\nvolume: 1e999\r\n",
            "progress": "progress: 4294967000/704/59704\r\n",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        if let description = try? SessionDescription(parsing: input) {
            let format = description.format
            claim(AudioFormat.sampleRates.contains(format.sampleRate), "a sample rate is in its range")
            claim(AudioFormat.channelCounts.contains(format.channels), "a number of channels is in its range")
            claim(AudioFormat.sampleSizes.contains(format.bitsPerSample), "a number of bits is known")
            claim(AudioFormat.packetSizes.contains(format.framesPerPacket), "a packet is limited")
            claim(description.minimumLatency ?? 0 >= 0, "a latency is not negative")
            let name = description.senderName ?? "-"
            claim((1...SessionDescription.maximumNameLength).contains(name.utf8.count), "a name is limited")
            for length in [Int.min, 0, input.count, .max] {
                let header = WaveFile.header(for: format, dataLength: length)
                claim(header.count == WaveFile.headerLength, "a WAV file has a head of 44 bytes")
            }
        }
        guard let parameters = try? TextParameters(parsing: input) else { return }
        if let volume = parameters.volume {
            claim((0...100).contains(volume.percent), "a volume is from 0 to 100 %")
            claim(VolumeLevel(decibels: volume.decibels) == volume, "a volume is in its range")
        }
        guard let progress = parameters.progress else { return }
        for rate in [Int.min, 1, 44_100, .max] {
            let position = progress.position(sampleRate: rate)
            claim(position >= .zero, "a position is not negative")
            guard let duration = progress.duration(sampleRate: rate) else { continue }
            claim(position <= duration, "a position is in the track")
        }
    }
}
