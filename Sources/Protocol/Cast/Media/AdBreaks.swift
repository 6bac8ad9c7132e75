internal import HAPCore

/// A break in a content in which ads are played.
///
/// See `docs/cast.md`.
public struct AdBreak: Sendable, Hashable {
    /// The id, by which a status names the break.
    public let id: String
    /// The clips of the break, in their order.
    public let clips: [AdClip]
    /// The seconds of the content before the break: 0 is before the content, and a negative number is after it.
    public let position: Double
    /// Whether the ads are a part of the content, which goes on meanwhile.
    public let isEmbedded: Bool
    /// Whether the break has begun already, so that it is not played.
    public let isWatched: Bool

    /// Creates a break.
    public init(
        id: String,
        clips: [AdClip],
        position: Double,
        isEmbedded: Bool = false,
        isWatched: Bool = false
    ) {
        (self.id, self.clips, self.position) = (id, clips, position)
        (self.isEmbedded, self.isWatched) = (isEmbedded, isWatched)
    }

    /// The seconds of all clips.
    public var duration: Double { clips.reduce(0) { $0 + $1.duration } }

    var object: JSONObject {
        [
            "id": .string(id), "breakClipIds": .array(clips.map { .string($0.id) }), "position": .real(position),
            "duration": .real(duration), "isEmbedded": .bool(isEmbedded), "isWatched": .bool(isWatched),
        ]
    }
}

/// A clip of an ad break.
public struct AdClip: Sendable, Hashable {
    /// The seconds of a clip for which a sender has given none.
    static let usualDuration = 15.0

    /// The id, by which a status names the clip.
    public let id: String
    /// What the receiver shows while the clip is played.
    public var title: String?
    /// The address of a picture.
    public var posterURL: String?
    /// The seconds of the clip.
    public let duration: Double
    /// The seconds after which the clip can be skipped; `nil` if it cannot.
    public var skippableAfter: Double?
    /// The address of the clip.
    public var contentID: String?
    /// The media type of the clip.
    public var contentType: String?
    /// The address of a page about what is advertised.
    public var clickThroughURL: String?

    /// Creates a clip.
    public init(id: String, title: String? = nil, duration: Double, skippableAfter: Double? = nil) {
        (self.id, self.title, self.duration, self.skippableAfter) = (id, title, duration, skippableAfter)
    }

    /// Reads a clip; `nil` without an id.
    fileprivate init?(_ object: JSONObject) {
        guard let id = object.text("id") else { return nil }
        self.init(
            id: id,
            title: object.text("title"),
            duration: object.duration("duration") ?? Self.usualDuration,
            skippableAfter: object.number("whenSkippable").flatMap { $0 >= 0 ? $0 : nil }
        )
        (posterURL, contentID) = (object.text("posterUrl"), object.text("contentId") ?? object.text("contentUrl"))
        (contentType, clickThroughURL) = (object.text("contentType"), object.text("clickThroughUrl"))
    }

    var object: JSONObject {
        var object: JSONObject = ["id": .string(id), "duration": .real(duration)]
        object["title"] = title.map { .string($0) }
        object["posterUrl"] = posterURL.map { .string($0) }
        object["whenSkippable"] = skippableAfter.map { .real($0) }
        object["contentId"] = contentID.map { .string($0) }
        object["contentType"] = contentType.map { .string($0) }
        object["clickThroughUrl"] = clickThroughURL.map { .string($0) }
        return object
    }
}

/// The ad breaks of a content.
package struct AdBreaks: Sendable, Hashable {
    /// The maximum number of breaks.
    static let maximumCount = 100
    /// The maximum number of clips of all breaks.
    static let maximumClips = 500

    package let breaks: [AdBreak]
    /// The positions in ``breaks`` of those that have begun.
    package private(set) var watched: Set<Int> = []
    private let embeddedBoundaries: [Double]

    /// Reads the breaks of a content; one without clips, and what is not a break, is left out.
    package init(of media: MediaInformation) {
        var clips: [String: AdClip] = [:]
        for object in (media.object.objects("breakClips") ?? []).prefix(Self.maximumClips) {
            guard let clip = AdClip(object) else { continue }
            clips[clip.id] = clip
        }
        var breaks: [AdBreak] = []
        for object in (media.object.objects("breaks") ?? []).prefix(Self.maximumCount) {
            let room = Self.maximumClips - breaks.reduce(0) { $0 + $1.clips.count }
            let own = (object.texts("breakClipIds") ?? []).prefix(room).compactMap { clips[$0] }
            guard let id = object.text("id"), !own.isEmpty else { continue }
            breaks.append(
                AdBreak(
                    id: id,
                    clips: own,
                    position: object.number("position") ?? 0,
                    isEmbedded: object.flag("isEmbedded") ?? false,
                    isWatched: object.flag("isWatched") ?? false
                )
            )
        }
        self.breaks = breaks
        watched = Set(breaks.indices.filter { breaks[$0].isWatched })
        embeddedBoundaries = breaks.filter { $0.isEmbedded && $0.position >= 0 }
            .flatMap { pause in
                pause.clips.reduce(into: [pause.position]) { $0.append(($0.last ?? 0) + $1.duration) }
            }
            .sorted()
    }

    mutating func watch(_ index: Int) { watched.insert(index) }

    /// Returns the first break that has not begun, and is at a position after `start`, or at it.
    ///
    /// Breaks after the content, and embedded ones, are not meant.
    func next(from start: Double) -> Int? {
        unwatched.filter { breaks[$0].position >= start }.min { breaks[$0].position < breaks[$1].position }
    }

    /// Returns the break to play before a jump ends: of those between, the one nearest to its end.
    func next(between start: Double, and end: Double) -> Int? {
        unwatched.filter { start < breaks[$0].position && breaks[$0].position <= end }
            .max { breaks[$0].position < breaks[$1].position }
    }

    /// Returns the first break after the content that has not begun.
    ///
    /// - Parameter duration: The seconds of the content.
    func next(afterContentOf duration: Double) -> Int? {
        breaks.indices.first { index in
            let position = breaks[index].position
            return !watched.contains(index) && !breaks[index].isEmbedded && (position < 0 || position >= duration)
        }
    }

    /// Returns the embedded break at a position of the content, and the seconds since its beginning.
    func embedded(at position: Double) -> (index: Int, offset: Double)? {
        breaks.indices
            .first { index in
                let start = breaks[index].position
                return breaks[index].isEmbedded && start >= 0
                    && (start..<start + breaks[index].duration).contains(position)
            }
            .map { ($0, position - breaks[$0].position) }
    }

    /// Returns the next position after `position` at which an embedded break or one of its clips begins or ends.
    func embeddedBoundary(after position: Double) -> Double? { embeddedBoundaries.first { $0 > position } }

    private var unwatched: [Int] {
        breaks.indices.filter { !watched.contains($0) && !breaks[$0].isEmbedded && breaks[$0].position >= 0 }
    }
}

extension AdBreak {
    /// Returns the clip at a number of seconds after the beginning of the break, and the seconds since its beginning.
    func clip(at offset: Double) -> (index: Int, offset: Double) {
        var rest = offset
        for (index, clip) in clips.enumerated() {
            if rest < clip.duration { return (index, rest) }
            rest -= clip.duration
        }
        return (clips.count - 1, clips.last?.duration ?? 0)
    }
}
