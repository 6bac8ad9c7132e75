internal import HAPCore

/// The description of a stream of AirPlay 1: the SDP in the body of ANNOUNCE.
///
/// [SDP](https://www.rfc-editor.org/rfc/rfc8866)
package struct SessionDescription: Sendable, Hashable {
    /// The maximum number of bytes of a description.
    package static let maximumLength = 16_384
    /// The maximum number of lines of a description.
    package static let maximumLineCount = 256
    /// The maximum number of bytes of the name of a sender in UTF-8; the rest is cut off before a whole character.
    package static let maximumNameLength = 256

    /// The form of the audio.
    package let format: AudioFormat
    /// Whether the audio is encrypted with a key that only a receiver of Apple can read.
    package let isEncrypted: Bool
    /// The name of the sender; `nil` if the description has none.
    package let senderName: String?
    /// The least number of frames before audio is played; `nil` if the description has none.
    package let minimumLatency: Int?

    /// Reads a description.
    ///
    /// - Throws: ``AirPlayError`` for more than ``maximumLength`` bytes or ``maximumLineCount`` lines, for a line that
    ///   does not have the form `a=value`, and for audio that is missing, is not supported or is out of its range.
    package init(parsing bytes: [UInt8]) throws(AirPlayError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        var attributes = Attributes()
        var lines = LineReader(bytes)
        var count = 0
        while let line = lines.next() {
            count += 1
            guard count <= Self.maximumLineCount else { throw .tooLong(limit: Self.maximumLineCount) }
            try attributes.read(line)
        }
        format = try attributes.format()
        isEncrypted = attributes.isEncrypted
        senderName = attributes.information ?? attributes.origin
        minimumLatency = attributes.minimumLatency
    }
}

/// The lines of a description that matter, whatever their order.
private struct Attributes {
    var information: String?
    var origin: String?
    var isEncrypted = false
    var minimumLatency: Int?
    private var map: (type: Substring, encoding: Substring)?
    private var parameters: [Substring: Substring] = [:]

    mutating func read(_ line: String) throws(AirPlayError) {
        guard !line.isEmpty else { return }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 1 else {
            throw .malformed("A line of the session description does not have the form `a=value`.")
        }
        switch parts[0] {
        case "i": information = information ?? Self.name(parts[1])
        case "o": origin = origin ?? parts[1].split(separator: " ").first.flatMap(Self.name)
        case "a": readAttribute(parts[1])
        default: break
        }
    }

    private mutating func readAttribute(_ attribute: Substring) {
        let parts = attribute.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1].trimmed : ""
        switch parts.first?.trimmed.lowercased() {
        case "rtpmap":
            guard map == nil, let (type, encoding) = Self.halves(value) else { return }
            map = (type, encoding)
        case "fmtp":
            guard let (type, list) = Self.halves(value), parameters[type] == nil else { return }
            parameters[type] = list
        case "rsaaeskey", "fpaeskey", "mfiaeskey", "aesiv": isEncrypted = true
        case "min-latency": minimumLatency = value.decimalInteger ?? minimumLatency
        default: break
        }
    }

    /// Returns the format that the first `rtpmap` and its `fmtp` describe.
    func format() throws(AirPlayError) -> AudioFormat {
        guard let map else { throw .malformed("The session description does not name an audio codec.") }
        let list = parameters[map.type] ?? ""
        let parts = map.encoding.split(separator: "/", omittingEmptySubsequences: false)
        let format: AudioFormat? =
            switch parts.first?.lowercased() {
            case "applelossless": Self.appleLossless(list)
            case "l16": Self.linear(parts.dropFirst(), list, bitsPerSample: 16)
            case "l24": Self.linear(parts.dropFirst(), list, bitsPerSample: 24)
            case "mpeg4-generic": Self.advancedAudio(parts.dropFirst(), list)
            default: nil
            }
        guard let format else {
            throw .malformed("The audio of the session description is not supported: \(map.encoding.prefix(64)).")
        }
        return format
    }

    /// Reads `352 0 16 40 10 14 2 255 0 0 44100`: the first numbers of a decoder's configuration in their order.
    private static func appleLossless(_ list: Substring) -> AudioFormat? {
        let numbers = list.split(separator: " ").map(\.decimalInteger)
        guard numbers.count >= 11, numbers[1] == 0, let frames = numbers[0], let bits = numbers[2],
            let channels = numbers[6], let rate = numbers[10]
        else { return nil }
        return AudioFormat(
            codec: .alac,
            sampleRate: rate,
            channels: channels,
            bitsPerSample: bits,
            framesPerPacket: frames
        )
    }

    /// Reads `44100/2`; a list of parameters, if there is one, begins with the number of frames in a packet.
    private static func linear(
        _ parts: ArraySlice<Substring>,
        _ list: Substring,
        bitsPerSample: Int
    ) -> AudioFormat? {
        guard let (rate, channels) = rateAndChannels(parts) else { return nil }
        return AudioFormat(
            codec: .pcm,
            sampleRate: rate,
            channels: channels,
            bitsPerSample: bitsPerSample,
            framesPerPacket: list.split(separator: " ").first?.decimalInteger
        )
    }

    /// Reads `44100/2` and parameters such as `mode=AAC-eld; constantDuration=480`.
    private static func advancedAudio(_ parts: ArraySlice<Substring>, _ list: Substring) -> AudioFormat? {
        guard let (rate, channels) = rateAndChannels(parts) else { return nil }
        var codec = AudioFormat.Codec.aac
        var frames: Int?
        for parameter in list.split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            switch parts[0].trimmed.lowercased() {
            case "mode": codec = parts[1].trimmed.lowercased() == "aac-eld" ? .aacELD : .aac
            case "constantduration":
                guard let number = parts[1].trimmed.decimalInteger else { return nil }
                frames = number
            default: break
            }
        }
        return AudioFormat(
            codec: codec,
            sampleRate: rate,
            channels: channels,
            bitsPerSample: 16,
            framesPerPacket: frames
        )
    }

    /// Returns a sample rate and a number of channels, which is 1 if it is missing.
    private static func rateAndChannels(_ parts: ArraySlice<Substring>) -> (rate: Int, channels: Int)? {
        guard parts.count <= 2, let rate = parts.first?.trimmed.decimalInteger else { return nil }
        guard let last = parts.dropFirst().first else { return (rate, 1) }
        guard let channels = last.trimmed.decimalInteger else { return nil }
        return (rate, channels)
    }

    /// Returns what is before and after the first space.
    private static func halves(_ value: Substring) -> (Substring, Substring)? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, let last = parts.dropFirst().first else { return nil }
        return (first, last.trimmed)
    }

    /// Returns the name of a sender; `nil` if it is empty or the `-` of a description without one.
    private static func name(_ text: Substring) -> String? {
        let trimmed = text.trimmed
        guard trimmed != "-" else { return nil }
        let name = trimmed.prefix(utf8Bytes: SessionDescription.maximumNameLength)
        return name.isEmpty ? nil : name
    }
}
