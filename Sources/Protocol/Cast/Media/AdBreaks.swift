internal import HAPCore

/// A break in a content in which ads are played.
///
/// See `docs/cast.md`.
package struct AdBreak: Sendable, Hashable {
    package let id: String
    /// The clips of the break, in their order.
    package let clips: [AdClip]
    /// The seconds of the content before the break: 0 is before the content, and a negative number is after it.
    package let position: Double
    /// Whether the ads are a part of the content, which goes on meanwhile.
    package let isEmbedded: Bool

    /// The seconds of all clips.
    package var duration: Double { clips.reduce(0) { $0 + $1.duration } }
}

/// A clip of an ad break.
package struct AdClip: Sendable, Hashable {
    /// The seconds of a clip for which a sender has given none.
    static let usualDuration = 15.0

    package let id: String
    package let title: String?
    package let duration: Double
    /// The seconds after which the clip can be skipped; `nil` if it cannot.
    package let skippableAfter: Double?
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
            guard let id = object.text("id") else { continue }
            let duration = object.duration("duration") ?? AdClip.usualDuration
            let skippable = object.number("whenSkippable").flatMap { $0 >= 0 ? $0 : nil }
            clips[id] = AdClip(id: id, title: object.text("title"), duration: duration, skippableAfter: skippable)
        }
        var breaks: [AdBreak] = []
        var watched: Set<Int> = []
        for object in (media.object.objects("breaks") ?? []).prefix(Self.maximumCount) {
            let room = Self.maximumClips - breaks.reduce(0) { $0 + $1.clips.count }
            let own = (object.texts("breakClipIds") ?? []).prefix(room).compactMap { clips[$0] }
            guard let id = object.text("id"), !own.isEmpty else { continue }
            if object.flag("isWatched") == true { watched.insert(breaks.count) }
            breaks.append(
                AdBreak(
                    id: id,
                    clips: own,
                    position: object.number("position") ?? 0,
                    isEmbedded: object.flag("isEmbedded") ?? false
                )
            )
        }
        (self.breaks, self.watched) = (breaks, watched)
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
