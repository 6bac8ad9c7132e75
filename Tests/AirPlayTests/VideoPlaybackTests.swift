import AirPlay
import HAPCore
import Testing

/// A video that the receiver fetches by its address and plays.
struct VideoPlaybackTests {
    private static let url = "http://example.com/film.m3u8"

    /// A stage on which a video of 100 s is played, which is not fetched.
    private static func playing(start: Double = 0, isPart: Bool = false) -> DeviceStage {
        let stage = DeviceStage { $0.videoDuration = 100 }
        #expect(stage.video(.play(url: url, start: start, isPart: isPart)) == .accepted)
        return stage
    }

    private static func fetching() -> DeviceStage {
        let stage = DeviceStage { $0.fetches = true }
        #expect(stage.video(.play(url: url, start: 10, isPart: false)) == .accepted)
        return stage
    }

    // MARK: Start

    @Test func aVideoBeginsASession() {
        let stage = Self.playing()
        #expect(stage.device.session?.sender == DeviceStage.sender() && stage.device.playback == .playing)
        #expect(stage.takeEvents() == ["sessionStarted", "videoRequested", "playing"])
        let information = stage.info()
        #expect(information?.duration == 100 && information?.position == 0 && information?.rate == 1)
        #expect(information?.isReady == true && information?.failure == nil)
    }

    @Test(
        arguments: [
            (12, false, 12), (0.25, true, 25), (1, true, 100), (0.5, false, 0.5), (250, false, 100), (3, true, 100),
        ] as [(Double, Bool, Double)]
    )
    func itStartsAtASecondOrAtAPart(start: Double, isPart: Bool, position: Double) {
        let stage = DeviceStage { $0.videoDuration = 100 }
        // It is paused at once, because a video at its end is over.
        stage.video(.play(url: Self.url, start: start, isPart: isPart))
        guard position < 100 else {
            #expect(stage.device.playback == .stopped && stage.takeEvents().last == "videoEnded")
            return
        }
        #expect(stage.info()?.position == position)
    }

    @Test func withoutASessionThereIsNoInformation() {
        let stage = DeviceStage()
        for request in [VideoRequest.info, .seek(1), .setRate(1), .stop] {
            #expect(stage.video(request) == .refused(454), "\(request)")
        }
        stage.begin()
        for request in [VideoRequest.seek(1), .setRate(1)] {
            #expect(stage.video(request) == .refused(455), "\(request)")
        }
        #expect(stage.info() == PlaybackInformation())
        #expect(stage.video(.stop) == .accepted)
    }

    // MARK: Playing

    @Test func thePositionMovesWithTheRate() {
        let stage = Self.playing()
        stage.advance(10)
        #expect(stage.info()?.position == 10)
        stage.video(.setRate(0))
        #expect(stage.device.playback == .paused && stage.info()?.rate == 0)
        stage.advance(10)
        #expect(stage.info()?.position == 10)
        stage.video(.setRate(2))
        #expect(stage.device.playback == .playing && stage.info()?.rate == 2)
        stage.advance(10)
        #expect(stage.info()?.position == 30)
        stage.video(.setRate(-1))
        stage.advance(10)
        #expect(stage.info()?.position == 20 && stage.info()?.rate == -1)
    }

    @Test func aSeekMovesWithinTheVideo() {
        let stage = Self.playing()
        for (target, position) in [(40, 40), (-5, 0), (99.5, 99.5)] as [(Double, Double)] {
            #expect(stage.video(.seek(target)) == .accepted)
            #expect(stage.info()?.position == position)
        }
        stage.advance(0.25)
        #expect(stage.info()?.position == 99.75)
        #expect(stage.seek(to: 7))
        #expect(stage.info()?.position == 7)
        stage.device.seek(by: -10, at: stage.now)
        #expect(stage.info()?.position == 0)
        stage.device.seek(by: 10, at: stage.now)
        #expect(stage.info()?.position == 10)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func whatIsNotFiniteChangesNoRate(_ rate: Double) {
        let stage = Self.playing()
        #expect(stage.video(.setRate(rate)) == .accepted)
        #expect(stage.info()?.rate == 1)
        #expect(stage.video(.seek(rate)) == .accepted)
        #expect(stage.info()?.position.isFinite == true)
    }

