import AirPlay
import FuzzHarness

/// Playlists: any bytes are a value in its limits or an error.
///
/// An input is the bandwidth and the height that are allowed, two bytes each, and the playlist.
enum HLSTarget: FuzzTarget {
    static let name = "hls"

    static var seeds: [String: [UInt8]] {
        let master =
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=7304,AVERAGE-BANDWIDTH=7,RESOLUTION=640x360,CODECS=\"a,b\"\nv0.m3u8\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=290400,RESOLUTION=320x180,FRAME-RATE=29.970\n../v1/i.m3u8?x=1\n"
            + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,URI=\"en.m3u8\"\n"
        let media =
            "#EXTM3U\r\n#EXT-X-TARGETDURATION:4\r\n#EXT-X-MEDIA-SEQUENCE:7\r\n#EXT-X-PLAYLIST-TYPE:VOD\r\n"
            + "#EXTINF:4.0,\r\na.ts\r\n#EXT-X-DISCONTINUITY\r\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\r\n"
            + "#EXTINF:1.5,t\r\nb.ts\r\n#EXT-X-ENDLIST"
        func seed(_ limits: [UInt8], _ text: String) -> [UInt8] {
            limits + Array(text.utf8)
        }
        return [
            "master": seed([255, 255, 255, 255], master), "limited": seed([100, 100, 200, 0], master),
            "media": seed([0, 0, 0, 0], media),
        ]
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let (bandwidth, height) = (source.number() << 8, source.number())
        switch try? HLSPlaylist(parsing: Array(source.remainder())) {
        case .master(let playlist): check(playlist, bandwidth, height)
        case .media(let playlist):
            claim(playlist.segmentCount <= HLSPlaylist.maximumSegmentCount, "the number of segments is limited")
            let longest = Duration.seconds(86_400) * playlist.segmentCount
            claim(playlist.duration >= .zero && playlist.duration <= longest, "a segment is limited")
            claim(playlist.mediaSequence >= 0, "a number of a segment is not negative")
            claim(!playlist.hasEnd || !playlist.isLive, "what has an end is not live")
        case nil: break
        }
    }

    private static func check(_ playlist: HLSMasterPlaylist, _ bandwidth: Int, _ height: Int) {
        claim(playlist.variants.count <= HLSPlaylist.maximumVariantCount, "the number of variants is limited")
        claim(playlist.renditions.count <= HLSPlaylist.maximumVariantCount, "the number of renditions is limited")
        let limit = HLSMasterPlaylist.Resolution(width: 65_535, height: height)
        let chosen = playlist.variant(maximumBandwidth: bandwidth, maximumResolution: limit)
        let fitting = playlist.variants.filter { variant in
            variant.bandwidth <= bandwidth && variant.resolution.map { $0.height <= limit?.height ?? .max } ?? true
        }
        guard let chosen else { return claim(playlist.variants.isEmpty, "a variant is chosen if there is one") }
        if fitting.isEmpty {
            claim(playlist.variants.allSatisfy { $0.bandwidth >= chosen.bandwidth }, "the least variant is chosen")
        } else {
            claim(fitting.contains(chosen), "a variant that fits is chosen")
            claim(fitting.allSatisfy { $0.bandwidth <= chosen.bandwidth }, "the best variant is chosen")
        }
    }
}
