package import HAPCore

/// What is played: the member `media` of LOAD and of a status.
///
/// Members that have no property here are kept, because senders expect them in the status again.
///
/// See `docs/cast.md`.
public struct MediaInformation: Sendable, Hashable {
    package var object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object.withoutNulls
    }

    /// - Parameters:
    ///   - contentID: The address of the content, or an id that the app knows.
    ///   - contentType: The media type, such as `video/mp4`.
    public init(contentID: String, contentType: String, title: String? = nil) {
        object = ["contentId": .string(contentID), "contentType": .string(contentType), "streamType": "BUFFERED"]
        self.title = title
    }

    /// The id or the address of the content; empty if there is none.
    public var contentID: String {
        get { object.text("contentId") ?? object.text("contentUrl") ?? "" }
        set { object["contentId"] = .string(newValue) }
    }

    /// The media type, such as `video/mp4`.
    public var contentType: String {
        get { object.text("contentType") ?? "" }
        set { object["contentType"] = .string(newValue) }
    }

    /// Whether the content has no end, and cannot be sought.
    ///
    /// pychromecast says LIVE unless its user says otherwise, so a duration counts more.
    public var isLive: Bool {
        get { object.text("streamType") == "LIVE" && duration == nil }
        set { object["streamType"] = newValue ? "LIVE" : "BUFFERED" }
    }

    /// The seconds of the content, at least 0.1; `nil` if they are unknown.
    public var duration: Double? {
        get { object.duration("duration") }
        set { object["duration"] = newValue.map { .real($0) } }
    }

    /// The seconds of the shortest content, item or ad: a shorter one would only occupy the receiver.
    static let shortestDuration = 0.1

    /// The title, or the name of a song.
    public var title: String? {
        get { metadata.text("title") ?? metadata.text("songName") }
        set { setMetadata("title", newValue.map { .string($0) }) }
    }

    /// The line under the title.
    public var subtitle: String? {
        get { metadata.text("subtitle") }
        set { setMetadata("subtitle", newValue.map { .string($0) }) }
    }

    /// The pictures of the content.
    public var images: [CastImage] {
        get { (metadata.objects("images") ?? []).compactMap { CastImage($0) } }
        set { setMetadata("images", newValue.isEmpty ? nil : .array(newValue.map { .object($0.object) })) }
    }

    /// The ad breaks; one without clips, and what is not a break, is left out.
    public var adBreaks: [AdBreak] {
        get { AdBreaks(of: self).breaks }
        set {
            object["breaks"] = newValue.isEmpty ? nil : .array(newValue.map { .object($0.object) })
            var ids: Set<String> = []
            let clips = newValue.flatMap(\.clips).filter { ids.insert($0.id).inserted }
            object["breakClips"] = clips.isEmpty ? nil : .array(clips.map { .object($0.object) })
        }
    }

    /// Data for the app, as the text of a JSON value; setting a text that is not JSON sets none.
    public var customData: String? {
        get { object["customData"].map { String(decoding: $0.encoded, as: UTF8.self) } }
        set { object["customData"] = newValue.flatMap { try? JSONValue(parsing: Array($0.utf8)) } }
    }

    /// The ids of subtitles, and of other tracks.
    public var trackIDs: [Int] { (object.objects("tracks") ?? []).compactMap { $0.integer("trackId") } }

    private var metadata: JSONObject { object.object("metadata") ?? [:] }

    private mutating func setMetadata(_ key: String, _ value: JSONValue?) {
        var metadata = metadata
        if metadata["metadataType"] == nil { metadata["metadataType"] = 0 }
        metadata[key] = value
        object["metadata"] = .object(metadata)
    }
}

extension JSONObject {
    /// Returns a number of seconds that is above 0, or the shortest duration.
    func duration(_ key: String) -> Double? {
        number(key).flatMap { $0 > 0 ? max($0, MediaInformation.shortestDuration) : nil }
    }
}
