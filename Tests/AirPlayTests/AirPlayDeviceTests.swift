import AirPlay
import HAPCore
import Testing

/// The sessions of a device, the audio that is played, and its volume.
struct AirPlayDeviceTests {
    // MARK: Sessions

    @Test func oneSenderHasTheDeviceAtATime() throws {
        let stage = DeviceStage()
        #expect(stage.begin(1) == .accepted)
        #expect(stage.begin(2) == .refused(453))
        #expect(stage.device.session?.peer == 1 && stage.device.session?.sender == DeviceStage.sender(1))
        // What the other one sends has no effect.
        stage.send(.play, from: 2)
        stage.send(.end, from: 2)
        stage.send(.setVolume(VolumeLevel(percent: 90)), from: 2)
        #expect(stage.device.playback == .stopped && stage.device.volume.percent == 40)
        #expect(stage.video(.play(url: "a", start: 0, isPart: false), from: 2) == .refused(453))
        #expect(stage.video(.info, from: 2) == .refused(454))
        // Its session can follow.
        stage.send(.end, from: 1)
        #expect(stage.begin(2) == .accepted)
        #expect(stage.device.session?.peer == 2)
    }

    @Test func aSecondBeginOfASenderIsAcceptedAndKeepsItsSession() {
        let stage = DeviceStage()
        stage.play()
        stage.send(.setTrack(Self.track("Song")))
        #expect(stage.begin() == .accepted)
        #expect(stage.device.playback == .playing && stage.device.session?.track.title == "Song")
        #expect(stage.takeEvents() == ["sessionStarted", "playing", "metadata"])
    }

    @Test func aRefusalSaysWhy() throws {
        let stage = DeviceStage()
        stage.begin(1)
        stage.begin(2)
        let refusal = try #require(stage.device.takeEvents().last)
        #expect(refusal.name == "sessionRefused")
        #expect(refusal.details == ["sender": "Phone 2", "status": "453", "reason": "Phone 1 plays"])
    }

    @Test func offEndsTheSessionAndRefusesOthers() {
        let stage = DeviceStage()
        stage.play()
        _ = stage.takeEvents()
        stage.device.setEnabled(false, at: stage.now)
        stage.collect()
        #expect(stage.ends() == ["disabled"] && stage.device.session == nil && !stage.device.isEnabled)
        #expect(stage.takeEvents() == ["stopped", "sessionEnded", "disabled"])
        #expect(stage.begin() == .refused(503))
        #expect(stage.video(.play(url: "a", start: 0, isPart: false), from: 2) == .refused(503))
        #expect(stage.device.session == nil)
        stage.device.setEnabled(true, at: stage.now)
        #expect(stage.begin() == .accepted)
    }

    @Test func aSwitchToTheSameStateIsNoEvent() {
        let stage = DeviceStage()
        stage.device.setEnabled(true, at: stage.now)
        stage.device.setEnabled(false, at: stage.now)
        stage.device.setEnabled(false, at: stage.now)
        #expect(stage.takeEvents() == ["disabled"])
    }

    @Test func onlyAnEndThatTheSenderHasNotCausedIsSentToIt() {
        let stage = DeviceStage()
        stage.play()
        stage.send(.end)
        #expect(stage.ends().isEmpty)
        stage.play()
        stage.device.endSession("off", at: stage.now)
        stage.collect()
        #expect(stage.ends() == ["off"])
        // Without a session, there is nothing to end.
        stage.device.endSession("off", at: stage.now)
        stage.collect()
        #expect(stage.ends() == ["off"])
    }

    @Test func theEndOfItsConnectionEndsASessionAndThatOfAnotherDoesNot() {
        let stage = DeviceStage()
        stage.play()
        stage.device.disconnect(2, at: stage.now)
        #expect(stage.device.playback == .playing)
        stage.device.disconnect(1, at: stage.now)
        #expect(stage.device.playback == .stopped && stage.device.session == nil)
        #expect(stage.takeEvents() == ["sessionStarted", "playing", "stopped", "sessionEnded"])
    }

