import AccessoryModel
import AirPlay
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// What a user, a scenario or the page asks of a receiver, and what a reload and hostile input do to it.
struct AirPlayActionTests {
    // MARK: Actions

    @Test func startPlaysAudioAsASenderDoes() throws {
        let stage = AirPlayStage.television()
        try stage.act("start", ["sender": "Radio", "title": "Song", "artist": "Band", "duration": "1min 30s"])
        #expect(stage.states == [0, 0] && stage[.activeIdentifier] == 4)
        #expect(stage.reading("sender") == .text("Radio") && stage.reading("title") == .text("Song"))
        #expect(stage.reading("artist") == .text("Band") && stage.reading("duration") == .number(90))
        stage.advance(12)
        #expect(stage.reading("position") == .number(12))
        try stage.act("pause")
        #expect(stage.states == [1, 1])
        stage.advance(12)
        #expect(stage.reading("position") == .number(12))
        try stage.act("play")
        #expect(stage.states == [0, 0])
        try stage.act("next")
        try stage.act("previous")
        try stage.act("stop")
        #expect(stage.states == [1, 1])
        #expect(throws: SimulationError.self) { try stage.act("seek", ["position": "1"]) }
        try stage.act("disconnect")
        #expect(stage.states == [2, 2] && stage[.activeIdentifier] == 1 && stage.reading("sender") == .text(""))
    }

    @Test func aVideoIsLoadedPausedAndMoved() throws {
        let stage = AirPlayStage.television { $0.videoDuration = .seconds(100) }
        try stage.act("load", ["url": "http://a/b", "sender": "Tablet"])
        #expect(stage.states == [0, 0] && stage.reading("sender") == .text("Tablet"))
        #expect(stage.reading("title") == .text("http://a/b") && stage.reading("duration") == .number(100))
        try stage.act("seek", ["position": "1min"])
        #expect(stage.reading("position") == .number(60))
        try stage.act("pause")
        stage.advance(30)
        #expect(stage.reading("position") == .number(60) && stage.states == [1, 1])
        try stage.act("play")
        stage.advance(40)
        #expect(stage.states == [2, 2] && stage.reading("player") == .text("STOPPED"))
        try stage.act("load", ["url": "http://a/c"])
        try stage.act("stop")
        #expect(stage.states == [2, 2])
    }

    @Test func theVolumeIsThatOfTheSpeaker() throws {
        let stage = AirPlayStage.television()
        try stage.act("volume", ["percent": "12.4"])
        #expect(stage.speaker[.volume] == 12)
        stage.play()
        try stage.act("volume", ["percent": "100"])
        #expect(stage.speaker[.volume] == 100 && stage.commands == [.setVolume(VolumeLevel(percent: 100))])
    }

    @Test(arguments: ["play", "pause", "stop", "next", "previous", "disconnect"])
    func withoutASessionAnActionSaysThat(_ name: String) throws {
        let stage = AirPlayStage.speaker()
        let error = #expect(throws: SimulationError.self) { try stage.act(name) }
        #expect(error?.code == .refused && error?.reason == "No sender plays." && error?.remedy.hasSuffix(".") == true)
        #expect(stage.states == [2, 2])
    }

    @Test(
        arguments: [
            ("load", [:]), ("seek", [:]), ("seek", ["position": "soon"]), ("seek", ["position": "-1"]),
            ("seek", ["position": "1"]), ("volume", [:]), ("volume", ["percent": "101"]),
            ("volume", ["percent": "-1"]), ("volume", ["percent": "loud"]), ("volume", ["percent": "nan"]),
            ("start", ["duration": "long"]), ("start", ["duration": "-1"]), ("dance", [:]), ("", [:]),
        ] as [(String, [String: String])]
    )
    func whatIsWrongIsRefusedAndChangesNothing(name: String, arguments: [String: String]) {
        let stage = AirPlayStage.television()
        let error = #expect(throws: SimulationError.self) { try stage.act(name, arguments) }
        #expect(error?.code == .refused && error?.reason.isEmpty == false && error?.remedy.isEmpty == false)
        #expect(stage.volume == 40 && stage.owner.device.device.session == nil && stage.take().events.isEmpty)
    }

