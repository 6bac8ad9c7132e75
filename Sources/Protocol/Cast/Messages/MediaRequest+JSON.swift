package import HAPCore

extension MediaRequest {
    /// The request as it is sent, without the numbers of the request and of the media session.
    package var object: JSONObject {
        switch self {
        case .load(let request): request.object
        case .getStatus: ["type": "GET_STATUS"]
        case .play: ["type": "PLAY"]
        case .pause: ["type": "PAUSE"]
        case .stop: ["type": "STOP"]
        case .seek(let position, let isRelative, let plays):
            JSONObject([
                ("type", "SEEK"), (isRelative ? "relativeTime" : "currentTime", .real(position)),
                ("resumeState", plays.map { $0 ? "PLAYBACK_START" : "PLAYBACK_PAUSE" }),
            ])
        case .setRate(let rate, let isFactor):
            ["type": "SET_PLAYBACK_RATE", isFactor ? "relativePlaybackRate" : "playbackRate": .real(rate)]
        case .setVolume(let volume): ["type": "SET_VOLUME", "volume": .object(volume)]
        case .editTracks(let ids):
            JSONObject([("type", "EDIT_TRACKS_INFO"), ("activeTrackIds", ids.map { .integers($0) })])
        case .skipAd: ["type": "SKIP_AD"]
        case .insert(let items, let id, let current):
            switch current {
            case .id(let current): Self.insertion(items, id, ("currentItemId", .integer(current)))
            case .inserted(let index): Self.insertion(items, id, ("currentItemIndex", .integer(index)))
            case nil: Self.insertion(items, id, ("currentItemId", nil))
            }
        case .update(let update): update.object
        case .remove(let ids): ["type": "QUEUE_REMOVE", "itemIds": .integers(ids)]
        case .reorder(let ids, let id):
            JSONObject([
                ("type", "QUEUE_REORDER"), ("itemIds", .integers(ids)), ("insertBefore", id.map { .integer($0) }),
            ])
        case .getItemIDs: ["type": "QUEUE_GET_ITEM_IDS"]
        case .getItems(let ids): ["type": "QUEUE_GET_ITEMS", "itemIds": .integers(ids)]
        case .getRange(let id, let before, let after):
            JSONObject([
                ("type", "QUEUE_GET_ITEM_RANGE"), ("itemId", id.map { .integer($0) }),
                ("prevCount", before > 0 ? .integer(before) : nil), ("nextCount", after > 0 ? .integer(after) : nil),
            ])
        case .invalid: ["type": "INVALID"]
        }
    }

    private static func insertion(
        _ items: [JSONObject],
        _ id: Int?,
        _ current: (String, JSONValue?)
    ) -> JSONObject {
        JSONObject([
            ("type", "QUEUE_INSERT"), ("items", .array(items.map { .object($0) })),
            ("insertBefore", id.map { .integer($0) }), current,
        ])
    }
}

extension MediaRequest.LoadRequest {
    /// A single item is loaded by `media`, which every receiver knows, and several by `queueData`.
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "LOAD"]
        if items.count == 1, repeatMode == nil, let item = items.first {
            object["media"] = item["media"]
            object["customData"] = item["customData"]
            (object["autoplay"], object["currentTime"]) = (item["autoplay"], item["startTime"])
        } else {
            let queue = JSONObject([
                ("items", .array(items.map { .object($0) })), ("startIndex", .integer(start)),
                ("repeatMode", repeatMode.map { .string($0.rawValue) }),
            ])
            object["media"] = items.indices.contains(start) ? items[start]["media"] : nil
            object["queueData"] = .object(queue)
        }
        if let autoplay { object["autoplay"] = .bool(autoplay) }
        if let position { object["currentTime"] = .real(position) }
        object["playbackRate"] = rate.map { .real($0) }
        object["activeTrackIds"] = activeTrackIDs.map { .integers($0) }
        return object
    }
}

extension MediaRequest.QueueUpdate {
    fileprivate var object: JSONObject {
        JSONObject([
            ("type", "QUEUE_UPDATE"), ("items", items.isEmpty ? nil : .array(items.map { .object($0) })),
            ("jump", jump.map { .integer($0) }), ("currentItemId", currentID.map { .integer($0) }),
            ("currentTime", position.map { .real($0) }), ("repeatMode", repeatMode.map { .string($0.rawValue) }),
            ("shuffle", shuffle.map { .bool($0) }),
        ])
    }
}

extension ReceiverRequest {
    /// The request as it is sent, without its number.
    package var object: JSONObject {
        switch self {
        case .getStatus: ["type": "GET_STATUS"]
        case .launch(let id): ["type": "LAUNCH", "appId": .string(id)]
        case .stop(let id): JSONObject([("type", "STOP"), ("sessionId", id.map { .string($0) })])
        case .setVolume(let volume): ["type": "SET_VOLUME", "volume": .object(volume)]
        case .getAvailability(let ids):
            ["type": "GET_APP_AVAILABILITY", "appId": .array(ids.map { .string($0) })]
        case .invalid: ["type": "INVALID"]
        }
    }
}

extension JSONObject {
    /// Creates an object from the members that have a value.
    init(_ members: [(key: String, value: JSONValue?)]) {
        self.init(uniqueMembers: members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }
}

extension JSONValue {
    static func integers(_ values: [Int]) -> JSONValue { .array(values.map { .integer($0) }) }
}
