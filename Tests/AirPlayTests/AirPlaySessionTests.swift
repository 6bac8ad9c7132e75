import AirPlay
import HAPCore
import PropertyLists
import Testing

/// What a receiver does with the requests of one connection, and what it refuses.
struct AirPlaySessionTests {
    private static func session(
        _ proof: AirPlayProof = .transient,
        _ change: (inout AirPlayAccess) -> Void = { _ in },
        hasVideo: Bool = true
    ) -> AirPlaySession {
        var access = AirPlayAccess()
        change(&access)
        var session = AirPlaySession(access: access, hasVideo: hasVideo, host: "127.0.0.1", nonce: "abcd")
        session.proof = proof
        return session
    }

    private static func request(
        _ method: String,
        _ target: String = "rtsp://127.0.0.1/1",
        _ headers: AirPlayHeaders = [:],
        _ body: [UInt8] = []
    ) -> AirPlayRequest {
        AirPlayRequest(method, target, .rtsp, headers, body)
    }

    private static func list(_ method: String, _ list: PropertyList) -> AirPlayRequest {
        request(
            method,
            "rtsp://127.0.0.1/1",
            ["Content-Type": "application/x-apple-binary-plist"],
            BinaryPropertyListWriter.write(list)
        )
    }

    private static let setup = list("SETUP", ["name": "Phone", "timingProtocol": "NTP", "timingPort": 6_002])
    private static let stream: PropertyList = [
        "type": 96, "ct": 1, "audioFormat": 0x800, "spf": 352, "sr": 44_100, "controlPort": 6_001,
        "shk": .data([UInt8](repeating: 7, count: 32)),
    ]

    /// The status of an answer; `nil` for a step that is no answer.
    private static func status(_ step: AirPlaySession.Step) -> Int? {
        if case .answer(let response) = step { response.status } else { nil }
    }

    // MARK: Access

    @Test(arguments: ["SETUP", "RECORD", "SET_PARAMETER", "TEARDOWN", "POST", "GET", "FLUSH"])
    func aSenderThatIsNotPairedMayOnlyPairAndAsk(method: String) {
        var session = Self.session(.none) { $0.policy = .pin }
        #expect(Self.status(session.receive(Self.request(method, "/play"))) == 470)
        guard case .information = session.receive(Self.request("GET", "/info")),
            case .pairSetup = session.receive(Self.request("POST", "/pair-setup")),
            case .pairVerify = session.receive(Self.request("POST", "/pair-verify"))
        else {
            Issue.record("pairing and /info need no proof")
            return
        }
    }

    @Test
    func keysForOneSessionAreNotEnoughIfSendersMustBePaired() {
        for change in [{ $0.policy = .pin }, { $0.password = "x" }, { $0.isForHome = true }]
            as [(inout AirPlayAccess) -> Void]
        {
            var session = Self.session(.transient, change)
            #expect(Self.status(session.receive(Self.setup)) == 470)
        }
        var session = Self.session()
        guard case .begin(let sender, let setup) = session.receive(Self.setup) else {
            Issue.record("the session does not begin")
            return
        }
        #expect(sender == SenderDescription(name: "Phone", version: 2) && setup?.timingPort == 6_002)
    }

    @Test
    func asAdminPairingsAndSettingsCanBeChangedAndAsAnotherNot() throws {
        let id = try #require(ControllerIdentifier("A"))
        for (path, isAdmin) in [("/pair-add", true), ("/pair-list", false), ("/configure", false)] {
            var session = Self.session(.paired(id, isAdmin: isAdmin))
            let status = Self.status(session.receive(Self.request("POST", path)))
            #expect(status == (isAdmin ? nil : 470), "\(path)")
        }
        var session = Self.session(.paired(id, isAdmin: true))
        let body: PropertyList = [
            "ConfigurationDictionary": ["Device_Name": "Den", "Enable_HK_Access_Control": true, "Password": "p"]
        ]
        guard case .configure(let settings) = session.receive(Self.configure(body)) else {
            Issue.record("the settings are not changed")
            return
        }
        #expect(settings.name == "Den" && settings.isForHome == true && settings.password == "p")
        #expect(HomeSettings(stored: settings.stored) == settings)
        let answer = settings.answer(identifier: "id", publicKey: [1])
        #expect(!answer.body.contains(subsequence: Array("Password".utf8)))
    }

    private static func configure(_ list: PropertyList) -> AirPlayRequest {
        request("POST", "/configure", [:], BinaryPropertyListWriter.write(list))
    }

    @Test
    func thePINIsShownOnlyToSendersThatWantToBePaired() {
        var session = Self.session(.none)
        guard case .showPIN = session.receive(Self.request("POST", "/pair-pin-start", ["X-Apple-HKP": "3"])) else {
            Issue.record("no PIN is shown")
            return
        }
        #expect(Self.status(session.receive(Self.request("POST", "/pair-pin-start", ["X-Apple-HKP": "4"]))) == 200)
    }

