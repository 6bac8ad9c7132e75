package import HAPCore

/// What is played, as the sender has described it: the member `media` of LOAD and of a status.
///
/// Members that are unknown here are kept, because senders expect them in the status again.
///
/// See `docs/cast.md`.
package struct MediaInformation: Sendable, Hashable {
    package var object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object.withoutNulls
    }

    /// The id or the address of the content; empty if there is none.
    package var contentID: String { object.text("contentId") ?? object.text("contentUrl") ?? "" }

    /// The media type, such as `video/mp4`.
    package var contentType: String { object.text("contentType") ?? "" }

    /// Whether the content has no end, and cannot be sought.
    ///
    /// pychromecast says LIVE unless its user says otherwise, so a duration counts more.
    package var isLive: Bool { object.text("streamType") == "LIVE" && duration == nil }

    /// The seconds of the content, at least ``shortestDuration``; `nil` if they are unknown.
    package var duration: Double? { object.duration("duration") }

    /// The seconds of the shortest content, item or ad: a shorter one would only occupy the receiver.
    static let shortestDuration = 0.1

    package var title: String? { metadata?.text("title") ?? metadata?.text("songName") }

    /// The pictures of the content.
    package var images: [CastImage] { (metadata?.objects("images") ?? []).compactMap { CastImage($0) } }

    /// The ids of subtitles, and of other tracks.
    package var trackIDs: [Int] { (object.objects("tracks") ?? []).compactMap { $0.integer("trackId") } }

    private var metadata: JSONObject? { object.object("metadata") }
}

extension JSONObject {
    /// Returns a number of seconds that is above 0, or the shortest duration.
    func duration(_ key: String) -> Double? {
        number(key).flatMap { $0 > 0 ? max($0, MediaInformation.shortestDuration) : nil }
    }
}

/// A picture of a content, such as a poster.
package struct CastImage: Sendable, Hashable {
    package let url: String
    /// The size in pixels; `nil` if the sender has not said it.
    package let size: Size?

    package struct Size: Sendable, Hashable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
        }
    }

    package init(url: String, size: Size? = nil) {
        (self.url, self.size) = (url, size)
    }

    init?(_ object: JSONObject) {
        guard let url = object.text("url") else { return nil }
        var size: Size?
        if let width = object.integer("width"), let height = object.integer("height"), width > 0, height > 0 {
            size = Size(width: width, height: height)
        }
        self.init(url: url, size: size)
    }
}

extension [CastImage] {
    /// Returns the smallest picture that covers a size; if none does, the largest one; if no size is known, the first.
    ///
    /// Of pictures that are equally good, the first one is returned.
    package func best(for wanted: CastImage.Size) -> CastImage? {
        func area(_ size: CastImage.Size) -> Double { Double(size.width) * Double(size.height) }
        let known = compactMap { image in image.size.map { (image: image, size: $0) } }
        let covering = known.filter { $0.size.width >= wanted.width && $0.size.height >= wanted.height }
        return covering.min { area($0.size) < area($1.size) }?.image
            // Unlike `max`, this returns the first one of several.
            ?? known.min { area($0.size) > area($1.size) }?.image
            ?? first
    }
}
