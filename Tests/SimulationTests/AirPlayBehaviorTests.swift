import AccessoryModel
import AirPlay
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// A session of a sender as HomeKit sees it, and what HomeKit does to it.
struct AirPlayBehaviorTests {
    // MARK: Inputs

    @Test func aSessionIsShownByTheInputOfAirPlayAndTheFormerOneComesBack() {
        let stage = AirPlayStage.television(input: 2)
        stage.play()
        #expect(stage[.activeIdentifier] == 4 && stage[.active] == 1)
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 2)
    }

    @Test func anInputThatTheUserChoosesMeanwhileStays() {
        let stage = AirPlayStage.television(input: 1)
        stage.play()
        stage.write(.activeIdentifier, 3)
        #expect(stage[.activeIdentifier] == 3)
        // The session goes on in the background.
        #expect(stage.owner.device.device.playback == .playing)
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 3)
    }

    @Test func anInputThatTheUserHasChosenAndLeftIsShownAgain() {
        let stage = AirPlayStage.television(input: 1)
        stage.play()
        stage.write(.activeIdentifier, 3)
        stage.write(.activeIdentifier, 4)
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 3)
    }

    @Test func aCableThatIsPluggedInDoesNotEndTheSession() {
        let stage = AirPlayStage.television(input: 1)
        stage.plug("Console", false)
        stage.play()
        stage.plug("Console", true)
        #expect(stage[.activeIdentifier] == 4 && stage.states == [0, 0])
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 1)
    }

    @Test func anInputThatIsUnpluggedMeanwhileDoesNotComeBack() {
        let stage = AirPlayStage.television(input: 1)
        stage.write(.activeIdentifier, 3)
        stage.write(.activeIdentifier, 2)
        stage.play()
        stage.plug("Player", false)
        #expect(stage[.activeIdentifier] == 4)
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 3)
    }

    @Test func withoutTheCableOfTheChosenInputTheSessionIsShownAgain() {
        let stage = AirPlayStage.television(input: 1)
        stage.play()
        stage.write(.activeIdentifier, 3)
        stage.plug("Console", false)
        #expect(stage[.activeIdentifier] == 4)
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 1)
    }

    @Test func theInputOfAirPlayIsLeftIfItWasShownBeforeTheSession() {
        let stage = AirPlayStage.television(input: 4)
        stage.plug("Antenna", false)
        stage.play()
        #expect(stage[.activeIdentifier] == 4)
        stage.send(.end)
        #expect(stage[.activeIdentifier] == 2, "the plugged input with the lowest identifier")
    }

    // MARK: Power

    @Test func aSessionTurnsTheTelevisionOn() {
        let stage = AirPlayStage.television(isOn: false)
        stage.play()
        #expect(stage[.active] == 1 && stage[.activeIdentifier] == 4 && stage.states == [0, 0])
        stage.send(.end)
        #expect(stage[.active] == 1 && stage[.activeIdentifier] == 1 && stage.states == [2, 2])
    }

    @Test(arguments: [true, false]) func offEndsTheSession(byWrite: Bool) {
        let stage = AirPlayStage.television(input: 2)
        stage.play()
        _ = stage.take()
        if byWrite { stage.write(.active, 0) } else { stage.operate(.active, 0) }
        #expect(stage[.active] == 0 && stage[.activeIdentifier] == 2 && stage.states == [2, 2])
        #expect(stage.summary?.isActive == false)
        let (messages, events) = stage.take()
        guard case .end("off")? = messages.last else {
            Issue.record("the sender does not learn of it")
            return
        }
        #expect(events == ["stopped", "sessionEnded"])
        // On does not bring it back.
        stage.write(.active, 1)
        #expect(stage.owner.device.device.session == nil && stage.states == [2, 2])
    }

    @Test(arguments: [true, false]) func airPlayEnableEndsTheSessionAndRefusesOthers(byWrite: Bool) {
        let stage = AirPlayStage.speaker()
        stage.play()
        _ = stage.take()
        if byWrite { stage.write(.airPlayEnable, 0) } else { #expect(stage.operate(.airPlayEnable, 0)) }
        #expect(stage[.airPlayEnable] == 0 && stage.states == [2, 2])
        #expect(stage.summary?.isEnabled == false && stage.summary?.isActive == false)
        #expect(stage.take().events == ["stopped", "sessionEnded", "disabled"])
        stage.play()
        #expect(stage.take().events == ["sessionRefused"] && stage.states == [2, 2])
        stage.write(.airPlayEnable, 1)
        #expect(stage.summary?.isEnabled == true)
        stage.play()
        #expect(stage.states == [0, 0])
    }

    @Test func aReceiverThatWasOffIsOffAfterAStart() {
        let stage = AirPlayStage.speaker([.airPlayEnable: 0])
        #expect(!stage.owner.device.device.isEnabled)
    }

    // MARK: Media states

    @Test func theMediaStatesAreThoseOfTheSender() {
        for stage in [AirPlayStage.television(), .speaker()] {
            stage.send(.begin(SenderDescription(name: "Phone", version: 1)))
            #expect(stage.states == [2, 2])
            stage.send(.play)
            #expect(stage.states == [0, 0])
            stage.send(.pause)
            #expect(stage.states == [1, 1])
            stage.send(.play)
            stage.send(.end)
            #expect(stage.states == [2, 2])
        }
    }

    @Test func aTargetIsAskedOfTheSenderAndShown() {
        for stage in [AirPlayStage.television(), .speaker()] {
            stage.play()
            stage.write(.targetMediaState, 1)
            #expect(stage.states == [1, 1])
            stage.write(.targetMediaState, 0)
            #expect(stage.states == [0, 0])
            stage.write(.targetMediaState, 2)
            #expect(stage.states == [1, 1], "the sender is asked to stop, and plays nothing")
            #expect(stage.commands == [.pause, .play, .stop])
            // What the sender has paused, only the sender starts again.
            stage.send(.pause)
            stage.write(.targetMediaState, 0)
            #expect(stage.states == [1, 1])
        }
    }

    @Test func aVideoThatLoadsShowsThatAndItsEnd() {
        let stage = AirPlayStage.television { ($0.fetches, $0.videoDuration) = (true, .seconds(10)) }
        let sender = SenderDescription(name: "Phone", version: 2)
        stage.send(.video(.play(url: "http://a/b", start: 0, isPart: false), sender))
        #expect(stage.states == [4, 0])
        stage.send(.loaded(url: "http://a/b", .success(VideoContent(duration: 10))))
        #expect(stage.states == [0, 0] && stage[.activeIdentifier] == 4)
        #expect(stage.owner.device.nextDeadline == stage.owner.now.advanced(by: .seconds(10)))
        stage.advance(10)
        #expect(stage.states == [2, 2] && stage.take().events.last == "videoEnded")
        // The session is still there.
        #expect(stage[.activeIdentifier] == 4)
    }

    @Test func whatWasPlayedWithoutAReceiverIsNotPlayedAfterASession() {
        let stage = AirPlayStage.speaker()
        stage.write(.targetMediaState, 0)
        #expect(stage.states == [0, 0])
        stage.play()
        stage.write(.targetMediaState, 1)
        stage.send(.end)
        #expect(stage.states == [2, 2])
    }

    // MARK: Volume

    @Test func theVolumeOfASpeakerIsThatOfTheSenderInBothDirections() {
        let stage = AirPlayStage.speaker([.volume: 25])
        #expect(stage.volume == 25)
        stage.play()
        stage.send(.setVolume(VolumeLevel(percent: 70)))
        #expect(stage[.volume] == 70 && stage.commands.isEmpty)
        stage.write(.volume, 30)
        #expect(stage.volume == 30 && stage.commands == [.setVolume(VolumeLevel(percent: 30))])
    }

    @Test func theVolumeOfATelevisionIsThatOfItsSpeakerInBothDirections() {
        let stage = AirPlayStage.television()
        stage.play()
        stage.send(.setVolume(VolumeLevel(percent: 70)))
        #expect(stage.speaker[.volume] == 70 && stage.speaker[.mute] == false)
        #expect(stage[.volume] == nil && stage.commands.isEmpty)
        stage.setSpeaker(.volume, 30)
        #expect(stage.volume == 30 && stage.commands == [.setVolume(VolumeLevel(percent: 30))])
    }

    @Test func aTelevisionStartsWithTheVolumeOfItsSpeaker() {
        let stage = AirPlayStage.television(volume: 25)
        #expect(stage.volume == 25 && stage.speaker == [.volume: 25, .mute: false])
    }

    @Test func muteKeepsTheVolumeInBothDirections() {
        for stage in [AirPlayStage.television(), .speaker()] {
            func mute(_ isMuted: Bool) {
                if stage[.volume] == nil {
                    stage.setSpeaker(.mute, .bool(isMuted))
                } else {
                    stage.write(.mute, .bool(isMuted))
                }
            }
            func shown(_ type: CharacteristicType) -> CharacteristicValue? {
                stage[.volume] == nil ? stage.speaker[type] : stage.owner.values[type]
            }
            stage.play()
            stage.send(.setVolume(VolumeLevel(percent: 70)))
            mute(true)
            #expect(stage.isMuted && shown(.volume) == 70)
            mute(false)
            #expect(stage.volume == 70)
            #expect(
                stage.commands == [.setVolume(VolumeLevel(percent: 0, isMuted: true)), .setVolume(.init(percent: 70))]
            )
            stage.send(.setVolume(VolumeLevel(percent: 0, isMuted: true)))
            #expect(shown(.mute) == true && shown(.volume) == 70)
            stage.send(.setVolume(VolumeLevel(percent: 55)))
            #expect(shown(.mute) == false && shown(.volume) == 55)
        }
    }

    @Test func aVolumeThatIsSetWhileMutedIsHeardLater() {
        let stage = AirPlayStage.speaker()
        stage.write(.mute, true)
        stage.write(.volume, 80)
        #expect(stage.isMuted && stage[.volume] == 80)
        stage.write(.mute, false)
        #expect(stage.volume == 80 && stage[.volume] == 80)
    }

    // MARK: Keys

    @Test func theKeysOfTheRemoteGoToTheSender() {
        let stage = AirPlayStage.television()
        stage.write(.remoteKey, 11)
        #expect(stage.commands.isEmpty, "without a session, a key is that of the television")
        stage.play()
        for key in [11, 2, 3, 11] { stage.write(.remoteKey, .integer(key)) }
        #expect(stage.commands == [.playPause, .next, .previous, .playPause])
        #expect(stage.states == [0, 0])
        stage.write(.remoteKey, 4)
        #expect(stage.commands.count == 4, "an arrow is not for the sender")
    }

    @Test func theKeysOfTheRemoteJumpInAVideo() throws {
        let stage = AirPlayStage.television { $0.videoDuration = .seconds(100) }
        try stage.act("load", ["url": "http://a/b"])
        stage.write(.remoteKey, 1)
        #expect(stage.reading("position") == .number(10))
        stage.advance(15)
        stage.write(.remoteKey, 0)
        #expect(stage.reading("position") == .number(15))
        stage.write(.remoteKey, 11)
        #expect(stage.states == [1, 1] && stage.reading("player") == .text("PAUSED"))
    }
}
