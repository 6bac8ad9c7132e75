package import HAPCore

/// The commands that a content can be given, as a status lists them.
///
/// See `docs/cast.md`.
package struct MediaCommands: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let pause = MediaCommands(rawValue: 1)
    package static let seek = MediaCommands(rawValue: 2)
    package static let volume = MediaCommands(rawValue: 4)
    package static let mute = MediaCommands(rawValue: 8)
    package static let next = MediaCommands(rawValue: 64)
    package static let previous = MediaCommands(rawValue: 128)
    package static let shuffle = MediaCommands(rawValue: 256)
    package static let skipAd = MediaCommands(rawValue: 512)
    package static let repeatAll = MediaCommands(rawValue: 1_024)
    package static let repeatOne = MediaCommands(rawValue: 2_048)
    package static let editTracks = MediaCommands(rawValue: 4_096)
    package static let rate = MediaCommands(rawValue: 8_192)
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
