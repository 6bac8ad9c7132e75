import AirPlay
import FuzzHarness
import HAPCore
import PropertyLists

/// Senders of an AirPlay receiver: any bytes are requests or the end of the connection, and any requests leave the
/// session and the device in a state that they can tell.
///
/// An input is a byte that says how the sender has proved itself, and steps: a byte that says what happens, and for raw
/// bytes or a request their length and content.
enum AirPlayTarget: FuzzTarget {
    static let name = "airplay"

    private static let (bytes, time, user) = (UInt8(0), UInt8(1), UInt8(2))

    static var seeds: [String: [UInt8]] {
        func list(_ list: PropertyList) -> [UInt8] { BinaryPropertyListWriter.write(list) }
        func raw(_ line: String, _ headers: String = "", _ body: [UInt8] = []) -> [UInt8] {
            let head = "\(line) RTSP/1.0\r\nCSeq: 1\r\n\(headers)Content-Length: \(body.count)\r\n\r\n"
            return ByteSource.raw(bytes, Array(head.utf8) + body)
        }
        let setup = raw("SETUP rtsp://h/1", "", list(["name": "Phone", "timingPort": 6_002]))
        let stream: PropertyList = [
            "type": 96, "ct": 2, "audioFormat": 0x40000, "spf": 352, "controlPort": 6_001,
            "shk": .data([UInt8](repeating: 7, count: 32)),
        ]
        let text = "Content-Type: text/parameters\r\n"
        let audio =
            setup + raw("SETUP rtsp://h/1", "", list(["streams": [stream]])) + raw("RECORD rtsp://h/1")
            + raw("SET_PARAMETER /", text, Array("volume: -15.5\r\nprogress: 1/2/3\r\n".utf8))
            + raw("FLUSH /", "RTP-Info: seq=7;rtptime=9\r\n") + raw("TEARDOWN /", "", list(["streams": []]))
        let play: PropertyList = ["Content-Location": "http://a/b.m3u8", "Start-Position": .real(0.5)]
        let video =
            raw("POST /play", "", list(play)) + [time, 99, 0] + raw("POST /rate?value=2") + raw("GET /playback-info")
            + raw("POST /scrub?position=9e99") + [time, 255, 255] + raw("POST /stop") + raw("GET /scrub")
        let first =
            raw(
                "ANNOUNCE rtsp://h/1",
                "Content-Type: application/sdp\r\n",
                Array("v=0\r\ni=R\r\na=rtpmap:96 L16/44100/2\r\n".utf8)
            ) + raw("SETUP /", "Transport: RTP/AVP/UDP;control_port=1;timing_port=2\r\n")
        return [
            "audio": [1] + audio, "video": [0] + video, "first": [0] + first + raw("RECORD /"),
            "home": [2] + raw("POST /configure", "", list(["ConfigurationDictionary": ["Password": "p"]])),
            "pin": [3] + raw("POST /pair-pin-start") + raw("POST /pair-setup", "", [6, 1, 1]) + raw("GET /info"),
            "users": [1] + audio + [user, 0, user, 1, user, 2, user, 3, user, 4, user, 5],
            "artwork": [1] + setup + raw("SET_PARAMETER /", "Content-Type: image/jpeg\r\n", [0xFF, 0xD8, 0xFF]),
        ]
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let kind = source.byte()
        var access = AirPlayAccess()
        if kind & 3 == 3 { access.policy = .pin }
        if kind & 4 != 0 { access.password = "secret" }
        var session = AirPlaySession(access: access, hasVideo: true, host: "h", nonce: "n")
        if kind & 3 == 1 { session.proof = .transient }
        if kind & 3 == 2, let id = ControllerIdentifier("A") { session.proof = .paired(id, isAdmin: true) }
        var configuration = AirPlayDevice.Configuration()
        configuration.fetches = kind & 8 != 0
        var device = AirPlayDevice(configuration)
        var decoder = AirPlayMessageDecoder()
        var now = MonotonicInstant.zero
        while !source.isEmpty {
            switch source.byte() % 3 {
            case time:
                now = now.advanced(by: .milliseconds(source.number() * 10))
                device.advance(to: now)
            case user: perform(source.byte(), on: &device, at: now)
            default:
                decoder.append(source.bytes(source.number() & 0x3FFF))
                guard (try? read(&decoder, &session, &device, at: now)) != nil else { return }
            }
            check(&device, at: now)
        }
    }

