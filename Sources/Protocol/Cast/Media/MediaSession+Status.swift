package import HAPCore

/// The commands that a content can be given, as a status lists them.
///
/// See `docs/cast.md`.
public struct MediaCommands: OptionSet, Sendable, Hashable {
    /// The sum of the bits of a status.
    public let rawValue: Int

    /// Creates a set from the bits of a status.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Pause, and play again.
    public static let pause = MediaCommands(rawValue: 1)
    /// Jump to a position.
    public static let seek = MediaCommands(rawValue: 2)
    /// Set the volume of the stream.
    public static let volume = MediaCommands(rawValue: 4)
    /// Mute the stream.
    public static let mute = MediaCommands(rawValue: 8)
    /// Play the next item.
    public static let next = MediaCommands(rawValue: 64)
    /// Play the previous item.
    public static let previous = MediaCommands(rawValue: 128)
    /// Put the items in a random order.
    public static let shuffle = MediaCommands(rawValue: 256)
    /// Skip the ad.
    public static let skipAd = MediaCommands(rawValue: 512)
    /// Repeat all items.
    public static let repeatAll = MediaCommands(rawValue: 1_024)
    /// Repeat one item.
    public static let repeatOne = MediaCommands(rawValue: 2_048)
    /// Choose tracks.
    public static let editTracks = MediaCommands(rawValue: 4_096)
    /// Change the rate.
    public static let rate = MediaCommands(rawValue: 8_192)
}

/// What a player does.
public enum PlayerState: String, Sendable, Hashable, CaseIterable {
    case idle = "IDLE"
    case playing = "PLAYING"
    case paused = "PAUSED"
    case buffering = "BUFFERING"
}

/// Why a player has nothing to play.
public enum IdleReason: String, Sendable, Hashable, CaseIterable {
    /// A sender has stopped it.
    case cancelled = "CANCELLED"
    /// Another content was loaded.
    case interrupted = "INTERRUPTED"
    /// The content has ended.
    case finished = "FINISHED"
    /// The content could not be played.
    case error = "ERROR"
}

extension MediaSession {
    /// The commands that can be given now.
    package func commands(at now: MonotonicInstant) -> MediaCommands {
        var commands: MediaCommands = [.pause, .volume, .mute, .editTracks]
        let ad = adStatus(at: now)
        if !media.isLive && ad == nil { commands.insert(.seek) }
        if !media.isLive && allowsRates { commands.insert(.rate) }
        if ad?.clip.skippableAfter != nil { commands.insert(.skipAd) }
        if queue.items.count > 1 { commands.formUnion([.shuffle, .repeatAll, .repeatOne]) }
        let (isAfterFirst, isBeforeLast) = queue.neighbors
        if isBeforeLast { commands.insert(.next) }
        if isAfterFirst { commands.insert(.previous) }
        return commands
    }

    /// The state as senders see it.
    ///
    /// - Parameter isComplete: Whether the content and the items are in it, which may be too long for a message.
    package func status(at now: MonotonicInstant, isComplete: Bool = true) -> JSONObject {
        var status: JSONObject = [
            "mediaSessionId": .integer(id), "playbackRate": .real(rate), "playerState": .string(state.rawValue),
            "currentTime": .real(position(at: now)), "supportedMediaCommands": .integer(commands(at: now).rawValue),
            "volume": .object(["level": .real(volume.level), "muted": .bool(volume.isMuted)]),
            "activeTrackIds": .array(activeTrackIDs.map { .integer($0) }),
        ]
        if let idleReason { status["idleReason"] = .string(idleReason.rawValue) }
        if isLoading { status["extendedStatus"] = .object(["playerState": "LOADING", "mediaSessionId": .integer(id)]) }
        if isComplete {
            status["media"] = .object(media.object)
        } else {
            let members = media.object.members.filter { ["contentId", "contentType", "duration"].contains($0.key) }
            status["media"] = .object(JSONObject(uniqueMembers: members))
        }
        if let current = queue.currentID { status["currentItemId"] = .integer(current) }
        if isLoading { status["loadingItemId"] = status["currentItemId"] }
        if isComplete { status["items"] = .array(queue.window.map { .object($0.json) }) }
        status["repeatMode"] = .string(queue.repeatMode.rawValue)
        status["queueData"] = .object([
            "repeatMode": .string(queue.repeatMode.rawValue), "shuffle": .bool(queue.isShuffled),
        ])
        if let ad = adStatus(at: now) {
            var breakStatus: JSONObject = [
                "breakId": .string(ad.pause.id), "breakClipId": .string(ad.clip.id),
                "currentBreakTime": .real(ad.breakTime), "currentBreakClipTime": .real(ad.clipTime),
            ]
            if let after = ad.clip.skippableAfter { breakStatus["whenSkippable"] = .real(after) }
            status["breakStatus"] = .object(breakStatus)
        }
        return status
    }
}