    @Test func anActionDoesNotInterruptTheSessionOfASender() {
        let stage = AirPlayStage.television()
        stage.play()
        for (name, arguments) in [("start", [:]), ("load", ["url": "http://a/b"])] {
            let error = #expect(throws: SimulationError.self) { try stage.act(name, arguments) }
            #expect(error?.reason == "Phone plays.")
        }
        #expect(stage.owner.device.device.session?.peer == 1 && stage.states == [0, 0])
        stage.operate(.active, 0)
    }

    @Test func anActionSaysThatAirPlayIsOff() {
        let stage = AirPlayStage.speaker([.airPlayEnable: 0])
        for (name, arguments) in [("start", [:]), ("load", ["url": "http://a/b"])] {
            let error = #expect(throws: SimulationError.self) { try stage.act(name, arguments) }
            #expect(error?.reason == "AirPlay is off.")
        }
    }

    @Test func anActionCanEndTheSessionOfASender() throws {
        let stage = AirPlayStage.television()
        stage.play()
        try stage.act("disconnect")
        guard case .end("disconnected")? = stage.take().messages.last else {
            Issue.record("the sender does not learn of it")
            return
        }
        #expect(stage.owner.device.device.session == nil)
    }

    @Test func longNamesAreCutOff() throws {
        let stage = AirPlayStage.television()
        try stage.act(
            "start",
            ["sender": String(repeating: "é", count: 100), "title": String(repeating: "t", count: 600)]
        )
        guard case .text(let name)? = stage.reading("sender") else {
            Issue.record("there is no sender")
            return
        }
        #expect(name == String(repeating: "é", count: 32))
    }

    // MARK: Drivers

    @Test func aStartOfTheDriverEndsTheSessionAndTellsItsState() {
        let stage = AirPlayStage.television()
        stage.play()
        _ = stage.take()
        stage.owner.receive(.message(AirPlayStart(), from: .driver))
        let effects = stage.owner.takeEffects()
        let messages = effects.compactMap { if case .send(let message) = $0 { message } else { nil } }
        #expect(messages.map(\.peer) == [.driver])
        #expect((messages.first?.content as? AirPlaySummary)?.isActive == false)
        #expect(stage[.activeIdentifier] == 1 && stage.states == [2, 2])
    }

    @Test func theEndOfAConnectionEndsItsSession() {
        let stage = AirPlayStage.television()
        stage.play()
        stage.owner.receive(.left(PeerID(2)))
        #expect(stage.states == [0, 0])
        stage.owner.receive(.left(AirPlayStage.sender))
        #expect(stage.states == [2, 2] && stage[.activeIdentifier] == 1)
    }

    @Test func aReloadKeepsTheSessionOfTheSameParameters() {
        let stage = AirPlayStage.speaker()
        stage.play()
        stage.reload()
        #expect(stage.owner.device.device.session?.peer == 1 && stage.states == [0, 0])
        stage.send(.pause)
        #expect(stage.states == [1, 1])
        stage.reload { $0.name = "Another" }
        #expect(stage.owner.device.device.session == nil && stage.states == [2, 2])
    }

    @Test func aReloadKeepsTheVolumeThatIsHeardAgainAfterMute() {
        let speaker = AirPlayStage.speaker([.volume: 70])
        speaker.write(.mute, true)
        speaker.reload()
        #expect(speaker[.volume] == 70 && speaker.isMuted)
        speaker.write(.mute, false)
        #expect(speaker.volume == 70)
        let television = AirPlayStage.television(volume: 70)
        television.setSpeaker(.mute, true)
        television.reload()
        #expect(television.speaker == [.volume: 70, .mute: true] && television.isMuted)
        television.setSpeaker(.mute, false)
        #expect(television.volume == 70)
    }

    @Test func aReadingOfASessionIsThere() {
        let stage = AirPlayStage.speaker()
        #expect(stage.reading("sender") == .text("") && stage.reading("player") == nil)
        stage.play()
        #expect(stage.reading("sender") == .text("Phone") && stage.reading("player") == .text("PLAYING"))
        var summary = AudioSummary()
        (summary.received, summary.lost, summary.drift, summary.format) = (12, 3, -7.6, "PCM")
        stage.send(.measured(summary))
        stage.send(.setArtwork(Artwork(type: "image/png", byteCount: 7)))
        #expect(stage.reading("packets") == .number(12) && stage.reading("lost") == .number(3))
        #expect(stage.reading("drift") == .number(-8) && stage.reading("format") == .text("PCM"))
        #expect(stage.reading("artwork") == .number(7))
    }

    // MARK: Hostile input