    @Test(arguments: [("Origin", "http://example.com"), ("Sec-Fetch-Site", "cross-site")])
    func aPageInABrowserMayNotPlay(name: String, value: String) {
        var session = Self.session(.none)
        var request = Self.request("POST", "/play")
        request.headers[name] = value
        guard case .refuse(let response) = session.receive(request), response.status == 403 else {
            Issue.record("the connection goes on")
            return
        }
    }

    // MARK: AirPlay 2

    @Test
    func anAudioStreamIsSetUpAfterTheSession() {
        var session = Self.session()
        let streams = Self.list("SETUP", ["streams": [Self.stream]])
        #expect(Self.status(session.receive(streams)) == 455)
        #expect(Self.status(session.receive(Self.request("RECORD"))) == 455)
        _ = session.receive(Self.setup)
        guard case .beginAudio(let setup) = session.receive(streams) else {
            Issue.record("the stream is refused")
            return
        }
        #expect(setup.controlPort == 6_001 && setup.key?.bytes.count == 32 && setup.format.codec == .pcm)
        #expect(Self.status(session.receive(Self.request("RECORD"))) == 200)
        guard
            case .flush(let position) = session.receive(
                Self.request("FLUSH", "rtsp://127.0.0.1/1", ["RTP-Info": "seq=65535;rtptime=66150"])
            )
        else {
            Issue.record("FLUSH is refused")
            return
        }
        #expect(position?.sequence == 65_535 && position?.timestamp == 66_150)
        guard case .tearDown(isWhole: false) = session.receive(Self.list("TEARDOWN", ["streams": [["type": 96]]])),
            case .tearDown(isWhole: true) = session.receive(Self.request("TEARDOWN"))
        else {
            Issue.record("a stream ends, and then the session")
            return
        }
        #expect(Self.status(session.receive(Self.request("RECORD"))) == 455)
    }

    @Test(
        arguments: [
            ("a key that is too short", ["type": 96, "ct": 1, "shk": .data([1])], 400),
            ("a stream without a key", ["type": 96, "ct": 1], 400), ("buffered audio", ["type": 103], 501),
            ("remote control", ["type": 130], 501), ("an unknown type", ["type": "x"], 501),
            ("an unknown codec", ["type": 96, "ct": 3], 415), ("a text", "96", 501),
        ] as [(String, PropertyList, Int)]
    )
    func whatIsNoStreamIsRefused(name: String, stream: PropertyList, status: Int) {
        var session = Self.session()
        _ = session.receive(Self.setup)
        #expect(Self.status(session.receive(Self.list("SETUP", ["streams": [stream]]))) == status, "\(name)")
    }

    @Test(
        arguments: [
            (["timingProtocol": "PTP"], 501), (["isRemoteControlOnly": true], 501), ("nothing", 400),
        ] as [(PropertyList, Int)]
    )
    func whatIsNoSessionIsRefused(list: PropertyList, status: Int) {
        var session = Self.session()
        #expect(Self.status(session.receive(Self.list("SETUP", list))) == status)
        #expect(Self.status(session.receive(Self.request("SETUP", "/", [:], [1, 2, 3]))) == 400)
    }

    @Test
    func parametersAreReadAndPassedOn() {
        var session = Self.session()
        _ = session.receive(Self.setup)
        let text = Self.request(
            "SET_PARAMETER",
            "/",
            ["Content-Type": "text/parameters"],
            Array("volume: -15.0\r\nprogress: 44100/88200/176400\r\n".utf8)
        )
        guard case .notify(let messages, nil) = session.receive(text), messages.count == 2,
            case .setVolume(let volume) = messages[0], case .setProgress(let progress) = messages[1]
        else {
            Issue.record("a volume and a progress")
            return
        }
        #expect(volume.percent == 50 && progress == PlaybackPosition(position: 1, duration: 3))
        let picture = Self.request("SET_PARAMETER", "/", ["Content-Type": "image/jpeg"], [0xFF, 0xD8])
        guard case .notify(_, artwork: [0xFF, 0xD8]?) = session.receive(picture) else {
            Issue.record("a picture")
            return
        }
        for (type, body) in [("text/parameters", "volume: loud"), ("application/x-dmap-tagged", "mlit")] {
            let wrong = Self.request("SET_PARAMETER", "/", ["Content-Type": type], Array(body.utf8))
            #expect(Self.status(session.receive(wrong)) == 400, "\(type)")
        }
        guard case .volume = session.receive(Self.request("GET_PARAMETER", "/", [:], Array("volume\r\n".utf8))) else {
            Issue.record("the volume is answered")
            return
        }
    }

    // MARK: AirPlay 1

