import AccessoryModel
import AirPlay
import HAPCore
import HTTPTestSupport
import Hosting
import NIOHTTP1
import PropertyLists
import Simulation
import TestSupport
import Testing

@testable import AirPlayDriver

/// Videos that a sender plays by their addresses, with and without fetching them.
@Suite(.timeLimit(.minutes(5)))
struct VideoDriverTests {
    private static func play(_ url: String, of sender: AirPlayTestSender, start: PropertyList = 0) async throws -> Int {
        let video: PropertyList = ["Content-Location": .text(url), "Start-Position-Seconds": start]
        return try await sender.request("POST", "/play", list: video).status
    }

    private static func info(_ sender: AirPlayTestSender) async throws -> PropertyList {
        try #require(AirPlayTestSender.read(try await sender.request("GET", "/playback-info")).list)
    }

    @Test func aVideoIsPlayedMovedAndStoppedByItsSender() async throws {
        let stage = try await ReceiverStage(", videoDuration: 100s", .television)
        // Without encryption, as AirPlay 1 does.
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await Self.play("http://example.com/a.m3u8", of: sender, start: 20) == 200)
        #expect(try await stage.value(.active) == 1)
        #expect(try await stage.value(.activeIdentifier) == 2)
        #expect(try await stage.value(.currentMediaState) == 0)
        var info = try await Self.info(sender)
        #expect(info["duration"] == .real(100) && info["position"] == .real(20) && info["rate"] == .real(1))
        #expect(info["readyToPlay"]?.bool == true)
        #expect(try await sender.request("POST", "/rate?value=0.0").status == 200)
        #expect(try await stage.value(.currentMediaState) == 1)
        #expect(try await sender.request("POST", "/scrub?position=50").status == 200)
        let position = try await sender.request("GET", "/scrub")
        #expect(String(decoding: position.body, as: UTF8.self) == "duration: 100.0\nposition: 50.0\n")
        #expect(try await sender.request("POST", "/rate?value=1.0").status == 200)
        try await stage.host.advance(by: .seconds(50))
        // At its end, there is no duration.
        info = try await Self.info(sender)
        #expect(info["duration"] == nil && info["readyToPlay"]?.bool == false)
        #expect(try await stage.value(.currentMediaState) == 2)
        #expect(try await Self.play("http://example.com/b.m3u8", of: sender) == 200)
        #expect(try await sender.request("POST", "/stop").status == 200)
        #expect(try await Self.info(sender)["duration"] == nil)
        sender.close()
        try await eventually("the former input is shown") { try await stage.value(.activeIdentifier) == 1 }
        await stage.stop()
    }

    @Test func aSecondSenderCannotPlayAVideoAndASpeakerHasNone() async throws {
        let stage = try await ReceiverStage("", .television)
        let (first, second) = (
            try await AirPlayTestSender(port: stage.port), try await AirPlayTestSender(port: stage.port)
        )
        #expect(try await Self.play("http://example.com/a", of: first) == 200)
        #expect(try await Self.play("http://example.com/b", of: second) == 453)
        #expect(try await second.request("GET", "/playback-info").status == 454)
        #expect(try await stage.reading("title") == .text("http://example.com/a"))
        await stage.stop()
        let speaker = try await ReceiverStage()
        #expect(try await Self.play("http://example.com/a", of: AirPlayTestSender(port: speaker.port)) == 404)
        await speaker.stop()
    }

    // MARK: Fetching

    private static let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1920x1080
        high.m3u8

        """
    private static let media =
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\na.ts\n#EXTINF:2.5,\nb.ts\n#EXT-X-ENDLIST\n"
    private static let fetching = DriverKind.airPlay(exemptAddresses: ["127.0.0.1"])

    private static func answer(_ request: HTTPRequestHead, _ number: Int) -> TestHTTPServer.Reply? {
        let type = "application/vnd.apple.mpegurl"
        return switch request.uri {
        case "/film/master.m3u8": .document(Array(master.utf8), type: type)
        case "/film/high.m3u8": .document(Array(media.utf8), type: type)
        case "/live.m3u8": .document(Array(media.replacing("#EXT-X-ENDLIST\n", with: "").utf8), type: type)
        case "/film.mp4": .document([0, 1, 2], type: "video/mp4")
        case "/none.m3u8": .document(Array("<html>".utf8), type: type)
        default: .status(404)
        }
    }

    @Test func aPlaylistIsFetchedAndItsBestVariantIsPlayed() async throws {
        try await TestHTTPServer.run(Self.answer) { server in
            let stage = try await ReceiverStage(", fetch: true", .television, kind: Self.fetching)
            let sender = try await AirPlayTestSender.paired(with: stage)
            #expect(try await Self.play("http://127.0.0.1:\(server.port)/film/master.m3u8", of: sender) == 200)
            try await eventually("it is ready") { try await Self.info(sender)["readyToPlay"]?.bool == true }
            #expect(try await Self.info(sender)["duration"] == .real(12.5))
            #expect(try await stage.reading("resolution") == .text("1920x1080"))
            let details = try await stage.log.expect("videoLoaded").details
            #expect(details["variants"] == "2" && details["bandwidth"] == "4000000" && details["duration"] == "12.5")
            #expect(server.requests.map(\.uri) == ["/film/master.m3u8", "/film/high.m3u8"])
            await stage.stop()
        }
    }

    @Test func whatIsNoPlaylistHasTheDurationOfTheFileAndALiveStreamHasNone() async throws {
        try await TestHTTPServer.run(Self.answer) { server in
            let stage = try await ReceiverStage(", fetch: true, videoDuration: 77s", .television, kind: Self.fetching)
            let sender = try await AirPlayTestSender.paired(with: stage)
            for (path, duration) in [("film.mp4", 77), ("live.m3u8", nil)] as [(String, Double?)] {
                #expect(try await Self.play("http://127.0.0.1:\(server.port)/\(path)", of: sender) == 200)
                try await eventually("it is ready") { try await Self.info(sender)["readyToPlay"]?.bool == true }
                #expect(try await Self.info(sender)["duration"]?.number == duration)
            }
            await stage.stop()
        }
    }

    @Test func aFailureIsAnsweredWithItsCode() async throws {
        try await TestHTTPServer.run(Self.answer) { server in
            let stage = try await ReceiverStage(", fetch: true", .television, kind: Self.fetching)
            let sender = try await AirPlayTestSender.paired(with: stage)
            let base = "http://127.0.0.1:\(server.port)"
            // A file that is missing, what is no playlist, an address of another private host, and what is no address.
            for (url, code) in [
                ("\(base)/missing", -1_100), ("\(base)/none.m3u8", -1_016), ("http://127.0.0.9/a", -1_102),
                ("ftp://a", -1_000),
            ] {
                #expect(try await Self.play(url, of: sender) == 200)
                try await eventually("it fails") { try await Self.info(sender)["error"] != nil }
                let info = try await Self.info(sender)
                #expect(info["error"]?["code"]?.integer == code, "\(url)")
                #expect(info["duration"] == nil && info["readyToPlay"]?.bool == false)
                try await stage.expect(mediaState: 2)
            }
            await stage.stop()
        }
    }

    @Test func aPrivateAddressIsNotFetchedUnlessATestExemptsIt() async throws {
        try await TestHTTPServer.run(Self.answer) { server in
            let stage = try await ReceiverStage(", fetch: true", .television)
            let sender = try await AirPlayTestSender.paired(with: stage)
            #expect(try await Self.play("http://127.0.0.1:\(server.port)/film/master.m3u8", of: sender) == 200)
            try await eventually("it fails") { try await Self.info(sender)["error"] != nil }
            #expect(server.requests.isEmpty)
            await stage.stop()
        }
    }
}
