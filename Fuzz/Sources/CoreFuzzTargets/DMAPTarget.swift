import AirPlay
import FuzzHarness

/// Metadata of a track: any bytes are items or an error, and reading ends.
enum DMAPTarget: FuzzTarget {
    static let name = "dmap"

    static var seeds: [String: [UInt8]] {
        let track =
            item("minm", Array("Title".utf8)) + item("asar", [0xC3, 0xBC, 0xFF]) + item("asal", []) + item("asgn", [65])
            + item("astm", [0, 2, 0xBF, 0x20])
        return [
            "track": item("mlit", track),
            "deep": (0..<8).reduce(track) { body, _ in item("mlit", body) },
            "siblings": item("mcon", item("mlit", track) + item("mlit", [])) + track,
            "beyond": Array("mlit".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + track,
            "inner": Array("mlit".utf8) + [0, 0, 0, 9] + Array("minm".utf8) + [0, 0, 0, 5] + Array("Title".utf8),
            "long": item("minm", [UInt8](repeating: 0xCC, count: 300))
                + item("asal", [UInt8](repeating: 65, count: 300)),
        ]
    }

    private static func item(_ code: String, _ content: [UInt8]) -> [UInt8] {
        Array(code.utf8) + [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    static func run(_ input: [UInt8]) {
        var reader = DMAPReader(input)
        var (count, length) = (0, 0)
        var isValid = true
        do throws(AirPlayError) {
            while let item = try reader.next() {
                count += 1
                length += 8 + item.content.count
                claim(input[item.content.indices] == item.content, "a content is a part of the input")
            }
        } catch {
            isValid = false
        }
        claim(count <= DMAPReader.maximumCount, "the number of items is limited")
        claim(length <= input.count, "no byte is in two items")
        let track = try? TrackMetadata(parsing: input)
        claim((track != nil) == (isValid && input.count <= TrackMetadata.maximumLength), "a track has valid items")
        for text in [track?.title, track?.artist, track?.album, track?.genre] {
            guard let text else { continue }
            claim((1...TrackMetadata.maximumTextLength).contains(text.utf8.count), "a string is not empty and limited")
        }
        if let duration = track?.duration { claim(duration > .zero, "a duration is positive") }
    }
}
