import AirPlay
import Testing

/// Playlists of HTTP Live Streaming.
struct HLSPlaylistTests {
    /// What ffmpeg 5.1 writes.
    private static let master = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-STREAM-INF:BANDWIDTH=730400,RESOLUTION=640x360,CODECS="avc1.f4001e,mp4a.40.2"
        v0/index.m3u8

        #EXT-X-STREAM-INF:BANDWIDTH=290400,RESOLUTION=320x180,CODECS="avc1.f4000c,mp4a.40.2"
        v1/index.m3u8

        """

    /// What ffmpeg 5.1 writes.
    private static let media = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXTINF:4.000000,
        index0.ts
        #EXTINF:4.000000,
        index1.ts
        #EXTINF:1.500000,
        index2.ts
        #EXT-X-ENDLIST

        """

    private func master(_ text: String) throws -> HLSMasterPlaylist {
        let playlist = try HLSPlaylist(parsing: Array(text.utf8))
        guard case .master(let master) = playlist else { throw AirPlayError.malformed("not a master playlist") }
        return master
    }

    private func media(_ text: String) throws -> HLSMediaPlaylist {
        let playlist = try HLSPlaylist(parsing: Array(text.utf8))
        guard case .media(let media) = playlist else { throw AirPlayError.malformed("not a media playlist") }
        return media
    }

    // MARK: Master playlists

    @Test
    func variantsAreRead() throws {
        let variants = try master(Self.master).variants
        #expect(variants.map(\.bandwidth) == [730_400, 290_400])
        #expect(variants.map(\.reference) == ["v0/index.m3u8", "v1/index.m3u8"])
        #expect(variants.first?.resolution == HLSMasterPlaylist.Resolution(width: 640, height: 360))
        #expect(variants.first?.codecs == ["avc1.f4001e", "mp4a.40.2"])
        #expect(variants.first?.averageBandwidth == nil && variants.first?.frameRate == nil)
    }

    @Test
    func allAttributesOfAVariantAreRead() throws {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=2000000, CODECS="hvc1.2.4, ec-3",BANDWIDTH=2500000,FRAME-RATE=59.940,\
            RESOLUTION=3840x2160,AUDIO="a,b=c",X-NEW=1,BANDWIDTH=7
            # A comment, and an empty line.

            https://cdn.example.com/x.m3u8?a=1
            """
        let variant = try #require(try master(text).variants.first)
        #expect(variant.bandwidth == 2_500_000 && variant.averageBandwidth == 2_000_000)
        #expect(variant.frameRate == 59.94 && variant.codecs == ["hvc1.2.4", "ec-3"])
        #expect(variant.reference == "https://cdn.example.com/x.m3u8?a=1")
    }

    @Test
    func renditionsAreRead() throws {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,URI="de.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Français, forcés",LANGUAGE="fr",URI="fr.m3u8"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",INSTREAM-ID="CC1"
            #EXT-X-MEDIA:TYPE=SMELL,GROUP-ID="x",NAME="Rose"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",SUBTITLES="s"
            v.m3u8
            """
        let playlist = try master(text)
        #expect(playlist.renditions(.audio).map(\.name) == ["English", "Deutsch"])
        #expect(playlist.renditions(.audio).map(\.isDefault) == [true, false])
        #expect(playlist.renditions(.subtitles).map(\.language) == ["fr"])
        #expect(playlist.renditions(.subtitles).first?.name == "Français, forcés")
        #expect(playlist.renditions(.closedCaptions).map(\.reference) == [nil])
        #expect(playlist.renditions(.video).isEmpty && playlist.renditions.count == 4)
    }

    private static let ladder =
        "#EXTM3U\n"
        + [
            "BANDWIDTH=500000,RESOLUTION=640x360", "BANDWIDTH=3000000,RESOLUTION=1280x720",
            "BANDWIDTH=3000000,RESOLUTION=1920x1080", "BANDWIDTH=3000000,RESOLUTION=1920x1080",
            "BANDWIDTH=8000000,RESOLUTION=3840x2160", "BANDWIDTH=64000",
        ]
        .enumerated().map { "#EXT-X-STREAM-INF:\($1)\n\($0)\n" }.joined()

