package import HAPCore

/// A request of a sender to what an app plays.
///
/// See `docs/cast.md`.
package enum MediaRequest: Sendable, Hashable {
    case load(LoadRequest)
    case getStatus
    case play
    case pause
    case stop
    /// `position` is in seconds; `isRelative` adds it to the present one; `plays` is `nil` if that does not change.
    case seek(position: Double, isRelative: Bool, plays: Bool?)
    /// `isFactor` multiplies the present rate.
    case setRate(Double, isFactor: Bool)
    case setVolume(JSONObject)
    case editTracks([Int]?)
    case skipAd
    case insert([JSONObject], before: Int?, current: CurrentItem?)
    case update(QueueUpdate)
    case remove([Int])
    case reorder([Int], before: Int?)
    case getItemIDs
    case getItems([Int])
    /// Items before and after one.
    case getRange(around: Int?, before: Int, after: Int)
    /// The request has another type, or lacks something, for this reason.
    case invalid(String)

    /// What is to be loaded.
    package struct LoadRequest: Sendable, Hashable {
        package var items: [JSONObject]
        /// The position in ``items`` of the first item to play.
        package var start = 0
        package var repeatMode: RepeatMode?
        /// `nil` for that of the item.
        package var autoplay: Bool?
        /// The seconds at which it begins; `nil` for those of the item.
        package var position: Double?
        package var rate: Double?
        package var activeTrackIDs: [Int]?

        package init(items: [JSONObject]) {
            self.items = items
        }
    }

    /// The item of an insertion that is played at once.
    package enum CurrentItem: Sendable, Hashable {
        /// An item with this id.
        case id(Int)
        /// The inserted item at this index.
        case inserted(Int)
    }

    /// A change of a queue.
    package struct QueueUpdate: Sendable, Hashable {
        package var items: [JSONObject]
        /// How many items to go forward, or backward if negative.
        package var jump: Int?
        package var currentID: Int?
        package var position: Double?
        package var repeatMode: RepeatMode?
        package var shuffle: Bool?

        package init(
            items: [JSONObject] = [],
            jump: Int? = nil,
            currentID: Int? = nil,
            position: Double? = nil,
            repeatMode: RepeatMode? = nil,
            shuffle: Bool? = nil
        ) {
            (self.items, self.jump, self.currentID) = (items, jump, currentID)
            (self.position, self.repeatMode, self.shuffle) = (position, repeatMode, shuffle)
        }
    }

    /// A request to go forward in the queue, or backward if negative.
    package static func jump(by count: Int) -> MediaRequest { .update(QueueUpdate(jump: count)) }

    package init(_ object: JSONObject) {
        let position = object.number("currentTime")
        switch object.text("type") {
        case "LOAD": self = Self.load(object)
        case "QUEUE_LOAD":
            guard let items = object.objects("items"), !items.isEmpty else {
                self = .invalid("INVALID_PARAMS")
                return
            }
            var request = LoadRequest(items: items)
            request.start = object.integer("startIndex") ?? 0
            request.position = position
            request.repeatMode = object.text("repeatMode").flatMap { RepeatMode(rawValue: $0) }
            self = .load(request)
        case "GET_STATUS": self = .getStatus
        case "PLAY": self = .play
        case "PAUSE": self = .pause
        case "STOP": self = .stop
        case "SEEK":
            let plays: Bool? =
                switch object.text("resumeState") {
                case "PLAYBACK_START": true
                case "PLAYBACK_PAUSE": false
                default: nil
                }
            if let position {
                self = .seek(position: position, isRelative: false, plays: plays)
            } else if let distance = object.number("relativeTime") {
                self = .seek(position: distance, isRelative: true, plays: plays)
            } else {
                self = .invalid("INVALID_PARAMS")
            }
        case "SET_PLAYBACK_RATE":
            if let rate = object.number("playbackRate") {
                self = .setRate(rate, isFactor: false)
            } else if let factor = object.number("relativePlaybackRate") {
                self = .setRate(factor, isFactor: true)
            } else {
                self = .invalid("INVALID_PARAMS")
            }
        case "SET_VOLUME": self = object.object("volume").map { .setVolume($0) } ?? .invalid("INVALID_PARAMS")
        case "EDIT_TRACKS_INFO": self = .editTracks(object.integers("activeTrackIds"))
        case "SKIP_AD": self = .skipAd
        default: self = Self.queueRequest(object)
        }
    }

    private static func load(_ object: JSONObject) -> MediaRequest {
        var request = LoadRequest(items: [])
        request.autoplay = object.truth("autoplay")
        request.position = object.number("currentTime")
        request.rate = object.number("playbackRate")
        request.activeTrackIDs = object.integers("activeTrackIds")
        if let queue = object.object("queueData"), let items = queue.objects("items"), !items.isEmpty {
            request.items = items
            request.start = queue.integer("startIndex") ?? 0
            request.repeatMode = queue.text("repeatMode").flatMap { RepeatMode(rawValue: $0) }
            request.position = request.position ?? queue.number("startTime")
        } else if let media = object.object("media") {
            var item: JSONObject = ["media": .object(media)]
            item["customData"] = object["customData"]
            request.items = [item]
        } else {
            return .invalid("INVALID_PARAMS")
        }
        return .load(request)
    }

    private static func queueRequest(_ object: JSONObject) -> MediaRequest {
        switch object.text("type") {
        case "QUEUE_INSERT":
            guard let items = object.objects("items"), !items.isEmpty else { return .invalid("INVALID_PARAMS") }
            let current =
                object.integer("currentItemId").map { CurrentItem.id($0) }
                ?? object.integer("currentItemIndex").map { .inserted($0) }
            return .insert(items, before: object.integer("insertBefore"), current: current)
        case "QUEUE_UPDATE":
            return .update(
                QueueUpdate(
                    items: object.objects("items") ?? [],
                    jump: object.integer("jump"),
                    currentID: object.integer("currentItemId"),
                    position: object.number("currentTime"),
                    repeatMode: object.text("repeatMode").flatMap { RepeatMode(rawValue: $0) },
                    shuffle: object.flag("shuffle")
                )
            )
        case "QUEUE_REMOVE":
            return object.integers("itemIds").map { .remove($0) } ?? .invalid("INVALID_PARAMS")
        case "QUEUE_REORDER":
            guard let ids = object.integers("itemIds") else { return .invalid("INVALID_PARAMS") }
            return .reorder(ids, before: object.integer("insertBefore"))
        case "QUEUE_GET_ITEM_IDS": return .getItemIDs
        case "QUEUE_GET_ITEMS":
            return object.integers("itemIds").map { .getItems($0) } ?? .invalid("INVALID_PARAMS")
        case "QUEUE_GET_ITEM_RANGE":
            return .getRange(
                around: object.integer("itemId"),
                before: max(object.integer("prevCount") ?? 0, 0),
                after: max(object.integer("nextCount") ?? 0, 0)
            )
        default: return .invalid("INVALID_COMMAND")
        }
    }
}