    @Test(
        arguments: [(1e9, 32), (.greatestFiniteMagnitude, 32), (33, 32), (31, 31), (1e-300, 1e-300)]
            as [(Double, Double)]
    )
    func aRateIsLimited(rate: Double, limited: Double) {
        let stage = Self.playing()
        stage.video(.setRate(rate))
        #expect(stage.info()?.rate == limited)
        stage.video(.seek(50))
        stage.video(.setRate(-rate))
        #expect(stage.info()?.rate == -limited)
        #expect(stage.device.nextDeadline.map { $0 > stage.now } ?? true)
    }

    // MARK: End

    @Test func atItsEndItIsStoppedAndHasNoDuration() throws {
        let stage = Self.playing(start: 90)
        #expect(stage.device.nextDeadline == stage.now.advanced(by: .seconds(10)))
        _ = stage.takeEvents()
        stage.advance(10)
        #expect(stage.device.playback == .stopped && stage.device.nextDeadline == nil)
        #expect(stage.takeEvents() == ["stopped", "videoEnded"])
        #expect(stage.info() == PlaybackInformation(), "a sender sees the end because there is no duration")
        // A seek or a rate does not play it again.
        #expect(stage.video(.seek(0)) == .accepted)
        #expect(stage.video(.setRate(1)) == .accepted)
        #expect(stage.device.playback == .stopped && stage.info()?.duration == nil)
        // Another video does.
        #expect(stage.video(.play(url: Self.url, start: 0, isPart: false)) == .accepted)
        #expect(stage.device.playback == .playing && stage.info()?.duration == 100)
    }

    @Test func anEndIsSeenByTheNextRequestEvenWithoutATimer() {
        let stage = Self.playing()
        stage.now = stage.now.advanced(by: .seconds(1_000))
        #expect(stage.info()?.duration == nil && stage.device.playback == .stopped)
    }

    @Test func aSeekToTheEndEndsAVideoThatPlays() {
        let stage = Self.playing()
        stage.video(.seek(100))
        #expect(stage.device.playback == .stopped)
        #expect(stage.takeEvents().suffix(2) == ["stopped", "videoEnded"])
    }

    @Test func aSeekToTheEndOfAVideoThatIsPausedEndsItWhenItGoesOn() {
        let stage = Self.playing()
        stage.video(.setRate(0))
        stage.video(.seek(100))
        #expect(stage.device.playback == .paused && stage.info()?.position == 100)
        stage.video(.setRate(1))
        #expect(stage.device.playback == .stopped)
    }

    @Test func backwardItEndsAtItsBegin() {
        let stage = Self.playing(start: 20)
        stage.video(.setRate(-2))
        #expect(stage.device.nextDeadline == stage.now.advanced(by: .seconds(10)))
        stage.advance(10)
        #expect(stage.device.playback == .stopped && stage.takeEvents().last == "videoEnded")
    }

    @Test func aStopEndsTheVideoAndNotTheSession() {
        let stage = Self.playing()
        #expect(stage.video(.stop) == .accepted)
        #expect(stage.device.playback == .stopped && stage.device.session != nil)
        #expect(stage.info() == PlaybackInformation())
        #expect(stage.takeEvents().last == "stopped")
    }

    // MARK: Loading