    @Test(
        arguments: [
            (nil, nil, "4"), (8_000_000, nil, "4"), (7_999_999, nil, "2"), (nil, "1920x1080", "2"),
            (nil, "1919x1080", "1"),
            (nil, "1280x719", "0"), (400_000, nil, "5"), (nil, "16x16", "5"), (0, "1x1", "5"), (-1, nil, "5"),
            (600_000, "3840x2160", "0"),
        ] as [(Int?, String?, String)]
    )
    func theBestVariantThatFitsIsChosen(_ bandwidth: Int?, _ resolution: String?, _ reference: String) throws {
        let limit = resolution.flatMap { HLSMasterPlaylist.Resolution($0) }
        #expect((limit == nil) == (resolution == nil))
        let variant = try master(Self.ladder).variant(maximumBandwidth: bandwidth, maximumResolution: limit)
        #expect(variant?.reference == reference)
    }

    @Test
    func aPlaylistOfRenditionsHasNoVariantToChoose() throws {
        let playlist = try master("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=a")
        #expect(playlist.variant() == nil && playlist.renditions.count == 1)
    }

    @Test(arguments: ["0x1", "1x0", "65536x1", "1x65536", "1", "1x", "x1", "1x1x1", "-1x1", "1X1", ""])
    func anotherResolutionIsIgnored(_ text: String) throws {
        let playlist = try master("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=\(text)\na")
        #expect(playlist.variants.map(\.resolution) == [nil])
    }

    @Test(arguments: [
        "#EXT-X-STREAM-INF:RESOLUTION=1x1\na", "#EXT-X-STREAM-INF\na", "#EXT-X-STREAM-INF:BANDWIDTH=-1\na",
        "#EXT-X-STREAM-INF:BANDWIDTH=1e9\na", "#EXT-X-STREAM-INF:BANDWIDTH=9999999999999999999\na",
        "#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXT-X-STREAM-INF:BANDWIDTH=1\na", "#EXT-X-STREAM-INF:BANDWIDTH\na",
        "#EXT-X-STREAM-INF:=1\na", "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\na", "#EXT-X-STREAM-INF:CODECS=\"a\"x\na",
        "#EXT-X-MEDIA:TYPE=AUDIO", "#EXT-X-MEDIA:NAME=a", "#EXT-X-STREAM-INF:BANDWIDTH=1",
        "#EXT-X-STREAM-INF:BANDWIDTH=1\na\nb", "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:1,\nb",
    ])
    func aMalformedMasterPlaylistIsRefused(_ text: String) {
        #expect(throws: AirPlayError.self) { try HLSPlaylist(parsing: Array("#EXTM3U\n\(text)".utf8)) }
    }

    // MARK: Media playlists

    @Test
    func theLengthOfAStreamIsTheSumOfItsSegments() throws {
        let playlist = try media(Self.media)
        #expect(playlist.duration == .milliseconds(9_500) && playlist.segmentCount == 3)
        #expect(playlist.targetDuration == .seconds(4) && playlist.mediaSequence == 0)
        #expect(playlist.hasEnd && playlist.kind == .onDemand && !playlist.isLive && !playlist.isEncrypted)
    }

    @Test(arguments: [
        ("", true), ("#EXT-X-PLAYLIST-TYPE:EVENT", true), ("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-ENDLIST", false),
        ("#EXT-X-PLAYLIST-TYPE:VOD", false), ("#EXT-X-ENDLIST", false), ("#EXT-X-PLAYLIST-TYPE:OTHER", true),
    ])
    func aStreamWithoutAnEndIsLive(_ tags: String, _ isLive: Bool) throws {
        #expect(try media("#EXTM3U\n#EXTINF:2,title, with a comma\na.ts\n\(tags)").isLive == isLive)
    }