    private static let types: [CharacteristicType] = [
        .active, .activeIdentifier, .targetMediaState, .currentMediaState, .remoteKey, .volume, .mute,
        .airPlayEnable, .identifier, .inputSourceType, .isConfigured, .configuredName, .name,
    ]
    private static let values: [CharacteristicValue] = [
        true, false, 0, 1, 2, 3, 4, 8, 11, 15, 50, 100, .integer(Int64.min), .integer(UInt64.max),
        .number(.real(.nan)), .number(.real(.infinity)), .number(.real(-1e308)), .number(.real(1e308)), 0.1, "", "1",
        .data([]),
    ]
    /// Durations are checked before the device.
    private static let durations: [Double?] = [nil, 0, 1e-9, 60, 1e18]
    private static let numbers: [Double] = [
        0, 1, -1, 0.5, 1e-300, 32, 1e9, -.greatestFiniteMagnitude, .greatestFiniteMagnitude, .nan, .infinity,
        -.infinity,
    ]

    private static func message(_ generator: inout SeededRandom) -> SenderMessage {
        let sender = SenderDescription(name: "Phone", version: 2)
        let number = numbers.randomElement(using: &generator) ?? 0
        let url = Bool.random(using: &generator) ? "http://a/b" : ""
        let duration = durations.randomElement(using: &generator) ?? nil
        switch generator.next() % 14 {
        case 0: return .begin(sender)
        case 1: return .end
        case 2: return .play
        case 3: return .pause
        case 4: return .setVolume(VolumeLevel(decibels: number) ?? VolumeLevel(percent: .min))
        case 5: return .setProgress(PlaybackPosition(position: 1e9, duration: duration))
        case 6: return .setArtwork(Artwork(type: url, byteCount: .max))
        case 7: return .video(.play(url: url, start: number, isPart: Bool.random(using: &generator)), sender)
        case 8: return .video(.seek(number), sender)
        case 9: return .video(.setRate(number), sender)
        case 10: return .video(.stop, sender)
        case 11: return .video(.info, sender)
        case 12: return .loaded(url: url, .success(VideoContent(duration: duration)))
        default: return .loaded(url: url, .failure(VideoFailure(.min, "")))
        }
    }

    private static func instant(_ generator: inout SeededRandom) -> MonotonicInstant {
        let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let edge = edges.randomElement(using: &generator) ?? 0
        return MonotonicInstant(
            nanoseconds: Bool.random(using: &generator) ? edge : Int64(bitPattern: generator.next())
        )
    }

    /// See DeviceInvariantTests, whose devices have no senders.
    @Test(arguments: [ServiceType.television, .smartSpeaker, .speaker]) func noCallTraps(_ type: ServiceType) {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededRandom(seed: seed)
            var parameters = AirPlayParameters()
            parameters.fetches = seed % 2 == 0
            let television = Television(.init(bootDuration: .seconds(5)))
            var device = AirPlayBehavior(parameters, type, type == .television ? television : nil)
            for _ in 0..<40 {
                let now = Self.instant(&generator)
                var changes: [CharacteristicType: CharacteristicValue] = [:]
                for _ in 0..<generator.next() % 5 {
                    let type = Self.types.randomElement(using: &generator) ?? .active
                    changes[type] = Self.values.randomElement(using: &generator)
                }
                let list = Self.types.compactMap { type in changes[type].map { BehaviorChange(type, $0) } }
                let peer = PeerID(generator.next() % 3)
                switch generator.next() % 9 {
                case 0: _ = device.start(with: changes, at: now)
                case 1: _ = device.write(list, at: now)
                case 2: _ = device.advance(to: now)
                case 3: _ = device.observe(list, of: ServiceKey(.inputSource, subtype: "\(seed % 3)"), at: now)
                case 4: _ = device.observe(list, of: ServiceKey(.speaker), at: now)
                case 5:
                    for change in list { _ = device.perform(.applySensorInput(change), at: now) }
                    _ = device.perform(.stop, at: now)
                case 6: _ = device.receive(seed % 5 == 0 ? .left(peer) : .message(AirPlayStart(), from: peer), at: now)
                default:
                    for _ in 0..<4 {
                        _ = device.receive(.message(AirPlayDelivery(Self.message(&generator)), from: peer), at: now)
                    }
                }
                let readings = device.readings(at: now)
                #expect(readings.allSatisfy { $0.number.map(\.isFinite) ?? true })
                _ = device.takeEffects()
            }
        }
    }
}