    @Test func aResetEndsTheSessionWithoutAMessage() {
        let stage = DeviceStage()
        stage.play()
        _ = stage.takeEvents()
        stage.device.reset(at: stage.now)
        stage.collect()
        #expect(stage.device.session == nil && stage.ends().isEmpty)
        #expect(stage.takeEvents() == ["stopped", "sessionEnded"])
        stage.device.reset(at: stage.now)
        #expect(stage.takeEvents() == [])
        #expect(stage.begin() == .accepted)
    }

    @Test func aSessionBeginsWithoutWhatTheLastOneHasShown() {
        let stage = DeviceStage()
        stage.play()
        stage.send(.setTrack(Self.track("Song")))
        stage.send(.setArtwork(Artwork(type: "image/jpeg", byteCount: 3)))
        stage.send(.setProgress(PlaybackPosition(position: 3, duration: 9)))
        stage.send(.measured(AudioSummary()))
        stage.send(.end)
        stage.begin(2)
        let session = stage.device.session
        #expect(session?.track == TrackMetadata() && session?.artwork == nil && session?.progress == nil)
        #expect(session?.audio == nil && session?.video == nil)
    }

    // MARK: Audio

    private static func track(_ title: String) -> TrackMetadata {
        var track = TrackMetadata()
        track.title = title
        return track
    }

