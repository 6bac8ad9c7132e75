package import HAPCore

/// What the running app plays, and the requests in the namespace `media`.
///
/// See `docs/cast.md`.
extension CastReceiver {
    mutating func handle(_ request: MediaRequest, _ incoming: IncomingRequest, at now: MonotonicInstant) {
        reportRequest(request, incoming)
        do throws(MediaRefusal) {
            if case .load(let load) = request {
                return try self.load(load, for: incoming.waiting, failure: incoming.faults.loadFailure, at: now)
            }
            if case .invalid(let reason) = request { throw .invalidRequest(reason) }
            if let answer = try answer(to: request) { return reply(answer, to: incoming) }
            if request != .getStatus {
                if let id = incoming.object.integer("mediaSessionId"), id != running?.media?.id {
                    throw .invalidRequest("INVALID_MEDIA_SESSION_ID")
                }
                try perform(request, at: now)
            }
            reply(mediaStatus(at: now), to: incoming)
            publishMedia(at: now, except: incoming.peer)
        } catch {
            var answer = Self.refusal(error)
            // pychromecast ignores a failure without it.
            if case .load(let load) = request, case .loadFailed = error { answer["itemId"] = .integer(load.start &+ 1) }
            reply(answer, to: incoming)
            publishMedia(at: now)
        }
    }

    private mutating func reportRequest(_ request: MediaRequest, _ incoming: IncomingRequest) {
        let type = incoming.object.text("type") ?? ""
        var details = ["sender": incoming.peer.id]
        switch request {
        case .getStatus, .getItemIDs, .getItems, .getRange, .invalid: return
        case .load(let load):
            let item = load.items.indices.contains(load.start) ? load.items[load.start] : JSONObject()
            let media = MediaInformation(item.object("media") ?? JSONObject())
            details["contentId"] = media.contentID
            details["contentType"] = media.contentType
            details["title"] = media.title
        case .seek(let position, _, _): details["currentTime"] = JSONNumber(position).map { "\($0)" }
        case .setRate(let rate, _): details["playbackRate"] = JSONNumber(rate).map { "\($0)" }
        default: break
        }
        report(type, details)
    }

    private static func refusal(_ refusal: MediaRefusal) -> JSONObject {
        switch refusal {
        case .invalidPlayerState: ["type": "INVALID_PLAYER_STATE"]
        case .invalidRequest(let reason): ["type": "INVALID_REQUEST", "reason": .string(reason)]
        case .loadFailed(let code): ["type": "LOAD_FAILED", "detailedErrorCode": .integer(code)]
        }
    }

    // MARK: Loading

    /// Loads a content into the running app, in the place of another one.
    ///
    /// - Parameter failure: The number with which it fails; `nil` if it succeeds.
    /// - Throws: ``MediaRefusal`` if no app that plays media runs, or there is nothing to play.
    package mutating func load(
        _ request: MediaRequest.LoadRequest,
        failure: Int? = nil,
        at now: MonotonicInstant
    ) throws(MediaRefusal) {
        try load(request, for: nil, failure: failure, at: now)
    }

    private mutating func load(
        _ request: MediaRequest.LoadRequest,
        for waiting: Waiting?,
        failure: Int?,
        at now: MonotonicInstant
    ) throws(MediaRefusal) {
        guard let app = running?.app, app.playsMedia else { throw .invalidPlayerState }
        var queue = MediaQueue(seed: makeSeed())
        guard let ids = insert(request.items, into: &queue, before: nil), ids.indices.contains(request.start) else {
            throw .invalidRequest("INVALID_PARAMS")
        }
        let first = ids[request.start]
        let isEmpty = queue[first]?.media.contentID.isEmpty ?? true
        cancelLoads()
        running?.media?.end(.interrupted)
        publishMedia(at: now)
        queue.repeatMode = request.repeatMode ?? .off
        queue.select(first)
        let rate = request.rate.flatMap { app.allowsRates && MediaSession.rates.contains($0) ? $0 : nil } ?? 1
        var session = MediaSession(
            id: nextMediaID(),
            queue,
            at: now,
            from: request.position,
            autoplay: request.autoplay,
            rate: rate,
            allowsRates: app.allowsRates,
            loadTime: configuration.loadTime
        )
        if let tracks = request.activeTrackIDs {
            let known = Set(session.media.trackIDs)
            session.activeTrackIDs = tracks.prefix(Self.maximumTracks).filter(known.contains)
        }
        if let code = failure ?? (isEmpty ? 104 : nil) {
            // After the answer, senders get a status with the error.
            session.end(.error)
            running?.media = session
            report("LOAD_FAILED", ["detailedErrorCode": "\(code)"])
            throw .loadFailed(code)
        }
        if queue.repeatMode == .shuffle { session.queue.shuffle() }
        running?.media = session
        if let waiting { waitingLoads.append(waiting) }
        publishMedia(at: now)
        broadcastStatus()
    }

    /// The maximum number of tracks that are active.
    private static let maximumTracks = 100

