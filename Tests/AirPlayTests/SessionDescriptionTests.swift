import AirPlay
import Testing

/// The body of ANNOUNCE.
struct SessionDescriptionTests {
    private static let head =
        "v=0\r\no=iTunes 4018537194 0 IN IP4 10.0.0.2\r\ns=iTunes\r\nc=IN IP4 10.0.0.3\r\nt=0 0\r\n"
    private static let audio = "m=audio 0 RTP/AVP 96\r\n"

    /// What PulseAudio 16.1 sends.
    private static let pulseAudio =
        head + audio + "a=rtpmap:96 AppleLossless\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n"

    private func parse(_ text: String) throws(AirPlayError) -> SessionDescription {
        try SessionDescription(parsing: Array(text.utf8))
    }

    @Test
    func appleLosslessIsRead() throws {
        let description = try parse(Self.pulseAudio)
        let format = AudioFormat(codec: .alac, sampleRate: 44_100, channels: 2, bitsPerSample: 16, framesPerPacket: 352)
        #expect(description.format == format && !description.isEncrypted)
        #expect(description.senderName == "iTunes" && description.minimumLatency == nil)
    }

    /// What pyatv 0.18.0 sends: samples as they are, with the parameters of Apple Lossless.
    @Test
    func linearSamplesAreRead() throws {
        let text = "a=rtpmap:96 L16/44100/2\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n"
        let description = try parse(Self.head + Self.audio + text)
        let format = AudioFormat(codec: .pcm, sampleRate: 44_100, channels: 2, bitsPerSample: 16, framesPerPacket: 352)
        #expect(description.format == format)
    }

    @Test(arguments: [
        ("96 L16/48000", "", AudioFormat(codec: .pcm, sampleRate: 48_000, channels: 1, bitsPerSample: 16)),
        ("96 L24/96000/2", "", AudioFormat(codec: .pcm, sampleRate: 96_000, channels: 2, bitsPerSample: 24)),
        (
            "96 mpeg4-generic/44100/2", "96 mode=AAC-eld; constantDuration=480",
            AudioFormat(codec: .aacELD, sampleRate: 44_100, channels: 2, bitsPerSample: 16, framesPerPacket: 480)
        ),
        (
            "96 MPEG4-GENERIC/48000/2", "96 mode=AAC-hbr;sizelength=13",
            AudioFormat(codec: .aac, sampleRate: 48_000, channels: 2, bitsPerSample: 16, framesPerPacket: 1_024)
        ),
        (
            "97 AppleLossless", "97 4096 0 24 40 10 14 2 255 0 0 48000",
            AudioFormat(codec: .alac, sampleRate: 48_000, channels: 2, bitsPerSample: 24, framesPerPacket: 4_096)
        ),
    ])
    func aFormatIsRead(_ map: String, _ parameters: String, _ format: AudioFormat?) throws {
        let text = "a=fmtp:\(parameters)\na=rtpmap:\(map)\n"
        #expect(try #require(format) == parse(Self.head + text).format)
    }

    @Test(arguments: [
        "", "a=rtpmap:96", "a=rtpmap:96 AppleLossless", "a=rtpmap:96 opus/48000/2", "a=rtpmap:96 L16",
        "a=rtpmap:96 L16/44100/2/1", "a=rtpmap:96 L16/99999999999999999999/2", "a=rtpmap:96 L16/44100/0",
        "a=rtpmap:96 L16/-44100/2", "a=rtpmap:96 L16/44100/2\na=fmtp:96 0",
        "a=rtpmap:96 AppleLossless\na=fmtp:97 352 0 16 40 10 14 2 255 0 0 44100",
        "a=rtpmap:96 AppleLossless\na=fmtp:96 352 0 16 40 10 14 2 255 0 0",
        "a=rtpmap:96 AppleLossless\na=fmtp:96 4097 0 16 40 10 14 2 255 0 0 44100",
        "a=rtpmap:96 AppleLossless\na=fmtp:96 352 1 16 40 10 14 2 255 0 0 44100",
        "a=rtpmap:96 AppleLossless\na=fmtp:96 352 0 20 40 10 14 2 255 0 0 44100",
        "a=rtpmap:96 AppleLossless\na=fmtp:96 352 0 16 40 10 14 9 255 0 0 44100",
        "a=rtpmap:96 mpeg4-generic/44100/2\na=fmtp:96 constantDuration=x",
    ])
    func anotherFormatIsRefused(_ text: String) {
        #expect(throws: AirPlayError.self) { try parse(Self.head + Self.audio + text) }
    }