    @Test func aSenderStartsPausesAndGoesOn() {
        let stage = DeviceStage()
        stage.begin()
        #expect(stage.device.playback == .stopped)
        stage.send(.pause)
        #expect(stage.device.playback == .stopped, "nothing has been played")
        stage.send(.play)
        #expect(stage.device.playback == .playing)
        stage.send(.play)
        stage.send(.pause)
        #expect(stage.device.playback == .paused)
        stage.send(.play)
        #expect(stage.device.playback == .playing)
        stage.send(.end)
        #expect(stage.device.playback == .stopped)
        #expect(
            stage.takeEvents() == [
                "sessionStarted", "playing", "paused", "playing", "stopped", "sessionEnded",
            ]
        )
    }

    @Test(arguments: [RemoteCommand.pause, .stop, .playPause])
    func audioThatAUserHasPausedIsPausedUntilSenderOrUserGoesOn(_ command: RemoteCommand) {
        let stage = DeviceStage()
        stage.play()
        #expect(stage.perform(command))
        #expect(stage.device.playback == .paused)
        #expect(stage.commands() == [command])
        #expect(stage.perform(.play))
        #expect(stage.device.playback == .playing)
        _ = stage.perform(.pause)
        // The sender says that it plays, which is later than what the user wanted.
        stage.send(.play)
        #expect(stage.device.playback == .playing)
        _ = stage.perform(.pause)
        stage.send(.pause)
        stage.send(.play)
        #expect(stage.device.playback == .playing)
    }

    @Test func aUserCannotStartAudioThatTheSenderHasPaused() {
        let stage = DeviceStage()
        stage.play()
        stage.send(.pause)
        #expect(stage.perform(.play))
        // The sender is asked; its packets show whether it does.
        #expect(stage.device.playback == .paused && stage.commands() == [.play])
        #expect(stage.perform(.playPause))
        #expect(stage.device.playback == .paused && stage.commands() == [.play, .playPause])
    }

    @Test func commandsGoToTheSenderOfTheSession() {
        let stage = DeviceStage()
        #expect(!stage.perform(.next), "there is no session")
        stage.play(2)
        stage.begin(1)
        for command in [RemoteCommand.next, .previous] { #expect(stage.perform(command)) }
        #expect(stage.commands(2) == [.next, .previous] && stage.commands(1).isEmpty)
        #expect(stage.device.playback == .playing)
        stage.send(.end, from: 2)
        stage.begin(1)
        #expect(stage.perform(.next))
        #expect(stage.commands(2) == [.next, .previous] && stage.commands(1) == [.next])
    }

    // MARK: Progress

    private static func position(_ stage: DeviceStage) -> Double? {
        stage.device.session?.progress?.position(at: stage.now)
    }

    @Test func thePositionMovesOnlyWhilePlaying() {
        let stage = DeviceStage()
        stage.begin()
        stage.send(.setProgress(PlaybackPosition(position: 10, duration: 60)))
        stage.advance(5)
        #expect(Self.position(stage) == 10)
        stage.send(.play)
        stage.advance(5)
        #expect(Self.position(stage) == 15)
        stage.send(.pause)
        stage.advance(5)
        #expect(Self.position(stage) == 15)
        stage.send(.play)
        _ = stage.perform(.pause)
        stage.advance(5)
        #expect(Self.position(stage) == 15)
        _ = stage.perform(.play)
        stage.advance(1)
        #expect(Self.position(stage) == 16)
    }

    @Test func aPositionThatIsSetWhilePlayingMovesAtOnceAndEndsAtTheDuration() {
        let stage = DeviceStage()
        stage.play()
        stage.send(.setProgress(PlaybackPosition(position: 50, duration: 60)))
        stage.advance(5)
        #expect(Self.position(stage) == 55)
        stage.advance(50)
        #expect(Self.position(stage) == 60)
        // A radio has no duration.
        stage.send(.setProgress(PlaybackPosition(position: 0, duration: nil)))
        stage.advance(1_000)
        #expect(Self.position(stage) == 1_000)
    }

    // MARK: Volume

    @Test func theVolumeOfTheSenderIsThatOfTheDeviceAndNotSentBack() {
        let stage = DeviceStage()
        stage.begin()
        stage.send(.setVolume(VolumeLevel(percent: 70)))
        #expect(stage.device.volume.percent == 70 && stage.commands().isEmpty)
        #expect(stage.takeEvents() == ["sessionStarted", "volume"])
        stage.send(.setVolume(VolumeLevel(percent: 70)))
        #expect(stage.takeEvents() == [], "it is the same")
    }

    @Test func theVolumeOfTheDeviceIsSentToTheSenderOnce() {
        let stage = DeviceStage()
        stage.device.setVolume(VolumeLevel(percent: 20))
        stage.begin()
        #expect(stage.commands().isEmpty, "there was no session")
        let level = VolumeLevel(percent: 70)
        stage.device.setVolume(level)
        stage.device.setVolume(level)
        stage.collect()
        #expect(stage.commands() == [.setVolume(level)])
        #expect(stage.perform(.setVolume(VolumeLevel(percent: 30, isMuted: true))))
        #expect(stage.commands().count == 2 && stage.device.volume.isMuted)
        #expect(!stage.takeEvents().contains("volume"))
    }

    @Test func whatIsSaidOfTheTrackIsShown() {
        let stage = DeviceStage()
        stage.begin()
        stage.send(.setTrack(Self.track("Song")))
        stage.send(.setArtwork(Artwork(type: "image/png", byteCount: 9)))
        var summary = AudioSummary()
        summary.received = 12
        stage.send(.measured(summary))
        #expect(stage.device.session?.track.title == "Song" && stage.device.session?.audio?.received == 12)
        #expect(stage.device.session?.artwork == Artwork(type: "image/png", byteCount: 9))
        stage.send(.setArtwork(Artwork(type: "image/none", byteCount: 0)))
        #expect(stage.device.session?.artwork == nil)
        let events = stage.device.takeEvents()
        #expect(events.map(\.name) == ["sessionStarted", "metadata", "artwork", "artwork"])
        #expect(events[1].details == ["title": "Song"])
    }

    /// No order of the instants traps, and none makes a deadline that has passed.
    @Test func noOrderOfInstantsTraps() {
        let edges: [Int64] = [.max, .min, 0, .min + 1, .max - 1, -1, 1]
        for first in edges {
            for second in edges {
                let stage = DeviceStage()
                stage.now = MonotonicInstant(nanoseconds: first)
                stage.play()
                stage.send(.setProgress(PlaybackPosition(position: 1e9, duration: nil)))
                stage.video(.play(url: "a", start: 10, isPart: false))
                stage.now = MonotonicInstant(nanoseconds: second)
                stage.advance(0)
                stage.video(.setRate(-32))
                stage.video(.seek(.greatestFiniteMagnitude))
                _ = stage.perform(.playPause)
                let information = stage.info()
                #expect(information.map { $0.position.isFinite && $0.rate.isFinite } ?? false)
                #expect(stage.device.nextDeadline.map { $0 > stage.now } ?? true)
            }
        }
    }
}