    @Test func aVideoThatIsFetchedPlaysWhenItIsLoaded() throws {
        let stage = Self.fetching()
        #expect(stage.loads() == [Self.url])
        #expect(stage.device.playback == .loading)
        #expect(stage.info() == PlaybackInformation(), "it is not ready")
        stage.advance(5)
        var content = VideoContent(duration: 60)
        (content.variants, content.resolution, content.bandwidth) = (3, "1280x720", 2_000_000)
        stage.send(.loaded(url: Self.url, .success(content)))
        #expect(stage.device.playback == .playing && stage.info()?.position == 10 && stage.info()?.duration == 60)
        let loaded = try #require(stage.device.takeEvents().first { $0.name == "videoLoaded" })
        #expect(
            loaded.details == [
                "url": Self.url, "duration": "60.0", "variants": "3", "resolution": "1280x720",
                "bandwidth": "2000000",
            ]
        )
    }

    @Test func aVideoThatIsPausedWhileItLoadsIsPausedThen() {
        let stage = Self.fetching()
        stage.video(.setRate(0))
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: 60))))
        #expect(stage.device.playback == .paused && stage.info()?.rate == 0)
    }

    @Test func onlyTheFirstResultForTheLastAddressCounts() {
        let stage = Self.fetching()
        stage.send(.loaded(url: "http://example.com/other", .success(VideoContent(duration: 1))))
        #expect(stage.device.playback == .loading)
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: 60))))
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: 90))))
        stage.send(.loaded(url: Self.url, .failure(VideoFailure(-1_100, "404"))))
        #expect(stage.info()?.duration == 60 && stage.device.playback == .playing)
        // An address that is loaded again has a result of its own.
        #expect(stage.video(.play(url: Self.url, start: 0, isPart: false)) == .accepted)
        #expect(stage.device.playback == .loading && stage.loads() == [Self.url, Self.url])
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: 90))))
        #expect(stage.info()?.duration == 90)
    }

    @Test func aLiveStreamHasNoDurationAndNoEnd() {
        let stage = Self.fetching()
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: nil))))
        #expect(stage.device.playback == .playing && stage.device.nextDeadline == nil)
        stage.advance(100_000)
        let information = stage.info()
        #expect(information?.duration == nil && information?.isReady == true && information?.rate == 1)
        #expect(stage.device.playback == .playing)
        #expect(information.map { abs($0.position - 100_010) < 1e-6 } ?? false)
    }

    @Test func aFailureIsAnsweredAndNothingIsPlayed() {
        let stage = Self.fetching()
        let failure = VideoFailure(-1_100, "404")
        stage.send(.loaded(url: Self.url, .failure(failure)))
        #expect(stage.device.playback == .stopped && stage.takeEvents().suffix(2) == ["videoFailed", "stopped"])
        let information = stage.info()
        #expect(information?.failure == failure && information?.duration == nil && information?.isReady == false)
        stage.video(.setRate(1))
        #expect(stage.device.playback == .stopped)
    }

    @Test func aResultAfterTheEndOfTheSessionHasNoEffect() {
        let stage = Self.fetching()
        stage.device.disconnect(1, at: stage.now)
        stage.begin(2)
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: 60))), from: 1)
        stage.send(.loaded(url: Self.url, .success(VideoContent(duration: 60))), from: 2)
        #expect(stage.device.session?.video == nil && stage.device.playback == .stopped)
    }

    // MARK: Users

    @Test func aUserPlaysPausesAndStopsAVideoAtOnce() {
        let stage = Self.playing()
        #expect(stage.perform(.pause))
        #expect(stage.device.playback == .paused)
        #expect(stage.perform(.playPause))
        #expect(stage.device.playback == .playing)
        #expect(stage.perform(.next))
        #expect(stage.device.playback == .playing)
        #expect(stage.perform(.stop))
        #expect(stage.device.playback == .stopped && stage.device.session != nil)
        // The sender learns of each.
        #expect(stage.commands() == [.pause, .playPause, .next, .stop])
        #expect(!stage.seek(to: 1), "there is no video")
    }

    @Test func aVideoTakesThePlaceOfAudio() {
        let stage = DeviceStage { $0.videoDuration = 100 }
        stage.play()
        #expect(stage.video(.play(url: Self.url, start: 0, isPart: false)) == .accepted)
        #expect(stage.device.playback == .playing && stage.device.session?.video?.url == Self.url)
        stage.video(.stop)
        #expect(stage.device.playback == .playing, "the audio still plays")
    }
}