    @Test(arguments: [
        "rsaaeskey:5QYIqmdZGTONY5SHjEJrqAhaa0W9wzDC5i6q221mdGZJ5ubO", "aesiv:zcZmAZtqh7uGcEwPXk0QeA", "fpaeskey:RlBMWQ",
    ])
    func aKeyMakesADescriptionEncrypted(_ line: String) throws {
        #expect(try parse(Self.pulseAudio + "a=\(line)\r\n").isEncrypted)
    }

    @Test(arguments: [
        ("i=Kitchen iPad\n", "Kitchen iPad"), ("i=\n", "iTunes"), ("i=-\n", "iTunes"), ("i=One\ni=Two\n", "One"),
        ("i=\(String(repeating: "é", count: 200))\n", String(repeating: "é", count: 128)),
    ])
    func theNameOfTheSenderIsTheInformationOrTheOrigin(_ line: String, _ name: String) throws {
        #expect(try parse(line + Self.pulseAudio).senderName == name)
    }

    @Test
    func anOriginCanBeWithoutAName() throws {
        let text = Self.pulseAudio.split(separator: "o=iTunes").joined(separator: "o=-")
        #expect(try parse(text).senderName == nil)
    }

    @Test(arguments: [("11025", 11_025), ("x", nil), ("-1", nil), ("99999999999999999999", nil)] as [(String, Int?)])
    func theLeastLatencyIsANumberOfFrames(_ value: String, _ frames: Int?) throws {
        #expect(try parse(Self.pulseAudio + "a=min-latency:\(value)\r\n").minimumLatency == frames)
    }

    @Test(arguments: ["audio", "aa=1", "=1", "é=1"])
    func aLineOfAnotherFormIsRefused(_ line: String) {
        #expect(throws: AirPlayError.self) { try parse(Self.pulseAudio + line) }
    }

    @Test
    func aDescriptionHasALimitedSize() throws {
        let lines = Self.pulseAudio.split(separator: "\r\n").count
        let most = Self.pulseAudio + String(repeating: "x=\n", count: 256 - lines)
        #expect(try parse(most).senderName == "iTunes")
        #expect(throws: AirPlayError.tooLong(limit: 256)) { try parse(most + "x=\n") }
        let count = Self.pulseAudio.utf8.count
        let longest = Self.pulseAudio + "x=" + String(repeating: "a", count: 16_384 - count - 2)
        #expect(try parse(longest).senderName == "iTunes")
        #expect(throws: AirPlayError.tooLong(limit: 16_384)) { try parse(longest + "a") }
    }

    @Test
    func hostileDescriptionsAreReadOrRefused() {
        var results = [true: 0, false: 0]
        func read(_ body: [UInt8]) {
            let description = try? SessionDescription(parsing: body)
            results[description != nil, default: 0] += 1
            #expect(AudioFormat.packetSizes.contains(description?.format.framesPerPacket ?? 1))
        }
        let seed = Array((Self.pulseAudio + "a=min-latency:11025\r\ni=iPad\r\n").utf8)
        HostileInput.truncations(of: seed, read)
        HostileInput.mutations(of: [seed], read)
        #expect(results.values.allSatisfy { $0 > 100 })
    }
}
