package import HAPCore

/// What an app plays, from a request to load it to its end.
///
/// It reads no clock: times are instants of its owner. After a call that changes what senders see, ``hasChanged`` is set.
///
/// See `docs/cast.md`.
package struct MediaSession: Sendable {
    /// The rates at which a content can be played.
    package static let rates = 0.5...2.0

    /// The number by which senders name the session.
    package let id: Int
    /// Whether the app lets senders change the rate.
    package let allowsRates: Bool
    /// The time from the request until the content is ready.
    let loadTime: Duration

    package internal(set) var queue: MediaQueue
    package private(set) var media: MediaInformation
    package private(set) var breaks: AdBreaks
    package private(set) var rate: Double
    package internal(set) var activeTrackIDs: [Int] = []
    package internal(set) var volume = CastVolume()
    package private(set) var idleReason: IdleReason?
    package private(set) var isPaused = false
    /// Whether senders have not seen the present state.
    package internal(set) var hasChanged = true
    /// What has happened since the owner has asked last.
    private(set) var events: [ReceiverEvent] = []

    private var clock = PlaybackClock()
    private var ad: AdPlayback?
    /// When the content is ready; `nil` if it is.
    private var loadEnd: MonotonicInstant?
    private var loadPosition = 0.0
    /// The position at which the present item has begun.
    private var itemStart = 0.0
    /// When the present item has begun to play.
    private var itemBegin: MonotonicInstant?

    /// The clip of an ad break that is played instead of the content.
    private struct AdPlayback: Sendable {
        let index: Int
        var clip = 0
        /// The seconds of the clips before this one.
        var offset = 0.0
        var clock: PlaybackClock
        /// Where the content goes on; `nil` if it has ended.
        let resumeAt: Double?
    }

    /// Begins to load the current item of a queue.
    init(
        id: Int,
        _ queue: MediaQueue,
        at now: MonotonicInstant,
        from position: Double?,
        autoplay: Bool?,
        rate: Double,
        allowsRates: Bool,
        loadTime: Duration
    ) {
        (self.id, self.queue, self.allowsRates, self.loadTime) = (id, queue, allowsRates, loadTime)
        self.rate = rate
        media = MediaInformation(JSONObject())
        breaks = AdBreaks(of: media)
        load(queue.currentID, from: position, autoplay: autoplay, at: now)
    }

    // MARK: State

    package var isLoading: Bool { loadEnd != nil }
    package var isIdle: Bool { idleReason != nil }

    package var state: PlayerState {
        if isIdle || isLoading { return .idle }
        return isPaused ? .paused : .playing
    }

    /// The seconds of the content before the present position.
    package func position(at now: MonotonicInstant) -> Double {
        if isLoading { return loadPosition }
        let position = clock.position(at: now)
        return end.map { min(position, $0) } ?? position
    }

    /// What is played instead of the content, or is a part of it.
    package func adStatus(at now: MonotonicInstant) -> AdStatus? {
        guard !isLoading, !isIdle else { return nil }
        if let ad {
            let time = ad.clock.position(at: now)
            return AdStatus(breaks.breaks[ad.index], clip: ad.clip, breakTime: ad.offset + time, clipTime: time)
        }
        guard let (index, offset) = breaks.embedded(at: position(at: now)) else { return nil }
        let (clip, time) = breaks.breaks[index].clip(at: offset)
        return AdStatus(breaks.breaks[index], clip: clip, breakTime: offset, clipTime: time)
    }

    /// The seconds at which the content ends; `nil` if it never does.
    private var end: Double? {
        guard !media.isLive else { return nil }
        let limit = queue.current?.playbackDuration.map { itemStart + $0 }
        return [media.duration, limit].compactMap { $0 }.min()
    }

    mutating func takeEvents() -> [ReceiverEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Time

    /// When ``advance(to:)`` has something to do.
    package var nextDeadline: MonotonicInstant? {
        guard !isIdle else { return nil }
        if let loadEnd { return loadEnd }
        if let ad { return ad.clock.instant(of: breaks.breaks[ad.index].clips[ad.clip].duration) }
        let here = contentPosition
        let next = [
            breaks.next(from: here).map { breaks.breaks[$0].position }, breaks.embeddedBoundary(after: here), end,
        ]
        return next.compactMap { $0 }.min().flatMap { clock.instant(of: max($0, here)) }
    }

    /// The position at which the last event of the content was handled.
    private var contentPosition = 0.0

    /// Handles what is due at an instant, which is ``nextDeadline``.
    mutating func handleEvent(at due: MonotonicInstant) {
        hasChanged = true
        if loadEnd != nil {
            loadEnd = nil
            return startContent(at: due)
        }
        if let ad { return endClip(of: ad, isSkipped: false, at: due) }
        let here = clock.position(at: due)
        if let index = breaks.next(from: contentPosition), breaks.breaks[index].position <= here + Self.tolerance,
            breaks.breaks[index].position < end ?? .infinity
        {
            return startBreak(index, resumeAt: breaks.breaks[index].position, at: due)
        }
        if let boundary = breaks.embeddedBoundary(after: contentPosition), boundary <= here + Self.tolerance,
            boundary < end ?? .infinity
        {
            contentPosition = boundary
            if let (index, _) = breaks.embedded(at: boundary) { watch(index) }
            return
        }
        if let end, end <= here + Self.tolerance { endContent(at: due) }
    }

    /// Seconds that are less than the resolution of instants.
    private static let tolerance = 1e-6

    // MARK: Items

    /// Begins to load an item, or ends the session with `nil`.
    mutating func load(_ item: Int?, from position: Double? = nil, autoplay: Bool? = nil, at now: MonotonicInstant) {
        hasChanged = true
        queue.select(item)
        guard let item = queue.current else { return end(.finished) }
        media = item.media
        breaks = AdBreaks(of: media)
        activeTrackIDs = item.activeTrackIDs
        isPaused = !(autoplay ?? item.autoplay)
        ad = nil
        clock = PlaybackClock(rate: rate)
        loadPosition = max(position ?? item.startTime, 0)
        if let duration = media.duration { loadPosition = min(loadPosition, duration) }
        itemStart = loadPosition
        loadEnd = now.advanced(by: loadTime)
        if loadTime <= .zero {
            loadEnd = nil
            startContent(at: now)
        }
    }

    private mutating func startContent(at now: MonotonicInstant) {
        itemBegin = now
        report("PLAYER", ["playerState": state.rawValue])
        if let index = breaks.next(between: -1, and: loadPosition) {
            startBreak(index, resumeAt: loadPosition, at: now)
        } else {
            resumeContent(at: loadPosition, now)
        }
    }

    private mutating func resumeContent(at position: Double, _ now: MonotonicInstant) {
        ad = nil
        contentPosition = position
        clock.jump(to: position, at: now)
        if let (index, _) = breaks.embedded(at: position) { watch(index) }
        if !isPaused { clock.run(at: now) }
    }

    private mutating func endContent(at now: MonotonicInstant) {
        clock.stop(at: now)
        if let end { clock.jump(to: end, at: now) }
        if let duration = media.duration, let index = breaks.next(afterContentOf: duration) {
            startBreak(index, resumeAt: nil, at: now)
        } else {
            finishItem(at: now)
        }
    }

    private mutating func finishItem(at now: MonotonicInstant) {
        report("FINISHED", ["contentId": media.contentID])
        // An item that begins at its end would repeat at one instant.
        if itemBegin == now, queue.repeatMode != .off { return load(nil, at: now) }
        let next = queue.repeatMode == .single ? queue.currentID : queue.item(at: 1)
        load(next, at: now)
    }

    /// Ends the session.
    mutating func end(_ reason: IdleReason) {
        (idleReason, loadEnd, ad, hasChanged) = (reason, nil, nil, true)
        report("PLAYER", ["playerState": "IDLE", "idleReason": reason.rawValue])
    }

    // MARK: Ads

    private mutating func startBreak(_ index: Int, resumeAt: Double?, at now: MonotonicInstant) {
        clock.stop(at: now)
        if let resumeAt { clock.jump(to: resumeAt, at: now) }
        watch(index)
        var ad = AdPlayback(index: index, clock: PlaybackClock(), resumeAt: resumeAt)
        if !isPaused { ad.clock.run(at: now) }
        self.ad = ad
        reportAd("AD_STARTED", ad)
    }

    private mutating func endClip(of ended: AdPlayback, isSkipped: Bool, at now: MonotonicInstant) {
        reportAd(isSkipped ? "AD_SKIPPED" : "AD_ENDED", ended)
        let pause = breaks.breaks[ended.index]
        guard ended.clip + 1 < pause.clips.count else {
            if let position = ended.resumeAt { return resumeContent(at: position, now) }
            ad = nil
            return finishItem(at: now)
        }
        var next = ended
        next.offset += pause.clips[ended.clip].duration
        next.clip += 1
        next.clock = PlaybackClock()
        if !isPaused { next.clock.run(at: now) }
        ad = next
        reportAd("AD_STARTED", next)
    }

    /// Records that a break has begun, and says so to senders with its next status.
    private mutating func watch(_ index: Int) {
        breaks.watch(index)
        let id = breaks.breaks[index].id
        guard let written = media.object["breaks"]?.array else { return }
        media.object["breaks"] = .array(
            written.map { value in
                guard var object = value.object, object.text("id") == id else { return value }
                object["isWatched"] = true
                return .object(object)
            }
        )
    }

    private mutating func reportAd(_ name: String, _ ad: AdPlayback) {
        let pause = breaks.breaks[ad.index]
        report(name, ["breakId": pause.id, "breakClipId": pause.clips[ad.clip].id])
    }

    private mutating func report(_ name: String, _ details: [String: String]) {
        events.append(ReceiverEvent(name, details))
    }

    // MARK: Requests

    mutating func play(at now: MonotonicInstant) {
        guard isPaused else { return }
        (isPaused, hasChanged) = (false, true)
        if isLoading { return }
        if ad != nil { ad?.clock.run(at: now) } else { clock.run(at: now) }
        report("PLAYER", ["playerState": state.rawValue])
    }

    mutating func pause(at now: MonotonicInstant) {
        guard !isPaused else { return }
        (isPaused, hasChanged) = (true, true)
        if isLoading { return }
        ad?.clock.stop(at: now)
        clock.stop(at: now)
        report("PLAYER", ["playerState": state.rawValue])
    }

    /// Jumps to a position, after the break that the jump would leave out.
    ///
    /// - Throws: ``MediaRefusal/invalidPlayerState`` for a content without positions, and during an ad.
    mutating func seek(to position: Double, at now: MonotonicInstant) throws(MediaRefusal) {
        guard !media.isLive, adStatus(at: now) == nil, !isLoading else { throw .invalidPlayerState }
        let target = min(max(position, 0), end ?? .infinity)
        hasChanged = true
        if let index = breaks.next(between: clock.position(at: now), and: target) {
            startBreak(index, resumeAt: target, at: now)
        } else {
            resumeContent(at: target, now)
        }
    }

    /// Sets the rate, which ads do not have.
    ///
    /// - Throws: ``MediaRefusal`` for a rate out of ``rates``, and if the app or the content does not allow it.
    mutating func setRate(_ rate: Double, at now: MonotonicInstant) throws(MediaRefusal) {
        guard allowsRates else { throw .invalidRequest("INVALID_COMMAND") }
        guard !media.isLive else { throw .invalidPlayerState }
        guard Self.rates.contains(rate) else { throw .invalidRequest("INVALID_PARAMS") }
        (self.rate, hasChanged) = (rate, true)
        clock.setRate(rate, at: now)
    }

    /// Ends the present clip of an ad.
    ///
    /// - Throws: ``MediaRefusal/invalidPlayerState`` if no ad is played, or it cannot be skipped yet.
    mutating func skipAd(at now: MonotonicInstant) throws(MediaRefusal) {
        guard let status = adStatus(at: now), let after = status.clip.skippableAfter, status.clipTime >= after else {
            throw .invalidPlayerState
        }
        hasChanged = true
        if let ad { return endClip(of: ad, isSkipped: true, at: now) }
        // An embedded clip is left out of the content.
        report("AD_SKIPPED", ["breakId": status.pause.id, "breakClipId": status.clip.id])
        resumeContent(at: position(at: now) - status.clipTime + status.clip.duration, now)
    }

    /// Ends the content as if it had been played to its end.
    mutating func finish(at now: MonotonicInstant) {
        (ad, loadEnd, hasChanged) = (nil, nil, true)
        endContent(at: now)
    }
}

/// The ad that is played.
package struct AdStatus: Sendable, Hashable {
    package let pause: AdBreak
    package let clip: AdClip
    /// The seconds since the beginning of the break.
    package let breakTime: Double
    /// The seconds since the beginning of the clip.
    package let clipTime: Double

    init(_ pause: AdBreak, clip: Int, breakTime: Double, clipTime: Double) {
        (self.pause, self.clip) = (pause, pause.clips[clip])
        (self.breakTime, self.clipTime) = (breakTime, clipTime)
    }
}

/// Why a request to a media session is refused.
package enum MediaRefusal: Error, Sendable, Hashable {
    /// It is not possible in the present state.
    case invalidPlayerState
    /// It is not possible at all, for this reason.
    case invalidRequest(String)
    /// The content cannot be loaded; a number of Google's table of errors.
    case loadFailed(Int)
}
