import Cast
import HAPCore
import Testing

/// Ad breaks: before, in and after a content, embedded, and with seeks.
struct CastAdTests {
    private static func clip(_ id: String, _ seconds: Double = 10, skippable: Double? = nil) -> JSONValue {
        var clip: JSONObject = ["id": .string(id), "duration": .real(seconds)]
        if let skippable { clip["whenSkippable"] = .real(skippable) }
        return .object(clip)
    }

    private static func pause(_ id: String, at position: Double, _ clips: [JSONValue], embedded: Bool = false)
        -> JSONValue
    {
        .object([
            "id": .string(id), "position": .real(position), "breakClipIds": .array(clips),
            "isEmbedded": .bool(embedded),
        ])
    }

    /// Plays a content of 100 seconds.
    private static func playing(_ pauses: [JSONValue], _ clips: [JSONValue], _ members: JSONObject = [:]) -> CastStage {
        let stage = CastStage()
        stage.launch()
        stage.load(100, members, media: ["breaks": .array(pauses), "breakClips": .array(clips)])
        return stage
    }

    @Test
    func adsAreBeforeInAndAfterTheContent() {
        let stage = Self.playing(
            [
                Self.pause("pre", at: 0, ["a", "b"]), Self.pause("mid", at: 50, ["c"]),
                Self.pause("post", at: -1, ["d"]),
            ],
            [Self.clip("a"), Self.clip("b"), Self.clip("c"), Self.clip("d")]
        )
        #expect(stage.clip == "a" && stage.position == 0)
        stage.advance(14)
        #expect(stage.clip == "b")
        #expect(stage.media.object("breakStatus")?.number("currentBreakTime") == 14)
        #expect(stage.media.object("breakStatus")?.number("currentBreakClipTime") == 4)
        stage.advance(6)
        #expect(stage.clip == nil && stage.position == 0)
        stage.advance(50)
        #expect(stage.clip == "c" && stage.position == 50)
        stage.advance(10)
        #expect(stage.clip == nil && stage.position == 50)
        stage.advance(50)
        #expect(stage.clip == "d" && stage.position == 100)
        stage.advance(10)
        #expect(stage.state == nil)
        let events = stage.takeEvents().filter { $0.hasPrefix("AD") || $0 == "FINISHED" }
        #expect(events == Array(repeating: ["AD_STARTED", "AD_ENDED"], count: 4).flatMap { $0 } + ["FINISHED"])
    }

    private static func pause(_ id: String, at position: Double, _ ids: [String]) -> JSONValue {
        pause(id, at: position, ids.map { .string($0) })
    }

    @Test
    func aWatchedBreakIsNotPlayedAgain() {
        let stage = Self.playing([Self.pause("mid", at: 50, ["a"])], [Self.clip("a")])
        stage.advance(50)
        #expect(stage.clip == "a")
        #expect(stage.media.object("media")?.objects("breaks")?.first?.flag("isWatched") == true)
        stage.advance(10)
        stage.send("SEEK", ["currentTime": 40])
        stage.advance(20)
        #expect(stage.clip == nil && stage.position == 60)
    }

    @Test
    func aClipIsSkippedOnlyWhenThatIsPossible() {
        let stage = Self.playing(
            [Self.pause("pre", at: 0, ["a", "b"])],
            [Self.clip("a", skippable: 5), Self.clip("b")]
        )
        stage.advance(4)
        #expect(stage.media.object("breakStatus")?.number("whenSkippable") == 5)
        #expect(stage.media.integer("supportedMediaCommands").map { $0 & 512 } == 512)
        #expect(stage.send("SKIP_AD")?.text("type") == "INVALID_PLAYER_STATE")
        stage.advance(1)
        stage.send("SKIP_AD")
        #expect(stage.clip == "b" && stage.media.object("breakStatus")?.number("currentBreakTime") == 10)
        stage.advance(9)
        #expect(stage.send("SKIP_AD")?.text("type") == "INVALID_PLAYER_STATE")
        #expect(stage.send("SEEK", ["currentTime": 5])?.text("type") == "INVALID_PLAYER_STATE")
    }

    @Test
    func aSeekPlaysTheLastBreakOnItsWay() {
        let pauses = [
            Self.pause("one", at: 20, ["a"]), Self.pause("two", at: 40, ["b"]), Self.pause("three", at: 60, ["c"]),
        ]
        let stage = Self.playing(pauses, [Self.clip("a"), Self.clip("b"), Self.clip("c")])
        stage.send("SEEK", ["currentTime": 50])
        #expect(stage.clip == "b")
        stage.advance(10)
        #expect(stage.clip == nil && stage.position == 50)
        // Backward, and over breaks that were watched, nothing is played.
        stage.send("SEEK", ["currentTime": 30])
        #expect(stage.clip == nil && stage.position == 30)
        stage.advance(30)
        #expect(stage.clip == "c")
    }

    @Test
    func aContentThatBeginsLaterPlaysTheLastBreakBefore() {
        let pauses = [Self.pause("pre", at: 0, ["a"]), Self.pause("mid", at: 30, ["b"])]
        let stage = Self.playing(pauses, [Self.clip("a"), Self.clip("b")], ["currentTime": 40])
        #expect(stage.clip == "b")
        stage.advance(10)
        #expect(stage.position == 40)
    }

    @Test
    func adsPauseAndHaveTheirOwnRate() {
        let stage = Self.playing([Self.pause("pre", at: 0, ["a"])], [Self.clip("a")])
        stage.send("SET_PLAYBACK_RATE", ["playbackRate": 2])
        stage.advance(4)
        stage.send("PAUSE")
        stage.advance(100)
        #expect(stage.state == "PAUSED" && stage.media.object("breakStatus")?.number("currentBreakClipTime") == 4)
        stage.send("PLAY")
        stage.advance(6)
        #expect(stage.clip == nil)
        stage.advance(10)
        #expect(stage.position == 20)
    }

    @Test
    func embeddedAdsAreAPartOfTheContent() {
        let stage = Self.playing(
            [Self.pause("in", at: 10, ["a", "b"].map { .string($0) }, embedded: true)],
            [Self.clip("a", 5, skippable: 1), Self.clip("b", 5)]
        )
        stage.advance(12)
        #expect(stage.clip == "a" && stage.position == 12)
        stage.send("SKIP_AD")
        #expect(stage.clip == "b" && stage.position == 15)
        stage.advance(5)
        #expect(stage.clip == nil && stage.position == 20)
    }

    @Test
    func breaksThatAreNotValidAreLeftOut() {
        let stage = Self.playing(
            [Self.pause("no clips", at: 0, ["missing"]), .object(["id": "no ids"]), "text", .null],
            [.object(["id": "a", "duration": -1]), 7]
        )
        #expect(stage.clip == nil)
        stage.advance(100)
        #expect(stage.state == nil)
    }
}