    @Test
    func theOtherTagsOfAStreamAreRead() throws {
        let text = """
            \u{FEFF}#EXTM3U\r
            #EXT-X-MEDIA-SEQUENCE:2680\r
            #EXT-X-KEY:METHOD=NONE\r
            #EXTINF:9.009\r
            a.ts\r
            #EXT-X-DISCONTINUITY\r
            #EXT-X-KEY:METHOD=AES-128,URI="key"\r
            #EXTINF:3.003000000999,\r
            #EXT-X-BYTERANGE:100@0\r
            b.ts\r
            #EXT-X-DISCONTINUITY\r
            #EXTINF:1,\r
            """
        let playlist = try media(text)
        #expect(playlist.mediaSequence == 2_680 && playlist.discontinuityCount == 2 && playlist.isEncrypted)
        // The last segment is cut off.
        #expect(playlist.segmentCount == 2 && playlist.duration == .milliseconds(12_012))
        #expect(try !media("#EXTM3U\n#EXT-X-KEY:METHOD=NONE").isEncrypted)
        #expect(playlist.targetDuration == nil && playlist.isLive)
    }

    @Test(arguments: [
        "", "\n#EXTM3U\n#EXTINF:1,\na", "#EXTM3U8\n#EXTINF:1,\na", "#EXTM3U", "#EXTM3U\n# only a comment", "a.ts",
        "#EXTM3U\na.ts", "#EXTM3U\n#EXTINF:,\na", "#EXTM3U\n#EXTINF\na", "#EXTM3U\n#EXTINF:-1,\na",
        "#EXTM3U\n#EXTINF:nan,\na", "#EXTM3U\n#EXTINF:1e3,\na", "#EXTM3U\n#EXTINF:86400.5.5,\na",
        "#EXTM3U\n#EXTINF:86401,\na", "#EXTM3U\n#EXT-X-TARGETDURATION:x", "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-1",
        "#EXTM3U\n#EXT-X-KEY:METHOD", "#EXTM3U\n#EXTINF:1,\na\nb",
    ])
    func aMalformedMediaPlaylistIsRefused(_ text: String) {
        #expect(throws: AirPlayError.self) { try HLSPlaylist(parsing: Array(text.utf8)) }
    }

    // MARK: Limits

    @Test
    func theNumberOfSegmentsIsLimited() throws {
        let most = "#EXTM3U\n" + String(repeating: "#EXTINF:86400,\na\n", count: 10_000)
        #expect(try media(most).duration == .seconds(864_000_000))
        #expect(throws: AirPlayError.tooLong(limit: 10_000)) { try media(most + "#EXTINF:1,\na") }
    }

    @Test(arguments: ["#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", "#EXT-X-MEDIA:TYPE=AUDIO,NAME=a\n"])
    func theNumberOfVariantsAndRenditionsIsLimited(_ entry: String) throws {
        let most = "#EXTM3U\n" + String(repeating: entry, count: 512)
        let playlist = try master(most)
        #expect(playlist.variants.count + playlist.renditions.count == 512)
        #expect(throws: AirPlayError.tooLong(limit: 512)) { try master(most + entry) }
    }

    @Test
    func theNumberOfAttributesIsLimited() throws {
        let most = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1" + String(repeating: ",A=1", count: 63)
        #expect(try master(most + "\na").variants.count == 1)
        #expect(throws: AirPlayError.tooLong(limit: 64)) { try master(most + ",A=1\na") }
    }

    @Test
    func aPlaylistHasALimitedLength() throws {
        let longest = Self.media + String(repeating: "\n", count: 1_048_576 - Self.media.utf8.count)
        #expect(try media(longest).segmentCount == 3)
        #expect(throws: AirPlayError.tooLong(limit: 1_048_576)) { try media(longest + "\n") }
    }

    @Test
    func hostilePlaylistsAreReadOrRefused() {
        var results = [true: 0, false: 0]
        func read(_ body: [UInt8]) {
            let playlist = try? HLSPlaylist(parsing: body)
            results[playlist != nil, default: 0] += 1
            switch playlist {
            case .master(let master): #expect((master.variant() == nil) == master.variants.isEmpty)
            case .media(let media): #expect(media.duration >= .zero && media.duration <= .seconds(86_400 * 10))
            case nil: break
            }
        }
        let seeds = [Self.master, Self.media, Self.ladder].map { Array($0.utf8) }
        for seed in seeds { HostileInput.truncations(of: seed, read) }
        HostileInput.mutations(of: seeds, read)
        #expect(results.values.allSatisfy { $0 > 100 })
    }
}