    /// Adds items to a queue, and returns their ids; `nil` if there are too many, or a status has no room for one.
    private func insert(_ items: [JSONObject], into queue: inout MediaQueue, before id: Int?) -> [Int]? {
        guard items.count <= MediaQueue.maximumCount else { return nil }
        let items = items.map(completed)
        let haveShortNames = items.allSatisfy { item in
            let media = MediaInformation(item.object("media") ?? JSONObject())
            return media.contentID.utf8.count <= 4_096 && media.contentType.utf8.count <= 256
        }
        return haveShortNames ? queue.insert(items, before: id) : nil
    }

    /// Returns an item with what the receiver knows of its content and the sender has not said.
    private func completed(_ item: JSONObject) -> JSONObject {
        let media = MediaInformation(item.object("media") ?? JSONObject())
        guard let known = configuration.contents[media.contentID] else { return item }
        var (completed, item) = (media, item)
        for member in known.object.members where completed.object[member.key] == nil {
            completed.object[member.key] = member.value
        }
        // pychromecast sends empty metadata.
        if var metadata = completed.object.object("metadata"), let more = known.object.object("metadata") {
            for member in more.members where metadata[member.key] == nil { metadata[member.key] = member.value }
            completed.object["metadata"] = .object(metadata)
        }
        item["media"] = .object(completed.object)
        return item
    }

    private mutating func cancelLoads() {
        for waiting in waitingLoads { reply(["type": "LOAD_CANCELLED"], to: waiting, CastNamespace.media) }
        waitingLoads = []
    }

    // MARK: Requests

    /// Performs a request that changes what is played.
    ///
    /// - Throws: ``MediaRefusal`` if nothing is played, or the request is not possible.
    package mutating func perform(_ request: MediaRequest, at now: MonotonicInstant) throws(MediaRefusal) {
        guard var session = running?.media else { throw .invalidPlayerState }
        switch request {
        case .load(let load): return try self.load(load, at: now)
        case .play: session.play(at: now)
        case .pause: session.pause(at: now)
        case .stop: session.end(.cancelled)
        case .seek(let position, let isRelative, let plays):
            try session.seek(to: isRelative ? session.position(at: now) + position : position, at: now)
            if plays == true { session.play(at: now) }
            if plays == false { session.pause(at: now) }
        case .setRate(let rate, let isFactor):
            try session.setRate(isFactor ? session.rate * rate : rate, at: now)
        case .setVolume(let object):
            session.volume.apply(object)
            session.hasChanged = true
        case .editTracks(let ids):
            if let ids {
                let known = Set(session.media.trackIDs)
                guard ids.count <= Self.maximumTracks, ids.allSatisfy(known.contains) else {
                    throw .invalidRequest("INVALID_PARAMS")
                }
                session.activeTrackIDs = ids
            }
            session.hasChanged = true
        case .skipAd: try session.skipAd(at: now)
        case .insert, .update, .remove, .reorder: try changeQueue(of: &session, request, at: now)
        case .getStatus, .getItemIDs, .getItems, .getRange, .invalid: return
        }
        running?.media = session
    }

    private mutating func changeQueue(
        of session: inout MediaSession,
        _ request: MediaRequest,
        at now: MonotonicInstant
    ) throws(MediaRefusal) {
        switch request {
        case .insert(let items, let before, let current):
            guard let ids = insert(items, into: &session.queue, before: before) else {
                throw .invalidRequest("INVALID_PARAMS")
            }
            var change: JSONObject = ["changeType": "INSERT"]
            if let before { change["insertBefore"] = .integer(before) }
            announce(change, ids)
            switch current {
            case .id(let id) where session.queue[id] != nil: session.load(id, at: now)
            case .inserted(let index) where ids.indices.contains(index): session.load(ids[index], at: now)
            case .id, .inserted, nil: break
            }
        case .update(let update):
            let changed = session.queue.update(update.items)
            if let mode = update.repeatMode { session.queue.repeatMode = mode }
            if let shuffle = update.shuffle { session.queue.setShuffled(shuffle) }
            // Nothing is announced of a request that is refused.
            let target = update.currentID ?? update.jump.flatMap { session.queue.item(at: $0) }
            let hasTarget = update.currentID != nil || update.jump != nil
            guard !hasTarget || target.flatMap({ session.queue[$0] }) != nil else {
                throw .invalidRequest("INVALID_PARAMS")
            }
            if !changed.isEmpty { announce(["changeType": "ITEMS_CHANGE"], changed) }
            if update.shuffle != nil { announce(["changeType": "UPDATE"], session.queue.items.map(\.id)) }
            if hasTarget { session.load(target, from: update.position, at: now) }
        case .remove(let list):
            let ids = Set(list)
            let here = session.queue.currentID.flatMap { session.queue.position(of: $0) }
            let isCurrentRemoved = session.queue.currentID.map(ids.contains) ?? false
            let before = session.queue.items.prefix(here ?? 0).count { ids.contains($0.id) }
            announce(["changeType": "REMOVE"], session.queue.remove(list))
            if isCurrentRemoved {
                let next = session.queue.item(at: 1, fromRemoved: here.map { $0 - before })
                session.load(next, at: now)
            }
        case .reorder(let ids, let before):
            guard ids.count <= MediaQueue.maximumCount else { throw .invalidRequest("INVALID_PARAMS") }
            session.queue.reorder(ids, before: before)
            var change: JSONObject = ["changeType": "UPDATE", "reorderItemIds": .array(ids.map { .integer($0) })]
            if let before { change["insertBefore"] = .integer(before) }
            announce(change, session.queue.items.map(\.id))
        default: break
        }
        session.hasChanged = true
    }

