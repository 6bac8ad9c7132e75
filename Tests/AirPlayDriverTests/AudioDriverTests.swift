import AccessoryModel
import AirPlay
import HAPCore
import PropertyLists
import TestSupport
import Testing

@testable import AirPlayDriver

/// Audio that a sender plays to a receiver on sockets, and what is recorded of it.
@Suite(.timeLimit(.minutes(5)))
struct AudioDriverTests {
    /// Waits until the receiver has counted packets, which it does each second.
    private static func expect(packets: Int, _ stage: ReceiverStage) async throws {
        try await eventually("\(packets) packets arrive") {
            guard case .number(let count)? = try await stage.reading("packets") else { return false }
            return count >= Double(packets)
        }
    }

    @Test func audioIsRecordedInItsOrder() async throws {
        let stage = try await ReceiverStage(records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        // Two packets have changed places, and one arrives twice.
        let order: [UInt16] = [65_533, 65_534, 65_535, 1, 0, 2, 2, 3, 4]
        audio.send(order)
        try await Self.expect(packets: order.count, stage)
        try await stage.expect(mediaState: 0)
        #expect(try await stage.reading("reordered") == .number(1))
        #expect(try await stage.reading("lost") == .number(0))
        #expect(try await sender.request("TEARDOWN").status == 200)
        #expect(try stage.recordings() == [AudioSocket.recording([65_533, 65_534, 65_535, 0, 1, 2, 3, 4])])
        try await stage.expect(mediaState: 2)
        let recorded = try await stage.log.expect("recorded")
        #expect(recorded.details["file"]?.hasSuffix("/Den-1.wav") == true)
        await stage.stop()
    }

    @Test func appleLosslessThatIsNotCompressedIsRecorded() async throws {
        let stage = try await ReceiverStage(records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio, alac: true)
        for sequence in 1...20 as ClosedRange<UInt16> {
            audio.send(payload: AudioSocket.alac(AudioSocket.samples(sequence)), sequence)
        }
        try await Self.expect(packets: 20, stage)
        _ = try await sender.request("TEARDOWN")
        #expect(try stage.recordings() == [AudioSocket.recording((1...20).map { $0 })])
        await stage.stop()
    }

    @Test func packetsThatAreMissingAreRequestedAndPutInTheirPlace() async throws {
        let stage = try await ReceiverStage(records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        audio.send([10, 11, 14, 15, 17])
        try await eventually("the packets are requested") {
            Set(audio.requests) == [.init(first: 12, count: 2), .init(first: 16, count: 1)]
        }
        for sequence in [13, 12, 16] as [UInt16] { audio.resend(sequence) }
        try await Self.expect(packets: 8, stage)
        #expect(try await stage.reading("resent") == .number(3))
        #expect(try await stage.reading("lost") == .number(0))
        _ = try await sender.request("TEARDOWN")
        #expect(try stage.recordings() == [AudioSocket.recording((10...17).map { $0 })])
        await stage.stop()
    }

    @Test func packetsThatNeverArriveAreSilence() async throws {
        let stage = try await ReceiverStage(records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        audio.send([1, 2, 4])
        try await stage.log.expect("packetsLost")
        #expect(try await stage.reading("lost") == .number(1))
        audio.resend(3)
        audio.send([6])
        try await Self.expect(packets: 5, stage)
        #expect(try await stage.reading("late") == .number(1), "it came when it was given up")
        // What is missing at the end is not waited for.
        _ = try await sender.request("TEARDOWN")
        #expect(try stage.recordings() == [AudioSocket.recording([1, 2, nil, 4, nil, 6])])
        await stage.stop()
    }

    @Test func packetsOfOtherHostsAndThoseThatCannotBeReadAreIgnored() async throws {
        let stage = try await ReceiverStage(", address: 0.0.0.0", records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        let other = try AudioSocket(from: "127.0.0.2")
        (other.dataPort, other.controlPort) = (audio.dataPort, audio.controlPort)
        audio.send([1])
        other.send([2, 3])
        other.resend(4)
        // A wrong key, a changed packet, a packet that is too short, and bytes that are not a packet.
        let stranger = try AudioSocket(key: [UInt8](repeating: 9, count: 32))
        stranger.dataPort = audio.dataPort
        stranger.send([2])
        var changed = audio.packet(2)
        changed[20] ^= 1
        for bytes in [changed, Array(audio.packet(2).prefix(30)), Array(audio.packet(2).prefix(12)), [], [0x80]] {
            audio.sendRaw(bytes)
        }
        var renumbered = audio.packet(2)
        renumbered[5] ^= 1
        audio.sendRaw(renumbered)
        audio.send([2])
        try await Self.expect(packets: 2, stage)
        _ = try await sender.request("TEARDOWN")
        #expect(try stage.recordings() == [AudioSocket.recording([1, 2])])
        await stage.stop()
    }

    @Test func aFlushPausesAndDropsWhatIsNotPlayed() async throws {
        let stage = try await ReceiverStage(records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        audio.send([1, 2, 5])
        try await stage.expect(mediaState: 0)
        #expect(try await sender.request("FLUSH", "/", ["RTP-Info": "seq=40;rtptime=14080"]).status == 200)
        #expect(try await stage.value(.currentMediaState) == 1)
        // Waits: the receiver looks for packets twenty times a second.
        try await Task.sleep(for: .milliseconds(250))
        #expect(stage.log.names.filter { $0 == "playing" || $0 == "paused" } == ["playing", "paused"])
        audio.send([40, 41])
        try await stage.expect(mediaState: 0)
        try await Self.expect(packets: 5, stage)
        _ = try await sender.request("TEARDOWN")
        #expect(try stage.recordings() == [AudioSocket.recording([1, 2, 40, 41])])
        await stage.stop()
    }

    @Test func aSenderThatSendsNoPacketsHasPaused() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        audio.send([1])
        try await stage.expect(mediaState: 0)
        try await stage.expect(mediaState: 1)
        audio.send([2])
        try await stage.expect(mediaState: 0)
        #expect(try await sender.request("TEARDOWN").status == 200)
        #expect(try await stage.value(.currentMediaState) == 2)
        await stage.stop()
    }

    @Test func theEndOfAStreamPausesAndAnotherStreamGoesOn() async throws {
        let stage = try await ReceiverStage(records: true)
        let sender = try await AirPlayTestSender.paired(with: stage)
        let first = try AudioSocket()
        try await sender.setUpAudio(first)
        first.send([1, 2])
        try await Self.expect(packets: 2, stage)
        try await stage.expect(mediaState: 0)
        #expect(try await sender.request("TEARDOWN", list: ["streams": [["type": 96]]]).status == 200)
        try await stage.expect(mediaState: 1)
        let second = try AudioSocket()
        try await sender.setUpStream(second)
        let end = ContinuousClock.now.advanced(by: .milliseconds(2_500))
        let count = try await second.play(from: 1, until: "the time is over") { ContinuousClock.now > end } - 1
        // Nothing of the first stream, which has had no packet for longer, pauses the second one.
        #expect(stage.log.names.filter { $0 == "playing" || $0 == "paused" } == ["playing", "paused", "playing"])
        try await Self.expect(packets: Int(count), stage)
        _ = try await sender.request("TEARDOWN")
        let recorded = AudioSocket.recording((1...count).map { $0 })
        #expect(try stage.recordings() == [AudioSocket.recording([1, 2]), recorded])
        await stage.stop()
    }

    @Test func withoutAFolderNothingIsRecorded() async throws {
        let stage = try await ReceiverStage()
        let sender = try await AirPlayTestSender.paired(with: stage)
        let audio = try AudioSocket()
        try await sender.setUpAudio(audio)
        audio.send([1])
        try await stage.expect(mediaState: 0)
        _ = try await sender.request("TEARDOWN")
        #expect(!stage.log.names.contains("recorded") && !stage.log.names.contains("unrecorded"))
        await stage.stop()
    }

    // MARK: AirPlay 1

    private static let announcement = Array(
        "v=0\r\ni=Radio\r\na=rtpmap:96 AppleLossless\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n".utf8
    )

    /// Sends a request with the digest of a password, which each request has.
    private static func send(
        _ method: String,
        _ headers: AirPlayHeaders = [:],
        _ body: [UInt8] = [],
        of sender: AirPlayTestSender,
        _ password: String?
    ) async throws -> AirPlayResponse {
        let target = "rtsp://127.0.0.1/1"
        let response = try await sender.request(method, target, headers, body)
        guard let password, response.status == 401 else { return response }
        let challenge = try #require(response.headers["WWW-Authenticate"])
        let nonce = try #require(challenge.split(separator: "nonce=\"").last?.prefix { $0 != "\"" })
        let secret = try #require(MD5.hexadecimal("iTunes:raop:\(password)"))
        let question = try #require(MD5.hexadecimal("\(method):\(target)"))
        let proof = try #require(MD5.hexadecimal("\(secret):\(nonce):\(question)"))
        var headers = headers
        headers["Authorization"] =
            "Digest username=\"iTunes\", realm=\"raop\", nonce=\"\(nonce)\", uri=\"\(target)\", response=\"\(proof)\""
        return try await sender.request(method, target, headers, body)
    }

    @Test(arguments: [nil, "open sesame"] as [String?])
    func aSenderOfTheFirstVersionPlays(_ password: String?) async throws {
        let stage = try await ReceiverStage(password.map { ", password: \($0)" } ?? "", records: true)
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.request("OPTIONS", "*").headers["Public"]?.contains("ANNOUNCE") == true)
        func send(_ method: String, _ headers: AirPlayHeaders = [:], _ body: [UInt8] = []) async throws
            -> AirPlayResponse
        {
            try await Self.send(method, headers, body, of: sender, password)
        }
        let headers: AirPlayHeaders = ["Content-Type": "application/sdp"]
        if password != nil {
            for wrong in [nil, "wrong"] {
                let answer = try await Self.send("ANNOUNCE", headers, Self.announcement, of: sender, wrong)
                #expect(answer.status == 401)
            }
        }
        #expect(try await send("ANNOUNCE", headers, Self.announcement).status == 200)
        let started = try await stage.log.expect("sessionStarted")
        #expect(started.details == ["sender": "Radio", "version": "1"])
        let audio = try AudioSocket(key: [])
        let transport = "RTP/AVP/UDP;unicast;mode=record;control_port=\(audio.port);timing_port=0"
        let answer = try await send("SETUP", ["Transport": transport])
        #expect(answer.status == 200 && answer.headers["Session"] == "1")
        var ports: [Substring: UInt16] = [:]
        for part in try #require(answer.headers["Transport"]).split(separator: ";") {
            let pair = part.split(separator: "=")
            if pair.count == 2 { ports[pair[0]] = UInt16(pair[1]) }
        }
        audio.dataPort = try #require(ports["server_port"])
        audio.controlPort = try #require(ports["control_port"])
        #expect(try await send("RECORD").status == 200)
        for sequence in [1, 2, 4] as [UInt16] {
            audio.send(payload: AudioSocket.alac(AudioSocket.samples(sequence)), sequence)
        }
        try await eventually("a packet is requested") { audio.requests.contains(.init(first: 3, count: 1)) }
        audio.send(payload: AudioSocket.alac(AudioSocket.samples(3)), 3)
        try await Self.expect(packets: 4, stage)
        try await stage.expect(mediaState: 0)
        #expect(try await send("TEARDOWN").status == 200)
        #expect(try stage.recordings() == [AudioSocket.recording([1, 2, 3, 4])])
        await stage.stop()
    }
}
