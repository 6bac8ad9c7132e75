internal import Cast
internal import HAPCore

/// Controls what the joined app of a session plays.
///
/// Every function throws ``CastSenderError``: ``CastSenderError/notConnected`` or ``CastSenderError/noApp`` if the session
/// is joined to no app, ``CastSenderError/timedOut(_:)`` without an answer, and the reason if the receiver refuses.
public struct CastMediaClient: Sendable {
    let session: CastSession

    /// What is played; `nil` for nothing.
    public var status: MediaStatus? { session.mediaValues.value }

    /// What is played now and after each change; a slow reader gets the latest status.
    public var statuses: AsyncStream<MediaStatus?> { session.mediaValues.stream() }

    /// Loads a content or a queue, and returns when it is ready.
    @discardableResult
    public func load(_ request: MediaLoadRequest) async throws(CastSenderError) -> MediaStatus? {
        guard request.items.indices.contains(request.startIndex) else {
            throw .invalidArgument("there is no item at the position \(request.startIndex)")
        }
        let answer = try await session.mediaRequest(request.request)
        return answer.objects("status")?.first.map { MediaStatus($0, at: .now) } ?? status
    }

    /// Plays what is paused.
    public func play() async throws(CastSenderError) { try await perform(.play) }

    /// Pauses what is played.
    public func pause() async throws(CastSenderError) { try await perform(.pause) }

    /// Ends what is played.
    public func stop() async throws(CastSenderError) { try await perform(.stop) }

    /// Jumps to a second of the content.
    ///
    /// - Parameters:
    ///   - position: The second.
    ///   - plays: Whether it plays afterwards; `nil` if that does not change.
    public func seek(to position: Double, plays: Bool? = nil) async throws(CastSenderError) {
        try await perform(.seek(position: position, isRelative: false, plays: plays))
    }

    /// Jumps a number of seconds forward, or backward if it is negative.
    ///
    /// The position is that of `MediaStatus.position(at:)`: not every receiver knows relative jumps.
    public func seek(by distance: Double) async throws(CastSenderError) {
        guard let status else { throw .invalidPlayerState }
        try await seek(to: max(status.position(at: .now) + distance, 0))
    }

    /// Changes the rate, from 0.5 to 2; `MediaStatus.canChangeRate` tells whether that is possible.
    public func setPlaybackRate(_ rate: Double) async throws(CastSenderError) {
        try await perform(.setRate(rate, isFactor: false))
    }

    /// Skips the ad that is played.
    ///
    /// - Throws: ``CastSenderError/invalidPlayerState`` if no ad is played, or it cannot be skipped yet.
    public func skipAd() async throws(CastSenderError) { try await perform(.skipAd) }

    /// Sets the volume of the stream, from 0 to 1, and whether it is muted.
    public func setStreamVolume(level: Double? = nil, isMuted: Bool? = nil) async throws(CastSenderError) {
        var volume: JSONObject = [:]
        volume["level"] = level.map { .real(min(max($0, 0), 1)) }
        volume["muted"] = isMuted.map { .bool($0) }
        try await perform(.setVolume(volume))
    }

    /// Chooses the tracks, such as subtitles, that are shown and heard.
    public func setActiveTracks(_ ids: [Int]) async throws(CastSenderError) { try await perform(.editTracks(ids)) }

    // MARK: Queue

    /// Adds items before another one, or at the end.
    public func insert(_ items: [MediaQueueItem], before id: Int? = nil) async throws(CastSenderError) {
        try await perform(.insert(items.map(\.newObject), before: id, current: nil))
    }

    /// Removes items from the queue.
    public func remove(items ids: [Int]) async throws(CastSenderError) { try await perform(.remove(ids)) }

    /// Moves items before another one, or to the end.
    public func move(items ids: [Int], before id: Int? = nil) async throws(CastSenderError) {
        try await perform(.reorder(ids, before: id))
    }

    /// Plays the next item, or the previous one if the count is negative.
    public func jump(by count: Int) async throws(CastSenderError) { try await perform(.jump(by: count)) }

    /// Plays an item.
    public func jump(toItem id: Int) async throws(CastSenderError) {
        try await perform(.update(MediaRequest.QueueUpdate(currentID: id)))
    }

    /// Chooses what follows the last item.
    public func setRepeatMode(_ mode: RepeatMode) async throws(CastSenderError) {
        try await perform(.update(MediaRequest.QueueUpdate(repeatMode: mode)))
    }

    /// Puts the items in a random order.
    public func shuffle() async throws(CastSenderError) {
        try await perform(.update(MediaRequest.QueueUpdate(shuffle: true)))
    }

    /// Returns the ids of all items in their order.
    public func itemIDs() async throws(CastSenderError) -> [Int] {
        // Nothing is played, so there is no queue.
        guard let status, status.playerState != .idle || status.currentItemID != nil else { return [] }
        return try await session.mediaRequest(.getItemIDs).integers("itemIds") ?? []
    }

    /// Returns items by their ids.
    public func items(_ ids: [Int]) async throws(CastSenderError) -> [MediaQueueItem] {
        let answer = try await session.mediaRequest(.getItems(ids))
        return (answer.objects("items") ?? []).compactMap { MediaQueueItem($0) }
    }

    /// Asks for the status.
    public func refresh() async throws(CastSenderError) { try await perform(.getStatus) }

    private func perform(_ request: MediaRequest) async throws(CastSenderError) {
        _ = try await session.mediaRequest(request)
    }
}

extension CastSession {
    /// Sends a request to the joined app, and returns its answer.
    func mediaRequest(_ request: MediaRequest) async throws(CastSenderError) -> JSONObject {
        guard let link else { throw .notConnected }
        guard let app = link.app else { throw .noApp }
        guard app.playsMedia else { throw .unsupportedNamespace(CastNamespace.media) }
        var object = request.object
        var limit = configuration.timeLimit
        switch request {
        case .load: limit = configuration.longTimeLimit
        case .getStatus: break
        default:
            guard let media = link.media else { throw .invalidPlayerState }
            object["mediaSessionId"] = .integer(media.sessionID)
        }
        return try await self.request(object, CastNamespace.media, to: app.transportID, limit)
    }

    /// Asks an app that has begun to play media for its status.
    func askForMedia() {
        guard !asksForMedia else { return }
        asksForMedia = true
        Task {
            _ = try? await mediaRequest(.getStatus)
            asksForMedia = false
        }
    }
}