    private static func read(
        _ decoder: inout AirPlayMessageDecoder,
        _ session: inout AirPlaySession,
        _ device: inout AirPlayDevice,
        at now: MonotonicInstant
    ) throws(AirPlayRefusal) {
        while let request = try decoder.nextRequest() {
            claim(request.body.count <= decoder.maximumBody, "a body is limited")
            var answer = AirPlayResponse.ok
            let isProved = session.proof != .none || session.access.allowsUnencrypted
            switch session.receive(request) {
            case .answer(let response), .refuse(let response): answer = response
            case .begin(let sender, _): device.receive(.begin(sender), from: 1, at: now)
            case .notify(let messages, _):
                claim(isProved, "only a sender that may play changes anything")
                for message in messages { device.receive(message, from: 1, at: now) }
            case .ask(let video, let sender, _):
                claim(isProved, "only a sender that may play changes anything")
                device.receive(.video(video, sender), from: 1, at: now)
            case .beginAudio(let setup):
                claim(session.isOpen, "audio belongs to a session")
                answer = setup.answer(dataPort: 1, controlPort: 2)
                device.receive(.play, from: 1, at: now)
            case .flush: device.receive(.pause, from: 1, at: now)
            case .tearDown(isWhole: true): device.receive(.end, from: 1, at: now)
            case .configure, .pairings:
                guard case .paired(_, isAdmin: true) = session.proof else {
                    fatalError("does not hold: only an admin changes settings and pairings")
                }
            case .information, .showPIN, .pairSetup, .pairVerify, .volume, .tearDown: break
            }
            var reader = AirPlayMessageDecoder(maximumBody: .max)
            reader.append(answer.bytes(for: request, server: "S"))
            let read = try? reader.nextResponse()
            claim(read?.status == answer.status && read?.body == answer.body, "an answer can be read")
            claim(reader.unread.isEmpty, "an answer is one message")
        }
    }

    private static func perform(_ action: UInt8, on device: inout AirPlayDevice, at now: MonotonicInstant) {
        let commands: [RemoteCommand] = [.play, .pause, .playPause, .stop, .next, .previous]
        switch action % 10 {
        case 0: device.setEnabled(action & 16 == 0, at: now)
        case 1: device.setVolume(VolumeLevel(percent: Int(action), isMuted: action & 16 == 0))
        case 2: device.disconnect(1, at: now)
        case 3: device.seek(by: Double(action) - 128, at: now)
        default: device.perform(commands[Int(action) % commands.count], at: now)
        }
    }

    private static func check(_ device: inout AirPlayDevice, at now: MonotonicInstant) {
        for event in device.takeEvents() { claim(!event.name.isEmpty, "an event has a name") }
        for case (_, .load(let url)) in device.takeMessages() {
            claim(url.utf8.count <= 2_048, "an address is limited")
            var content = VideoContent(duration: url.utf8.count % 2 == 0 ? 60 : nil)
            content.variants = 1
            device.receive(.loaded(url: url, .success(content)), from: 1, at: now)
        }
        claim((0...100).contains(device.volume.percent), "a volume is from 0 to 100")
        claim(device.isEnabled || device.session == nil, "no session is open while AirPlay is off")
        if let due = device.nextDeadline { claim(due > now, "nothing is due that was not handled") }
        guard let video = device.session?.video else { return }
        let position = video.position(at: now)
        claim(position.isFinite && position >= 0, "a position is a number of seconds")
        claim(position <= video.content?.duration ?? .infinity, "a position is in the content")
    }
}
