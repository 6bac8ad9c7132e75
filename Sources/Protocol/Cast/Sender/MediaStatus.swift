public import HAPCore

/// What an app plays, as a sender sees it.
///
/// Members that are missing, or have another type than they should, are `nil`, empty, 0, or what is usual: a rate of 1.
///
/// See `docs/cast.md`.
public struct MediaStatus: Sendable, Hashable {
    /// The status as it was received, with members of earlier ones of the same session that it does not repeat.
    package let object: JSONObject
    /// When it was received.
    public let time: MonotonicInstant

    package init(_ object: JSONObject, at time: MonotonicInstant) {
        (self.object, self.time) = (object.withoutNulls, time)
    }

    /// The seconds of the latest position of a content whose duration is unknown.
    private static let longestPosition = 1e9

    /// The members that a receiver sends only when they change.
    private static let lastingKeys = ["media", "items", "queueData", "supportedMediaCommands", "volume"]

    /// Returns the status, with what it does not repeat from an earlier one.
    package func following(_ earlier: MediaStatus?) -> MediaStatus {
        guard let earlier, earlier.sessionID == sessionID else { return self }
        var object = object
        for key in Self.lastingKeys where object[key] == nil { object[key] = earlier.object[key] }
        return MediaStatus(object, at: time)
    }

    /// The number by which the receiver names what is played, from LOAD to its end.
    public var sessionID: Int { object.integer("mediaSessionId") ?? 0 }

    /// What the player does.
    public var playerState: PlayerState { object.text("playerState").flatMap { PlayerState(rawValue: $0) } ?? .idle }

    /// Why nothing is played; `nil` while something is.
    public var idleReason: IdleReason? { object.text("idleReason").flatMap { IdleReason(rawValue: $0) } }

    /// Whether the content is being loaded.
    public var isLoading: Bool { object.object("extendedStatus")?.text("playerState") == "LOADING" }

    /// What is played; `nil` if the receiver has not said it.
    public var media: MediaInformation? { object.object("media").map { MediaInformation($0) } }

    /// The rate that was set; 1 is normal.
    public var rate: Double { object.number("playbackRate") ?? 1 }

    /// The commands that the receiver accepts now.
    public var commands: MediaCommands { MediaCommands(rawValue: object.integer("supportedMediaCommands") ?? 0) }

    /// Whether the rate can be changed now.
    public var canChangeRate: Bool { commands.contains(.rate) && playerState != .idle }

    /// The volume of the stream, which is not that of the device.
    public var volume: CastVolume {
        var volume = CastVolume()
        volume.apply(object.object("volume") ?? [:])
        return volume
    }

    /// The ids of the tracks that are shown and heard.
    public var activeTrackIDs: [Int] { object.integers("activeTrackIds") ?? [] }

    /// The item of the queue that is played.
    public var currentItemID: Int? { object.integer("currentItemId") }

    /// The items next to the current one that the receiver has sent.
    public var items: [MediaQueueItem] { (object.objects("items") ?? []).compactMap { MediaQueueItem($0) } }

    /// What follows the last item.
    public var repeatMode: RepeatMode {
        (object.text("repeatMode") ?? object.object("queueData")?.text("repeatMode"))
            .flatMap { RepeatMode(rawValue: $0) } ?? .off
    }

    /// The ad that is played now; `nil` if it is the content.
    public var adBreak: AdBreakStatus? { object.object("breakStatus").flatMap { AdBreakStatus($0) } }

    /// The seconds of the content that had been played when the status was received.
    public var receivedPosition: Double { max(object.number("currentTime") ?? 0, 0) }

    /// Returns about how many seconds of the content have been played: the time since the status counts at its rate.
    public func position(at now: MonotonicInstant) -> Double {
        guard playerState == .playing, adBreak == nil else { return receivedPosition }
        let position = receivedPosition + max(time.duration(to: now) / .seconds(1), 0) * rate
        return min(max(position, 0), media?.duration ?? Self.longestPosition)
    }
}

/// The ad that is played.
public struct AdBreakStatus: Sendable, Hashable {
    /// The id of the break.
    public let breakID: String
    /// The id of the clip.
    public let clipID: String
    /// The seconds of the break that have been played.
    public let breakTime: Double
    /// The seconds of the clip that have been played.
    public let clipTime: Double
    /// The seconds of the clip after which it can be skipped; `nil` if it cannot.
    public let skippableAfter: Double?

    fileprivate init?(_ object: JSONObject) {
        guard let breakID = object.text("breakId") else { return nil }
        self.breakID = breakID
        clipID = object.text("breakClipId") ?? ""
        breakTime = object.number("currentBreakTime") ?? 0
        clipTime = object.number("currentBreakClipTime") ?? 0
        skippableAfter = object.number("whenSkippable").flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// An entry of a queue.
public struct MediaQueueItem: Sendable, Hashable {
    /// The number that the receiver gave it; `nil` for a new one.
    public var id: Int?
    /// What is played.
    public var media: MediaInformation
    /// Whether it plays when it is reached; `nil` for the usual: yes.
    public var autoplay: Bool?
    /// The second at which it begins; `nil` for 0.
    public var startTime: Double?

    /// Creates an item that no receiver has yet.
    public init(_ media: MediaInformation, autoplay: Bool? = nil, startTime: Double? = nil) {
        (self.media, self.autoplay, self.startTime) = (media, autoplay, startTime)
    }

    /// Reads an item; `nil` without a number.
    package init?(_ object: JSONObject) {
        guard let id = object.integer("itemId") else { return nil }
        self.id = id
        media = MediaInformation(object.object("media") ?? [:])
        (autoplay, startTime) = (object.truth("autoplay"), object.number("startTime"))
    }

    /// The item as it is loaded or added: the receiver numbers it.
    package var newObject: JSONObject {
        JSONObject([
            ("media", .object(media.object)),
            ("autoplay", autoplay.map { .bool($0) }), ("startTime", startTime.map { .real($0) }),
        ])
    }
}
