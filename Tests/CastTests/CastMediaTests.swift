import Cast
import HAPCore
import Testing

/// What an app plays: loading, playing, rates, tracks and errors.
struct CastMediaTests {
    private static func launched(_ change: (inout CastReceiver.Configuration) -> Void = { _ in }) -> CastStage {
        var configuration = CastReceiver.Configuration()
        change(&configuration)
        let stage = CastStage(configuration)
        stage.launch()
        return stage
    }

    @Test
    func aContentPlaysToItsEnd() throws {
        let stage = Self.launched()
        let answer = try #require(stage.load(7_200))
        let status = try #require(answer.objects("status")?.first)
        #expect(answer.text("type") == "MEDIA_STATUS" && status.text("playerState") == "PLAYING")
        #expect(status.integer("supportedMediaCommands") == 12_303)
        #expect(status.object("media")?.text("contentId") == "film")
        stage.advance(7_199)
        #expect(stage.position == 7_199)
        _ = stage.take()
        stage.advance(2)
        let last = try #require(stage.take().last?.objects("status")?.first)
        #expect(last.text("playerState") == "IDLE" && last.text("idleReason") == "FINISHED")
        #expect(last.number("currentTime") == 7_200)
        #expect(stage.send("GET_STATUS")?.array("status")?.isEmpty == true)
        #expect(stage.send("PLAY")?.text("type") == "INVALID_PLAYER_STATE")
    }

    @Test
    func autoplayStartTimeAndRateComeFromTheRequest() {
        let stage = Self.launched()
        // VLC writes a text and expects that it plays, as it does with JavaScript.
        stage.load(100, ["autoplay": "false"])
        #expect(stage.state == "PLAYING")
        stage.load(100, ["autoplay": false, "currentTime": "20", "playbackRate": 2])
        #expect(stage.state == "PAUSED" && stage.position == 20)
        stage.send("PLAY", ["mediaSessionId": 2])
        stage.advance(10)
        #expect(stage.position == 40 && stage.media.number("playbackRate") == 2)
    }

    @Test
    func loadingTakesItsTimeAndANewLoadCancelsIt() {
        let stage = Self.launched { $0.loadTime = .seconds(2) }
        #expect(stage.load() == nil)
        #expect(stage.state == "IDLE")
        #expect(stage.media.object("extendedStatus")?.text("playerState") == "LOADING")
        _ = stage.take()
        stage.load()
        #expect(stage.take().contains { $0.text("type") == "LOAD_CANCELLED" })
        stage.advance(2)
        #expect(stage.state == "PLAYING" && stage.position == 0)
        #expect(stage.take().filter { $0.text("type") == "MEDIA_STATUS" && $0.integer("requestId") != 0 }.count == 1)
    }

    @Test
    func aNewLoadInterruptsTheContentWithAnotherSession() {
        let stage = Self.launched()
        stage.load()
        _ = stage.take()
        stage.load()
        let statuses = stage.take().compactMap { $0.objects("status")?.first }
        #expect(statuses.first { $0.integer("mediaSessionId") == 1 }?.text("idleReason") == "INTERRUPTED")
        #expect(stage.media.integer("mediaSessionId") == 2)
        #expect(stage.send("PAUSE", ["mediaSessionId": 1])?.text("reason") == "INVALID_MEDIA_SESSION_ID")
    }

    @Test
    func pauseStopAndSeek() {
        let stage = Self.launched()
        stage.load(100)
        stage.advance(10)
        stage.send("PAUSE")
        stage.advance(10)
        #expect(stage.state == "PAUSED" && stage.position == 10)
        stage.send("SEEK", ["currentTime": 50, "resumeState": "PLAYBACK_START"])
        stage.advance(1)
        #expect(stage.state == "PLAYING" && stage.position == 51)
        stage.send("SEEK", ["relativeTime": -11, "resumeState": "PLAYBACK_PAUSE"])
        #expect(stage.state == "PAUSED" && stage.position == 40)
        stage.send("SEEK", ["currentTime": -5])
        #expect(stage.position == 0)
        #expect(stage.send("SEEK")?.text("reason") == "INVALID_PARAMS")
        _ = stage.take()
        stage.send("STOP")
        #expect(stage.take().last?.objects("status")?.first?.text("idleReason") == "CANCELLED")
    }

    @Test
    func theRateChangesThePaceAndNothingElse() {
        let stage = Self.launched()
        stage.load(100)
        stage.advance(10)
        stage.send("SET_PLAYBACK_RATE", ["playbackRate": 2])
        stage.advance(10)
        stage.send("SET_PLAYBACK_RATE", ["relativePlaybackRate": 0.25])
        stage.advance(10)
        #expect(stage.position == 35)
        for rate in [0.4, 2.1, -1] as [Double] {
            let answer = stage.send("SET_PLAYBACK_RATE", ["playbackRate": .real(rate)])
            #expect(answer?.text("reason") == "INVALID_PARAMS", "\(rate)")
        }
        #expect(stage.media.number("playbackRate") == 0.5)
    }

