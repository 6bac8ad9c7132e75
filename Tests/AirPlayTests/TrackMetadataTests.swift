import AirPlay
import TestSupport
import Testing

/// Metadata in DMAP.
struct TrackMetadataTests {
    private static func item(_ code: String, _ content: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? content.count
        return Array(code.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + content
    }

    private static func text(_ code: String, _ text: String) -> [UInt8] { item(code, Array(text.utf8)) }

    private static let song = item(
        "mlit",
        text("minm", "Für Elise") + text("asal", "Klavier") + text("asar", "Ludwig") + text("asgn", "Classical")
            + item("mikd", [2]) + item("astm", [0, 2, 0xBF, 0x20])
    )

    @Test
    func theItemsOfATrackAreRead() throws {
        let track = try TrackMetadata(parsing: Self.song)
        #expect(track.title == "Für Elise" && track.album == "Klavier" && track.artist == "Ludwig")
        #expect(track.genre == "Classical" && track.duration == .seconds(180))
        #expect(try TrackMetadata(parsing: []) == TrackMetadata())
    }

    /// The bytes that pyatv 0.18.0 sends: a container with title, album and artist.
    @Test
    func theBodyOfPyatvIsRead() throws {
        let body = [UInt8](
            hex: "6d6c69740000001b6d696e6d00000001746173616c00000001616173617200000001" + "62"
        )
        let track = try TrackMetadata(parsing: body)
        #expect(track.title == "t" && track.album == "a" && track.artist == "b" && track.duration == nil)
    }

    @Test
    func theFirstItemOfAKindCountsAndEmptyOnesDoNot() throws {
        let body = Self.text("minm", "") + Self.text("minm", "One") + Self.text("minm", "Two")
        let times = Self.item("astm", [0, 0, 0, 0]) + Self.item("astm", [1, 0]) + Self.item("astm", [9])
        let track = try TrackMetadata(parsing: body + times)
        #expect(track.title == "One" && track.duration == .milliseconds(256))
    }

    @Test(arguments: [[], [1, 2, 3, 4, 5], [UInt8](repeating: 0xFF, count: 8)])
    func aDurationOfAnotherSizeIsIgnored(_ content: [UInt8]) throws {
        #expect(try TrackMetadata(parsing: Self.item("astm", content)).duration == nil)
    }

    @Test
    func theLongestDurationIsRead() throws {
        let body = Self.item("astm", [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try TrackMetadata(parsing: body).duration == .milliseconds(4_294_967_295))
    }

    @Test
    func invalidBytesOfAStringAreReplaced() throws {
        let track = try TrackMetadata(parsing: Self.item("minm", [0x41, 0xFF, 0x42, 0xC3]))
        #expect(track.title == "A\u{FFFD}B\u{FFFD}")
    }

    @Test(arguments: [
        (String(repeating: "a", count: 256), 256), (String(repeating: "a", count: 257), 256),
        (String(repeating: "a", count: 255) + "é", 255), (String(repeating: "é", count: 129), 256),
        // A character of 25 bytes.
        (String(repeating: "👨‍👩‍👧‍👦", count: 11), 250),
    ])
    func aStringIsCutBeforeAWholeCharacter(_ text: String, _ count: Int) throws {
        let title = try #require(try TrackMetadata(parsing: Self.text("minm", text)).title)
        #expect(title.utf8.count == count && text.hasPrefix(title))
    }

    @Test
    func aCharacterOverTheLimitIsCutBetweenItsScalars() throws {
        let text = "e" + String(repeating: "\u{301}", count: 5_000)
        let title = try TrackMetadata(parsing: Self.text("minm", text)).title
        #expect(title?.utf8.count == 255 && title?.unicodeScalars.first == "e")
    }

    @Test(arguments: [
        item("minm", [1, 2], length: 3), item("minm", [], length: 0xFFFF_FFFF),
        item("mlit", item("minm", [], length: 1)), item("mlit", item("minm", [1]), length: 100),
        // The inner item fits into the input, but not into its container.
        item("mlit", item("minm", [65, 66], length: 9), length: 10) + text("asar", "b"),
        Array("minm".utf8), text("minm", "a") + [0],
    ])
    func aLengthBeyondTheEndIsRefused(_ body: [UInt8]) {
        #expect {
            try TrackMetadata(parsing: body)
        } throws: {
            guard case AirPlayError.malformed = $0 else { return false }
            return true
        }
    }

    @Test
    func containersHaveALimitedDepth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce(Self.text("minm", "deep")) { body, _ in Self.item("mlit", body) }
        }
        #expect(try TrackMetadata(parsing: nested(8)).title == "deep")
        #expect(throws: AirPlayError.tooLong(limit: 8)) { try TrackMetadata(parsing: nested(9)) }
    }

    @Test
    func theNumberOfItemsIsLimited() throws {
        let items = Array(repeating: Self.item("mikd", []), count: 999).flatMap(\.self)
        #expect(try TrackMetadata(parsing: items + Self.text("minm", "last")).title == "last")
        let more = items + Self.item("mikd", []) + Self.text("minm", "last")
        #expect(throws: AirPlayError.tooLong(limit: 1_000)) { try TrackMetadata(parsing: more) }
        let empty = Array(repeating: Self.item("mlit", []), count: 1_001).flatMap(\.self)
        #expect(throws: AirPlayError.tooLong(limit: 1_000)) { try TrackMetadata(parsing: empty) }
    }

    @Test
    func aBodyHasALimitedLength() throws {
        let head = 8
        let largest = Self.item("abcd", [UInt8](repeating: 0, count: 65_536 - head))
        #expect(try TrackMetadata(parsing: largest) == TrackMetadata())
        #expect(throws: AirPlayError.tooLong(limit: 65_536)) { try TrackMetadata(parsing: largest + [0]) }
    }

    @Test
    func hostileBodiesAreReadOrRefused() {
        var results = [true: 0, false: 0]
        func read(_ body: [UInt8]) {
            let track = try? TrackMetadata(parsing: body)
            results[track != nil, default: 0] += 1
            #expect((track?.title?.utf8.count ?? 0) <= 256)
        }
        HostileInput.truncations(of: Self.song, read)
        // The empty body and the whole one.
        #expect(results == [true: 2, false: Self.song.count - 1])
        HostileInput.mutations(of: [Self.song, Self.item("mlit", Self.song)], read)
        #expect(results.values.allSatisfy { $0 > 100 })
    }
}
