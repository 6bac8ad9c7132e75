/// A playlist of HTTP Live Streaming: a choice of variants, or the segments of one of them.
///
/// [HTTP Live Streaming](https://www.rfc-editor.org/rfc/rfc8216)
package enum HLSPlaylist: Sendable, Hashable {
    /// A playlist that lists variants of a presentation.
    case master(HLSMasterPlaylist)
    /// A playlist that lists segments.
    case media(HLSMediaPlaylist)

    /// The maximum number of bytes of a playlist.
    package static let maximumLength = 1 << 20
    /// The maximum number of segments of a playlist.
    package static let maximumSegmentCount = 10_000
    /// The maximum number of variants, and of renditions, of a playlist.
    package static let maximumVariantCount = 512

    /// Reads a playlist.
    ///
    /// Unknown tags and comments are ignored.
    ///
    /// - Throws: ``AirPlayError`` if the playlist exceeds a limit, does not begin with `#EXTM3U`, has neither variants
    ///   nor segments or has both, or if a tag that is used here is malformed.
    package init(parsing bytes: [UInt8]) throws(AirPlayError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        var lines = LineReader(bytes)
        guard var first = lines.next() else { throw .malformed("A playlist is empty.") }
        // Some servers send a byte order mark.
        if first.unicodeScalars.first == "\u{FEFF}" { first.unicodeScalars.removeFirst() }
        guard first == "#EXTM3U" else { throw .malformed("A playlist does not begin with #EXTM3U.") }
        var master = HLSMasterPlaylist.Reader()
        var media = HLSMediaPlaylist.Reader()
        while let line = lines.next() {
            guard !line.isEmpty else { continue }
            if line.utf8.first != UInt8(ascii: "#") {
                if try !master.readURL(line) { try media.readURL() }
            } else if let tag = Tag(line) {
                try master.read(tag)
                try media.read(tag)
            }
        }
        switch (master.playlist, media.playlist) {
        case (let playlist?, nil): self = .master(playlist)
        case (nil, let playlist?): self = .media(playlist)
        case (nil, nil): throw .malformed("A playlist has neither variants nor segments.")
        case (_?, _?): throw .malformed("A playlist has both variants and segments.")
        }
    }

    /// A line that begins with `#EXT`.
    struct Tag {
        /// The name with its `#`.
        let name: Substring
        /// What follows the colon; empty if there is none.
        let value: Substring

        init?(_ line: String) {
            guard line.utf8.starts(with: "#EXT".utf8) else { return nil }
            let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            name = line[..<colon]
            value = colon < line.endIndex ? line[line.utf8.index(after: colon)...] : ""
        }
    }
}
