package import HAPCore

/// The state of a simulated device that senders play to: whose session it is, what plays, and how loud.
///
/// Messages of senders and instants go in; messages for senders and events come out. It reads no clock and opens
/// nothing. Pairing, encryption and audio packets are handled before it.
///
/// One sender has the device at a time.
///
/// See `docs/airplay.md`.
package struct AirPlayDevice: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// How long a video is whose address is not fetched, in seconds.
        package var videoDuration = 3_600.0
        /// Whether the address of a video is fetched, so that its duration and its variants are known.
        package var fetches = false

        package init() {}
    }

    package enum Playback: Sendable, Hashable {
        case stopped
        case paused
        case loading
        case playing
    }

    /// The session of a sender.
    package struct Session: Sendable {
        package let sender: SenderDescription
        /// The connection of the sender.
        package let peer: UInt64
        package fileprivate(set) var track = TrackMetadata()
        package fileprivate(set) var artwork: Artwork?
        package fileprivate(set) var audio: AudioSummary?
        package fileprivate(set) var progress: ProgressClock?
        package fileprivate(set) var video: VideoPlayback?
        /// Whether the sender has played audio, and whether it does so now.
        fileprivate var (hasPlayed, isPlaying) = (false, false)
        /// Whether a user has paused the device, which the sender has not done.
        fileprivate var isHeld = false

        fileprivate init(_ sender: SenderDescription, _ peer: UInt64) {
            (self.sender, self.peer) = (sender, peer)
        }
    }

    /// The position in a track, in seconds, and its duration.
    package struct ProgressClock: Sendable, Hashable {
        fileprivate var clock: PlaybackClock
        package let duration: Double?

        package func position(at now: MonotonicInstant) -> Double {
            let position = clock.position(at: now)
            return duration.map { min(position, $0) } ?? position
        }
    }

    package let configuration: Configuration
    package private(set) var session: Session?
    package private(set) var volume = VolumeLevel(percent: 40)
    /// Whether sessions are accepted.
    package private(set) var isEnabled = true
    private var messages: [(UInt64, ReceiverMessage)] = []
    /// The number of the question that is being answered.
    private var question: UInt64 = 0
    private var events: [ReceiverEvent] = []

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    package var playback: Playback {
        guard let session else { return .stopped }
        if let video = session.video { return video.playback }
        guard session.hasPlayed else { return .stopped }
        return session.isPlaying && !session.isHeld ? .playing : .paused
    }

    /// Returns what is to be sent since the last call, with the connections.
    package mutating func takeMessages() -> [(UInt64, ReceiverMessage)] {
        defer { messages = [] }
        return messages
    }

    package mutating func takeEvents() -> [ReceiverEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Senders

    /// Handles a message of a connection.
    ///
    /// - Parameter question: The number with which it is answered, if it is a question.
    package mutating func receive(
        _ message: SenderMessage,
        from peer: UInt64,
        question: UInt64 = 0,
        at now: MonotonicInstant
    ) {
        self.question = question
        advance(to: now)
        // A seek to the end ends a video at once.
        defer { advance(to: now) }
        if case .begin(let sender) = message { return begin(sender, peer, at: now) }
        if case .video(.play, let sender) = message, session?.peer != peer {
            begin(sender, peer, at: now)
            guard session?.peer == peer else { return }
            messages.removeLast()
        }
        guard session?.peer == peer else {
            if case .video = message { answer(.refused(454), to: peer) }
            return
        }
        switch message {
        case .begin: break
        case .end: end("ended", at: now)
        case .play: setPlaying(true, at: now)
        case .pause: setPlaying(false, at: now)
        case .setVolume(let level): setVolume(level, bySender: true)
        case .setTrack(let track):
            session?.track = track
            report("metadata", ["title": track.title, "artist": track.artist, "album": track.album])
        case .setArtwork(let artwork):
            session?.artwork = artwork.byteCount > 0 ? artwork : nil
            report("artwork", ["type": artwork.type, "bytes": "\(artwork.byteCount)"])
        case .setProgress(let progress):
            var clock = PlaybackClock(at: progress.position)
            if playback == .playing { clock.run(at: now) }
            session?.progress = ProgressClock(clock: clock, duration: progress.duration)
        case .measured(let summary): session?.audio = summary
        case .video(let request, _): perform(request, from: peer, at: now)
        case .loaded(let url, let result): didLoad(url, result, at: now)
        }
    }

    /// Handles the end of a connection.
    package mutating func disconnect(_ peer: UInt64, at now: MonotonicInstant) {
        advance(to: now)
        if session?.peer == peer { end("disconnected", at: now) }
    }

    /// Ends what the senders of an earlier run of the driver have begun.
    package mutating func reset(at now: MonotonicInstant) {
        end("restarted", at: now)
        messages = []
    }

    private mutating func begin(_ sender: SenderDescription, _ peer: UInt64, at now: MonotonicInstant) {
        guard isEnabled else { return refuse(sender, 503, "AirPlay is off", peer) }
        guard let current = session else {
            session = Session(sender, peer)
            report("sessionStarted", ["sender": sender.name, "version": "\(sender.version)"])
            return answer(.accepted, to: peer)
        }
        guard current.peer == peer else { return refuse(sender, 453, "\(current.sender.name) plays", peer) }
        answer(.accepted, to: peer)
    }

    private mutating func refuse(_ sender: SenderDescription, _ status: Int, _ reason: String, _ peer: UInt64) {
        report("sessionRefused", ["sender": sender.name, "status": "\(status)", "reason": reason])
        answer(.refused(status), to: peer)
    }

    /// - Parameter reason: One word for the log.
    private mutating func end(_ reason: String, at now: MonotonicInstant) {
        guard let session else { return }
        let former = playback
        self.session = nil
        if reason != "ended" { messages.append((session.peer, .end(reason))) }
        if former != .stopped { report("stopped") }
        report("sessionEnded", ["sender": session.sender.name, "reason": reason])
    }

    private mutating func setPlaying(_ isPlaying: Bool, at now: MonotonicInstant) {
        // What the sender says now is later than what the user has wanted.
        change(at: now) { session in
            if isPlaying { (session.hasPlayed, session.video) = (true, nil) }
            session.isPlaying = isPlaying
            session.isHeld = false
        }
    }

    /// Changes the session, and reports that playback has another state.
    private mutating func change(at now: MonotonicInstant, _ body: (inout Session) -> Void) {
        let former = playback
        if var changed = session {
            body(&changed)
            session = changed
        }
        let present = playback
        guard present != former else { return }
        if present == .playing { session?.progress?.clock.run(at: now) } else { session?.progress?.clock.stop(at: now) }
        switch present {
        case .playing: report("playing", ["title": session?.track.title ?? session?.video?.url])
        case .paused: report("paused")
        case .loading: break
        case .stopped: report("stopped")
        }
    }

    // MARK: Video

    private mutating func perform(_ request: VideoRequest, from peer: UInt64, at now: MonotonicInstant) {
        switch request {
        case .play(let url, let start, let isPart):
            let duration = configuration.fetches ? nil : configuration.videoDuration
            report("videoRequested", ["url": url])
            change(at: now) { session in
                session.video = VideoPlayback(url: url, start: start, isPart: isPart)
                if let duration { session.video?.didLoad(VideoContent(duration: duration), at: now) }
            }
            if configuration.fetches { messages.append((peer, .load(url))) }
        case .seek(let position):
            guard session?.video != nil else { return answer(.refused(455), to: peer) }
            session?.video?.seek(to: position, at: now)
        case .setRate(let rate):
            guard session?.video != nil else { return answer(.refused(455), to: peer) }
            change(at: now) { $0.video?.setRate(rate, at: now) }
        case .stop: change(at: now) { $0.video = nil }
        case .info:
            return answer(.playback(session?.video?.information(at: now) ?? PlaybackInformation()), to: peer)
        }
        answer(.accepted, to: peer)
    }

    private mutating func didLoad(
        _ url: String,
        _ result: Result<VideoContent, VideoFailure>,
        at now: MonotonicInstant
    ) {
        guard session?.video?.url == url, session?.video?.isLoading ?? false else { return }
        switch result {
        case .success(let content):
            report(
                "videoLoaded",
                [
                    "url": url, "duration": content.duration.map { "\($0)" }, "variants": "\(content.variants)",
                    "resolution": content.resolution, "bandwidth": content.bandwidth.map { "\($0)" },
                ]
            )
            change(at: now) { $0.video?.didLoad(content, at: now) }
        case .failure(let failure):
            report("videoFailed", ["url": url, "code": "\(failure.code)", "reason": failure.reason])
            change(at: now) { $0.video?.fail(failure) }
        }
    }

    /// When the state changes without a message.
    package var nextDeadline: MonotonicInstant? { session?.video?.end }

    package mutating func advance(to now: MonotonicInstant) {
        guard let end = session?.video?.end, end <= now else { return }
        let url = session?.video?.url
        change(at: now) { $0.video?.finish() }
        report("videoEnded", ["url": url])
    }

    // MARK: Users

    /// Accepts sessions, or ends the present one and refuses others.
    package mutating func setEnabled(_ isEnabled: Bool, at now: MonotonicInstant) {
        guard isEnabled != self.isEnabled else { return }
        self.isEnabled = isEnabled
        if !isEnabled { end("disabled", at: now) }
        report(isEnabled ? "enabled" : "disabled")
    }

    /// Sets the volume, and informs the sender.
    package mutating func setVolume(_ level: VolumeLevel) { setVolume(level, bySender: false) }

    private mutating func setVolume(_ level: VolumeLevel, bySender isSender: Bool) {
        guard level != volume else { return }
        volume = level
        if isSender { return report("volume", ["decibels": "\(level.decibels)"]) }
        send(.setVolume(level))
    }

    /// Does what a key or HomeKit wants: with a video at once, with audio by asking the sender.
    ///
    /// - Returns: Whether there is a session.
    @discardableResult
    package mutating func perform(_ command: RemoteCommand, at now: MonotonicInstant) -> Bool {
        advance(to: now)
        defer { advance(to: now) }
        guard let session else { return false }
        if case .setVolume(let level) = command {
            setVolume(level)
            return true
        }
        send(command)
        let plays: Bool? =
            switch command {
            case .play: true
            case .pause, .stop: false
            case .playPause: playback != .playing
            case .next, .previous, .setVolume: nil
            }
        guard let plays else { return true }
        if session.video == nil {
            change(at: now) { $0.isHeld = !plays && $0.isPlaying }
        } else if command == .stop {
            change(at: now) { $0.video = nil }
        } else {
            change(at: now) { $0.video?.setRate(plays ? 1 : 0, at: now) }
        }
        return true
    }

    /// Jumps to a position of a video in seconds; returns whether there is one.
    @discardableResult
    package mutating func seek(to position: Double, at now: MonotonicInstant) -> Bool {
        advance(to: now)
        guard session?.video != nil else { return false }
        session?.video?.seek(to: position, at: now)
        advance(to: now)
        return true
    }

    /// Jumps a number of seconds forward or backward, if a video is played.
    package mutating func seek(by seconds: Double, at now: MonotonicInstant) {
        if let position = session?.video?.position(at: now) { seek(to: position + seconds, at: now) }
    }

    /// Ends the session, as a user at the device does.
    package mutating func endSession(_ reason: String, at now: MonotonicInstant) { end(reason, at: now) }

    private mutating func send(_ command: RemoteCommand) {
        guard let peer = session?.peer else { return }
        messages.append((peer, .command(command)))
    }

    private mutating func answer(_ answer: ReceiverAnswer, to peer: UInt64) {
        messages.append((peer, .answer(answer, to: question)))
    }

    private mutating func report(_ name: String, _ details: [String: String?] = [:]) {
        events.append(ReceiverEvent(name, details.compactMapValues { $0 }))
    }
}