    @Test
    func anAppMayRefuseRatesAndLiveContentHasNoPositions() throws {
        let stage = Self.launched { $0.apps.append(CastApp(id: "A", name: "A", allowsRates: false)) }
        stage.launch("A")
        stage.load()
        #expect(stage.send("SET_PLAYBACK_RATE", ["playbackRate": 1.5])?.text("reason") == "INVALID_COMMAND")
        #expect(try #require(stage.media.integer("supportedMediaCommands")) & 8_192 == 0)
        stage.load(100, media: ["streamType": "LIVE", "duration": .null])
        #expect(stage.send("SEEK", ["currentTime": 1])?.text("type") == "INVALID_PLAYER_STATE")
        stage.advance(1_000)
        #expect(stage.state == "PLAYING")
    }

    @Test
    func tracksAndTheVolumeOfTheStream() {
        let stage = Self.launched()
        let track: JSONValue = .object(["trackId": 7, "type": "TEXT"])
        stage.load(100, ["activeTrackIds": [7]], media: ["tracks": [track]])
        #expect(stage.media.integers("activeTrackIds") == [7])
        stage.send("EDIT_TRACKS_INFO", ["activeTrackIds": []])
        #expect(stage.media.integers("activeTrackIds") == [])
        #expect(stage.send("EDIT_TRACKS_INFO", ["activeTrackIds": [8]])?.text("reason") == "INVALID_PARAMS")
        stage.send("SET_VOLUME", ["volume": .object(["level": 0.5, "muted": true])])
        #expect(stage.media.object("volume") == ["level": 0.5, "muted": true])
        #expect(stage.receiver.volume.level == 1)
    }

    @Test
    func whatCannotBeLoadedSaysWhy() {
        let stage = Self.launched()
        #expect(stage.send("LOAD")?.text("reason") == "INVALID_PARAMS")
        let empty = stage.send("LOAD", ["media": .object(["contentType": "video/mp4"])])
        #expect(empty?.text("type") == "LOAD_FAILED" && empty?.integer("detailedErrorCode") == 104)
        var faults = CastFaults()
        faults.loadFailure = 103
        let media: JSONObject = ["media": .object(["contentId": "a"])]
        let failed = stage.send("LOAD", media, faults: faults)
        #expect(failed?.integer("detailedErrorCode") == 103 && failed?.integer("itemId") == 1)
        let status = stage.take().last
        #expect(status?.integer("requestId") == 0)
        #expect(status?.objects("status")?.first?.text("idleReason") == "ERROR")
        #expect(stage.state == nil)
        #expect(stage.send("DANCE")?.text("reason") == "INVALID_COMMAND")
        #expect(stage.takeEvents().contains("LOAD_FAILED"))
    }

    @Test
    func aKnownContentNeedsOnlyItsAddress() {
        let stage = Self.launched { configuration in
            configuration.contents["film"] = MediaInformation(["duration": 60, "metadata": .object(["title": "Film"])])
        }
        stage.send("LOAD", ["media": .object(["contentId": "film", "duration": .null])])
        #expect(stage.media.object("media")?.number("duration") == 60)
        #expect(stage.receiver.statusText == "Film")
        stage.send("LOAD", ["media": .object(["contentId": "film", "duration": 30, "metadata": .object([:])])])
        #expect(stage.receiver.statusText == "Film")
        #expect(stage.media.object("media")?.number("duration") == 30)
    }

    @Test
    func aStatusThatIsTooLongLeavesTheContentOut() throws {
        let stage = Self.launched()
        stage.load(100, media: ["customData": .string(String(repeating: "x", count: 40_000))])
        let media = try #require(stage.media.object("media"))
        #expect(media.text("contentId") == "film" && media["customData"] == nil)
        #expect(stage.receiver.mediaStatus(at: stage.now).text.utf8.count < CastFrameDecoder.maximumLength)
    }

    @Test
    func aContentThatNeverRestsDoesNotHoldUpTheClock() {
        let stage = Self.launched()
        stage.load(0.001)
        stage.send("QUEUE_UPDATE", ["repeatMode": "REPEAT_SINGLE"])
        stage.load(
            0.001,
            [
                "queueData": .object([
                    "repeatMode": "REPEAT_SINGLE",
                    "items": [
                        .object(["media": .object(["contentId": "a", "duration": 0.001])])
                    ],
                ])
            ]
        )
        stage.advance(86_400)
        #expect(stage.state == "PAUSED")
    }
}

extension JSONObject {
    fileprivate func array(_ key: String) -> [JSONValue]? { self[key]?.array }
}
