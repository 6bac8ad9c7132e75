import Cast
import HAPCore
import TestSupport
import Testing

@testable import CastSender

/// What a sender does with media, each feature of `docs/cast.md` in a test of its name.
@Suite(.timeLimit(.minutes(5)))
struct CastMediaClientTests {
    private static let film = MediaInformation(contentID: "film", contentType: "video/mp4", title: "The Film")

    private static func loaded(
        _ receiver: MemoryReceiver,
        app: String = CastSession.defaultMediaReceiver,
        _ change: (inout MediaLoadRequest) -> Void = { _ in }
    ) async throws -> CastSession {
        let session = try await CastSessionTests.launched(receiver, app)
        var media = film
        media.duration = 7_200
        var request = MediaLoadRequest(media)
        change(&request)
        try await session.media.load(request)
        return session
    }

    @Test(arguments: [Int.max, 1])
    func adBreaksArePlayedAndSkippedWhenTheirClipsAllowIt(chunk: Int) async throws {
        let receiver = MemoryReceiver(chunk: chunk)
        var long = AdClip(id: "long", title: "A Long Ad", duration: 30, skippableAfter: 5)
        long.posterURL = "http://example.com/poster.png"
        let breaks = [
            AdBreak(id: "before", clips: [AdClip(id: "short", duration: 15), long], position: 0),
            AdBreak(id: "after", clips: [AdClip(id: "last", duration: 10)], position: -1),
        ]
        let session = try await Self.loaded(receiver) { $0.items[0].media.adBreaks = breaks }
        #expect(session.media.status?.media?.adBreaks.map(\.id) == ["before", "after"])
        #expect(session.media.status?.media?.adBreaks[0].clips[1] == long)
        #expect(session.media.status?.adBreak?.breakID == "before")
        #expect(session.media.status?.adBreak?.clipID == "short")
        #expect(session.media.status?.adBreak?.skippableAfter == nil)
        await #expect(throws: CastSenderError.invalidPlayerState) { try await session.media.skipAd() }
        receiver.advance(15)
        try await eventually("the second clip plays") { session.media.status?.adBreak?.clipID == "long" }
        #expect(session.media.status?.adBreak?.skippableAfter == 5)
        await #expect(throws: CastSenderError.invalidPlayerState) { try await session.media.skipAd() }
        receiver.advance(5)
        try await session.media.skipAd()
        try await eventually("the content plays") { session.media.status?.adBreak == nil }
        #expect(session.media.status?.playerState == .playing && session.media.status?.receivedPosition == 0)
        await session.end()
    }