    private static let announcement = request(
        "ANNOUNCE",
        "rtsp://127.0.0.1/1",
        ["Content-Type": "application/sdp"],
        Array("v=0\r\ni=Radio\r\na=rtpmap:96 AppleLossless\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n".utf8)
    )
    private static let transport = "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002"

    @Test
    func aSenderOfTheFirstVersionAnnouncesAndSetsUp() throws {
        var session = Self.session(.none)
        let setup = Self.request("SETUP", "rtsp://127.0.0.1/1", ["Transport": Self.transport])
        #expect(Self.status(session.receive(setup)) == 455)
        guard case .begin(let sender, nil) = session.receive(Self.announcement),
            case .beginAudio(let audio) = session.receive(setup)
        else {
            Issue.record("the stream is refused")
            return
        }
        #expect(sender == SenderDescription(name: "Radio", version: 1))
        #expect(audio.key == nil && audio.controlPort == 6_001 && audio.format.codec == .alac)
        let answer = audio.answer(dataPort: 1, controlPort: 2)
        #expect(
            answer.headers["Transport"]
                == "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;server_port=1;control_port=2;timing_port=2"
        )
        #expect(answer.headers["Session"] == "1")
        _ = session.receive(Self.announcement)
        let tcp = Self.request("SETUP", "/", ["Transport": "RTP/AVP/TCP;unicast"])
        #expect(Self.status(session.receive(tcp)) == 461)
    }

    @Test
    func audioThatOnlyAppleCanReadIsRefused() {
        var session = Self.session(.none)
        var request = Self.announcement
        request.body += Array("a=rsaaeskey:AAAA\r\n".utf8)
        #expect(Self.status(session.receive(request)) == 501)
        request.body = [0xFF]
        #expect(Self.status(session.receive(request)) == 400)
    }

    /// [RFC 2617](https://www.rfc-editor.org/rfc/rfc2617#section-3.2.2), with values of `printf … | md5sum`.
    @Test
    func aPasswordIsProvedByADigest() {
        var session = Self.session(.none) { $0.password = "secret" }
        guard case .answer(let challenge) = session.receive(Self.announcement) else {
            Issue.record("no challenge")
            return
        }
        #expect(challenge.status == 401)
        #expect(challenge.headers["WWW-Authenticate"] == "Digest realm=\"raop\", nonce=\"abcd\"")
        func authorized(_ response: String) -> AirPlayRequest {
            var request = Self.announcement
            request.headers["Authorization"] =
                "Digest username=\"pyatv\", realm=\"raop\", nonce=\"abcd\", uri=\"rtsp://127.0.0.1/1\", "
                + "response=\"\(response)\""
            return request
        }
        #expect(Self.status(session.receive(authorized("00000000000000000000000000000000"))) == 401)
        guard case .begin = session.receive(authorized(Self.digest)) else {
            Issue.record("the right digest is refused")
            return
        }
    }

    /// MD5(MD5("pyatv:raop:secret"):"abcd":MD5("ANNOUNCE:rtsp://127.0.0.1/1")).
    private static let digest = "d2b13dd37daba763b1ea4468b9d60302"

    // MARK: Video

    @Test
    func aVideoIsPlayedByItsAddress() {
        var session = Self.session(.none)
        let body: PropertyList = ["Content-Location": "http://example.com/a.m3u8", "Start-Position-Seconds": 12]
        let play = Self.request("POST", "/play", [:], BinaryPropertyListWriter.write(body))
        guard case .ask(.play(let url, 12, isPart: false), _, shows: .nothing) = session.receive(play) else {
            Issue.record("the video is refused")
            return
        }
        #expect(url == "http://example.com/a.m3u8")
        let text = Self.request(
            "POST",
            "/play",
            ["Content-Type": "text/parameters"],
            Array("Content-Location: http://example.com/b.mp4\nStart-Position: 0.5\n".utf8)
        )
        guard case .ask(.play(_, 0.5, isPart: true), _, shows: .nothing) = session.receive(text),
            case .ask(.setRate(0), _, shows: .nothing) = session.receive(Self.request("POST", "/rate?value=0.0")),
            case .ask(.seek(90), _, shows: .nothing) = session.receive(Self.request("POST", "/scrub?position=90")),
            case .ask(.info, _, shows: .playback) = session.receive(Self.request("GET", "/playback-info")),
            case .ask(.info, _, shows: .position) = session.receive(Self.request("GET", "/scrub")),
            case .ask(.stop, _, shows: .nothing) = session.receive(Self.request("POST", "/stop"))
        else {
            Issue.record("a request is refused")
            return
        }
        for target in ["/rate?value=nan", "/rate", "/scrub?position=x", "/scrub?position=inf", "/play"] {
            #expect(Self.status(session.receive(Self.request("POST", target))) == 400, "\(target)")
        }
        var speaker = Self.session(hasVideo: false)
        #expect(Self.status(speaker.receive(play)) == 404)
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
