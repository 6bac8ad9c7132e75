internal import HAPCore
package import PropertyLists

/// The first SETUP of AirPlay 2.
package struct SessionSetup: Sendable, Hashable {
    /// The UDP port on which the sender answers requests for its time; `nil` if it has none.
    package let timingPort: UInt16?
    /// The name and the model that the sender states.
    package let model: String?

    /// - Throws: ``AirPlayRefusal`` if the sender wants what this receiver does not have.
    package init(_ list: PropertyList) throws(AirPlayRefusal) {
        guard list.dictionary != nil else { throw AirPlayRefusal(400, "a setup is not a dictionary") }
        switch list["timingProtocol"]?.text ?? "NTP" {
        case "NTP", "None": break
        default: throw AirPlayRefusal(501, "clocks are synchronized only by NTP")
        }
        guard list["isRemoteControlOnly"]?.bool != true else {
            throw AirPlayRefusal(501, "remote control without playback is not possible")
        }
        timingPort = list["timingPort"]?.integer.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
        model = list["model"]?.text
    }

    /// Returns the answer with the TCP port of the event channel; `nil` if it is open already.
    package static func answer(eventPort: UInt16?) -> AirPlayResponse {
        let port = eventPort.map { [("eventPort", PropertyList.unsigned(UInt64($0)))] } ?? []
        return AirPlayResponse(propertyList: .dictionary(PropertyListDictionary(port + [("timingPort", 0)])))
    }
}

/// An audio stream that a sender sets up, by either version of AirPlay.
package struct AudioSetup: Sendable {
    package let format: AudioFormat
    /// The key of the packets; `nil` if they are not encrypted.
    package let key: StreamKey?
    /// The UDP port of the sender for requests to send packets again; `nil` if it does not answer them.
    package let controlPort: UInt16?
    /// The answer of AirPlay 1 repeats it; `nil` for AirPlay 2.
    private let transport: String?

    /// Reads a stream of the second SETUP of AirPlay 2.
    init(_ stream: PropertyList) throws(AirPlayRefusal) {
        switch stream["type"]?.integer {
        case 96: break
        case 103: throw AirPlayRefusal(501, "buffered audio is not possible")
        case 130: throw AirPlayRefusal(501, "remote control without playback is not possible")
        default: throw AirPlayRefusal(501, "the type of a stream is unknown")
        }
        guard
            let format = AudioFormat(
                compressionType: stream["ct"]?.integer,
                formatBits: stream["audioFormat"]?.integer,
                sampleRate: stream["sr"]?.integer,
                framesPerPacket: stream["spf"]?.integer
            )
        else { throw AirPlayRefusal(415, "the format of the audio is unknown") }
        guard let key = stream["shk"]?.data, key.count == 32 else {
            throw AirPlayRefusal(400, "a stream has no key of 32 bytes")
        }
        (self.format, self.key, transport) = (format, StreamKey(key), nil)
        controlPort = stream["controlPort"]?.integer.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// Reads the Transport of AirPlay 1; `nil` if it is not RTP over UDP.
    init?(transport: String, _ format: AudioFormat) {
        let parts = transport.split(separator: ";").map { $0.drop { $0 == " " } }
        guard parts.first == "RTP/AVP/UDP" else { return nil }
        (self.format, key, self.transport) = (format, nil, transport)
        controlPort =
            parts.lazy.filter { $0.hasPrefix("control_port=") }
            .compactMap { UInt16($0.dropFirst("control_port=".count)) }
            .first { $0 > 0 }
    }

    /// Returns the answer with the UDP ports on which the receiver waits for packets.
    package func answer(dataPort: UInt16, controlPort: UInt16) -> AirPlayResponse {
        guard let transport else {
            let stream: PropertyList = [
                "type": 96, "streamID": 1, "dataPort": .unsigned(UInt64(dataPort)),
                "controlPort": .unsigned(UInt64(controlPort)),
            ]
            return AirPlayResponse(propertyList: ["streams": [stream]])
        }
        let kept = transport.split(separator: ";").filter { !$0.contains("_port=") }.joined(separator: ";")
        // PulseAudio sends to the timing port, and ends its session if it is closed.
        let ports = ";server_port=\(dataPort);control_port=\(controlPort);timing_port=\(controlPort)"
        return AirPlayResponse(200, ["Transport": kept + ports, "Session": "1"])
    }
}

/// The settings that a controller of a home changes.
package struct HomeSettings: Sendable, Hashable {
    package var name: String?
    /// Whether only senders of the home may play.
    package var isForHome: Bool?
    /// 0 for everyone, 1 for the members of the home, 2 for its admins.
    package var level: Int?
    /// The password; empty for none.
    package var password: HiddenText?

    package init() {}

    init(_ dictionary: PropertyList) {
        name = dictionary["Device_Name"]?.text.map { $0.prefix(utf8Bytes: 48) }
        isForHome = dictionary["Enable_HK_Access_Control"]?.bool
        level = dictionary["Access_Control_Level"]?.integer
        password = dictionary["Password"]?.text.map { HiddenText($0.prefix(utf8Bytes: 64)) }
    }

    /// Returns these settings with those of a later request.
    package func merged(with new: HomeSettings) -> HomeSettings {
        var merged = self
        merged.name = new.name ?? name
        merged.isForHome = new.isForHome ?? isForHome
        merged.level = new.level ?? level
        merged.password = new.password ?? password
        return merged
    }

    /// The settings with the password, as they are stored.
    package var stored: [UInt8] {
        var list = dictionary
        if let password { list.append(("Password", .text(password.text))) }
        return BinaryPropertyListWriter.write(.dictionary(PropertyListDictionary(list)))
    }

    /// Reads stored settings; there are none if they cannot be read.
    package init(stored: [UInt8]) {
        self.init((try? PropertyListReader.read(stored, name: "the settings", limits: .request)) ?? .array([]))
    }

    /// The members that are not secret.
    private var dictionary: [(String, PropertyList)] {
        var list: [(String, PropertyList)] = []
        if let name { list.append(("Device_Name", .text(name))) }
        if let isForHome { list.append(("Enable_HK_Access_Control", .bool(isForHome))) }
        if let level = level.flatMap({ PropertyList(integer: $0) }) { list.append(("Access_Control_Level", level)) }
        return list
    }

    /// The property list of the answer, without the password.
    package func answer(identifier: String, publicKey: [UInt8]) -> AirPlayResponse {
        let list = [("Identifier", .text(identifier)), ("PublicKey", .data(publicKey))] + dictionary
        return AirPlayResponse(propertyList: .dictionary(PropertyListDictionary(list)))
    }
}

/// A place in an RTP stream, from the header RTP-Info: `seq=1234;rtptime=5678`.
package struct RTPPosition: Sendable, Hashable {
    package let sequence: UInt16
    package let timestamp: UInt32

    package init?(parsing text: String) {
        var values: [Substring: Substring] = [:]
        for part in text.split(separator: ";").prefix(8) {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0].drop { $0 == " " }] = pair[1] }
        }
        guard let sequence = values["seq"].flatMap({ UInt16($0) }),
            let timestamp = values["rtptime"].flatMap({ UInt32($0) })
        else { return nil }
        (self.sequence, self.timestamp) = (sequence, timestamp)
    }
}

extension PropertyListLimits {
    /// The limits for the body of a request.
    package static let request = PropertyListLimits(maximumDepth: 16, maximumValues: 4_096)
}

extension AirPlayResponse {
    package init(propertyList list: PropertyList) {
        self.init("application/x-apple-binary-plist", BinaryPropertyListWriter.write(list))
    }
}