    /// Tells all senders of the app that its queue has changed.
    private mutating func announce(_ change: JSONObject, _ ids: [Int]) {
        guard let running else { return }
        var change = change
        change["type"] = "QUEUE_CHANGE"
        change["requestId"] = 0
        change["itemIds"] = .array(ids.map { .integer($0) })
        change["sequenceNumber"] = 0
        broadcast(change, CastNamespace.media, from: running.sessionID)
    }

    /// Returns the answer to a question about the queue, or `nil` if the request is none.
    private func answer(to request: MediaRequest) throws(MediaRefusal) -> JSONObject? {
        let queue = running?.media?.queue
        switch request {
        case .getItemIDs:
            guard let queue else { throw .invalidPlayerState }
            return [
                "type": "QUEUE_ITEM_IDS", "itemIds": .array(queue.items.map { .integer($0.id) }), "sequenceNumber": 0,
            ]
        case .getItems(let ids):
            guard let queue else { throw .invalidPlayerState }
            let wanted = Set(ids)
            return Self.answer(queue.items.filter { wanted.contains($0.id) })
        case .getRange(let id, let before, let after):
            guard let queue else { throw .invalidPlayerState }
            guard let place = id.map({ queue.position(of: $0) }) ?? 0 else { throw .invalidRequest("INVALID_PARAMS") }
            let count = queue.items.count
            let range = max(place - min(before, count), 0)..<min(place + 1 + min(after, count), count)
            return Self.answer(range.isEmpty ? [] : Array(queue.items[range]))
        default: return nil
        }
    }

    /// Returns as many items as a message has room for.
    private static func answer(_ items: [QueueItem]) -> JSONObject {
        var room = CastFrameDecoder.maximumLength - 1_024
        let fitting = items.prefix { item in
            room -= item.json.maximumByteCount + 1
            return room >= 0
        }
        return ["type": "QUEUE_ITEMS", "items": .array(fitting.map { .object($0.json) })]
    }

    // MARK: Status

    /// Tells senders what has changed, and forgets what has ended.
    ///
    /// - Parameter peer: A sender that has got its answer.
    mutating func publishMedia(at now: MonotonicInstant, except peer: CastPeer? = nil) {
        guard let events = running?.media?.takeEvents() else { return }
        for event in events { report(event.name, event.details) }
        guard let running, let session = running.media else { return }
        var peer = peer
        if !session.isLoading {
            let waiting = waitingLoads
            waitingLoads = []
            if waiting.count == 1 { peer = waiting[0].peer }
            for waiting in waiting { reply(mediaStatus(at: now), to: waiting, CastNamespace.media) }
        }
        guard session.hasChanged else { return }
        self.running?.media?.hasChanged = false
        var status = mediaStatus(at: now)
        status["requestId"] = 0
        broadcast(status, CastNamespace.media, from: running.sessionID, except: peer)
        if session.isIdle { self.running?.media = nil }
    }

    /// The status that senders get, without the number of a request.
    package func mediaStatus(at now: MonotonicInstant) -> JSONObject {
        guard let session = running?.media else { return ["type": "MEDIA_STATUS", "status": []] }
        func message(isComplete: Bool) -> JSONObject {
            let status = session.status(at: now, isComplete: isComplete)
            return ["type": "MEDIA_STATUS", "status": .array([.object(status)])]
        }
        let complete = message(isComplete: true)
        let isShort = complete.maximumByteCount < CastFrameDecoder.maximumLength - 1_024
        return isShort ? complete : message(isComplete: false)
    }
}

// MARK: Without a sender

extension CastReceiver {
    /// Tells senders what a call without a sender has changed.
    package mutating func publish(at now: MonotonicInstant) {
        publishMedia(at: now)
        advance(to: now)
    }

    /// Plays the content to its end at once; returns `false` if nothing is played.
    package mutating func finishMedia(at now: MonotonicInstant) -> Bool {
        guard running?.media != nil else { return false }
        running?.media?.finish(at: now)
        publish(at: now)
        return true
    }

    /// Sends a text from the running app to all of its senders, and returns their number.
    package mutating func sendToAll(_ text: String, _ namespace: String) -> Int {
        guard let running else { return 0 }
        let peers = peers(of: running.sessionID)
        for peer in peers { send(.text(text), namespace, from: running.sessionID, to: peer) }
        return peers.count
    }
}
