/// A playlist that lists the segments of a stream.
///
/// [Media playlist tags](https://www.rfc-editor.org/rfc/rfc8216#section-4.3.3)
package struct HLSMediaPlaylist: Sendable, Hashable {
    /// Whether segments can be added or removed.
    package enum Kind: String, Sendable, Hashable {
        /// Segments can be added at the end.
        case event = "EVENT"
        /// The playlist does not change.
        case onDemand = "VOD"
    }

    /// The number of segments.
    package fileprivate(set) var segmentCount = 0
    /// The sum of the lengths of the segments.
    package fileprivate(set) var duration = Duration.zero
    /// The maximum length of a segment; `nil` if it is not given.
    package fileprivate(set) var targetDuration: Duration?
    /// The number of the first segment.
    package fileprivate(set) var mediaSequence = 0
    /// The number of places at which the form of the media changes.
    package fileprivate(set) var discontinuityCount = 0
    /// Whether the playlist names its end.
    package fileprivate(set) var hasEnd = false
    /// Whether segments can be added or removed; `nil` if both can be done.
    package fileprivate(set) var kind: Kind?
    /// Whether a segment is encrypted.
    package fileprivate(set) var isEncrypted = false

    /// Whether the stream goes on, so that players must read the playlist again.
    package var isLive: Bool { !hasEnd && kind != .onDemand }
}

extension HLSMediaPlaylist {
    /// Collects the tags of a media playlist.
    struct Reader {
        private var result = HLSMediaPlaylist()
        private var nanoseconds: Int64 = 0
        /// The length of the segment whose reference is in the next line.
        private var pending: Int64?
        private var isMedia = false

        /// The playlist; `nil` if no tag of a media playlist was read.
        var playlist: HLSMediaPlaylist? {
            guard isMedia else { return nil }
            var playlist = result
            playlist.duration = .nanoseconds(nanoseconds)
            return playlist
        }

        mutating func read(_ tag: HLSPlaylist.Tag) throws(AirPlayError) {
            switch tag.name {
            case "#EXTINF":
                let length = tag.value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).first
                guard let length = length?.trimmed.decimalNanoseconds else {
                    throw .malformed("A segment of a playlist has no length from 0 to 86,400 s.")
                }
                pending = length
            case "#EXT-X-TARGETDURATION":
                guard let length = tag.value.trimmed.decimalNanoseconds else {
                    throw .malformed("The target duration of a playlist is not a number from 0 to 86,400.")
                }
                result.targetDuration = .nanoseconds(length)
            case "#EXT-X-MEDIA-SEQUENCE":
                guard let number = tag.value.trimmed.decimalInteger else {
                    throw .malformed("The media sequence of a playlist is not a number.")
                }
                result.mediaSequence = number
            case "#EXT-X-DISCONTINUITY": result.discontinuityCount += 1
            case "#EXT-X-ENDLIST": result.hasEnd = true
            case "#EXT-X-PLAYLIST-TYPE": result.kind = Kind(rawValue: String(tag.value.trimmed))
            case "#EXT-X-KEY":
                let method = try HLSAttributeList(parsing: tag.value)["METHOD"]
                if method != "NONE" { result.isEncrypted = true }
            default: return
            }
            isMedia = true
        }

        /// Reads a line that is not a tag.
        mutating func readURL() throws(AirPlayError) {
            guard let length = pending else { throw .malformed("A segment of a playlist has no length.") }
            pending = nil
            guard result.segmentCount < HLSPlaylist.maximumSegmentCount else {
                throw .tooLong(limit: HLSPlaylist.maximumSegmentCount)
            }
            result.segmentCount += 1
            // At most 10,000 segments of 86,400 s.
            nanoseconds += length
        }
    }
}