    @Test
    func theVariablePlaybackRateIsSetWithinItsLimits() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.loaded(receiver) { $0.rate = 1.5 }
        #expect(session.media.status?.rate == 1.5 && session.media.status?.canChangeRate == true)
        for rate in [0.5, 1, 2] {
            try await session.media.setPlaybackRate(rate)
            #expect(session.media.status?.rate == rate)
        }
        await #expect(throws: CastSenderError.self) { try await session.media.setPlaybackRate(3) }
        receiver.advance(10)
        try await session.media.refresh()
        #expect(session.media.status?.receivedPosition == 20)
        await session.end()
        // The app may not allow it.
        let fixed = try await Self.loaded(receiver, app: "QUIZ")
        #expect(fixed.media.status?.canChangeRate == false)
        await #expect(throws: CastSenderError.self) { try await fixed.media.setPlaybackRate(2) }
        await fixed.end()
    }

    @Test
    func autoplayAndStartTimeAreThoseOfTheRequest() async throws {
        let session = try await Self.loaded(MemoryReceiver()) {
            $0.autoplay = false
            $0.startTime = 90
        }
        #expect(session.media.status?.playerState == .paused && session.media.status?.receivedPosition == 90)
        try await session.media.play()
        #expect(session.media.status?.playerState == .playing)
        try await session.media.pause()
        try await session.media.seek(to: 100)
        try await session.media.seek(by: -40)
        #expect(session.media.status?.receivedPosition == 60 && session.media.status?.playerState == .paused)
        try await session.media.seek(to: 10, plays: true)
        #expect(session.media.status?.playerState == .playing)
        await session.end()
    }

    @Test
    func queueingChangesTheItemsAndTheirOrder() async throws {
        let receiver = MemoryReceiver()
        let session = try await CastSessionTests.launched(receiver, CastSession.defaultMediaReceiver)
        func item(_ id: String) -> MediaQueueItem {
            MediaQueueItem(MediaInformation(contentID: id, contentType: "a/b"))
        }
        let media = session.media
        await #expect(throws: CastSenderError.self) {
            try await media.load(MediaLoadRequest(queue: [item("a")], startIndex: 1))
        }
        try await media.load(MediaLoadRequest(queue: [item("a"), item("b")], startIndex: 1, repeatMode: .all))
        #expect(media.status?.media?.contentID == "b" && media.status?.repeatMode == .all)
        let ids = try await media.itemIDs()
        #expect(ids.count == 2 && media.status?.currentItemID == ids[1])
        try await media.insert([item("c")], before: ids[0])
        let all = try await media.itemIDs()
        #expect(try await media.items(all).map(\.media.contentID) == ["c", "a", "b"])
        try await media.move(items: [all[0]])
        #expect(try await media.items(media.itemIDs()).map(\.media.contentID) == ["a", "b", "c"])
        try await media.jump(by: 1)
        #expect(media.status?.media?.contentID == "c")
        try await media.jump(toItem: ids[0])
        #expect(media.status?.media?.contentID == "a")
        try await media.remove(items: [ids[1]])
        #expect(try await media.itemIDs().count == 2)
        try await media.setRepeatMode(.single)
        #expect(media.status?.repeatMode == .single)
        try await media.shuffle()
        #expect(try await Set(media.itemIDs()).count == 2)
        await session.end()
    }

    @Test
    func whatIsPlayedEndsWithAReason() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.loaded(receiver) { $0.items[0].media.duration = 60 }
        receiver.advance(60)
        try await eventually("the content has ended") { session.media.status?.idleReason == .finished }
        await #expect(throws: CastSenderError.self) { try await session.media.play() }
        let film = MediaInformation(contentID: "film", contentType: "video/mp4")
        try await session.media.load(MediaLoadRequest(film))
        try await session.media.stop()
        #expect(session.media.status?.idleReason == .cancelled)
        await session.end()
    }

    @Test
    func theVolumeOfTheStreamIsSetAndUnknownTracksAreRefused() async throws {
        let session = try await Self.loaded(MemoryReceiver())
        try await session.media.setStreamVolume(level: 0.3, isMuted: true)
        #expect(session.media.status?.volume == CastVolume(level: 0.3, isMuted: true))
        await #expect(throws: CastSenderError.self) { try await session.media.setActiveTracks([7]) }
        try await session.media.setActiveTracks([])
        await session.end()
    }

    @Test
    func theOtherSenderSeesTheSameStatus() async throws {
        let receiver = MemoryReceiver()
        let first = try await Self.loaded(receiver)
        let second = CastSessionTests.session(with: receiver)
        try await second.connect()
        try await second.join()
        #expect(second.media.status?.media?.title == "The Film")
        try await second.media.pause()
        try await eventually("the first one is told") { first.media.status?.playerState == .paused }
        await first.end()
        await second.end()
    }

    @Test
    func thePositionIsEstimatedAtItsRate() {
        func status(_ members: JSONObject) -> MediaStatus { MediaStatus(members, at: .zero) }
        let later = MonotonicInstant.zero.advanced(by: .seconds(10))
        let playing: JSONObject = ["playerState": "PLAYING", "currentTime": 5, "playbackRate": 2]
        #expect(status(playing).position(at: later) == 25)
        var paused = playing
        paused["playerState"] = "PAUSED"
        #expect(status(paused).position(at: later) == 5)
        var ending = playing
        ending["media"] = .object(["duration": 20])
        #expect(status(ending).position(at: later) == 20)
        var ad = playing
        ad["breakStatus"] = .object(["breakId": "a"])
        #expect(status(ad).position(at: later) == 5)
        #expect(status([:]).playerState == .idle && status([:]).position(at: later) == 0)
    }

    @Test
    func artworkIsChosenByOrderOrBySize() {
        var media = Self.film
        media.images = [
            CastImage(url: "first"), CastImage(url: "small", size: .init(width: 100, height: 100)),
            CastImage(url: "large", size: .init(width: 1_000, height: 1_000)),
        ]
        let hints = CastImageHints(.miniController, size: .init(width: 90, height: 90))
        #expect(FirstImagePicker().image(for: hints, of: media)?.url == "first")
        #expect(BestSizeImagePicker().image(for: hints, of: media)?.url == "small")
        media.images = []
        #expect(FirstImagePicker().image(for: hints, of: media) == nil)
    }
}
