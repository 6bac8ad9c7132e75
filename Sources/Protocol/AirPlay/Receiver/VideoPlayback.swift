package import HAPCore

/// A video that the receiver itself fetches and plays.
package struct VideoPlayback: Sendable, Hashable {
    /// The highest rate that is accepted, forward and backward.
    private static let maximumRate = 32.0

    package let url: String
    private let start: Double
    /// Whether `start` is a part of the duration, from 0 to 1.
    private let isPart: Bool
    private var state = State.loading
    private var clock = PlaybackClock()
    /// Whether it plays as soon as it is loaded.
    private var plays = true
    package private(set) var content: VideoContent?

    private enum State: Sendable, Hashable {
        case loading
        case ready
        case ended
        case failed(VideoFailure)
    }

    init(url: String, start: Double, isPart: Bool) {
        (self.url, self.start, self.isPart) = (url, start, isPart)
    }

    var isLoading: Bool { state == .loading }

    package var playback: AirPlayDevice.Playback {
        switch state {
        case .loading: .loading
        case .ready: clock.isRunning ? .playing : .paused
        case .ended, .failed: .stopped
        }
    }

    package func position(at now: MonotonicInstant) -> Double { bounded(clock.position(at: now)) }

    /// When it will have been played to its end, or back to its start.
    var end: MonotonicInstant? {
        guard state == .ready, clock.isRunning else { return nil }
        if clock.rate < 0 { return clock.instant(of: 0) }
        return content?.duration.flatMap { clock.instant(of: $0) }
    }

    mutating func didLoad(_ content: VideoContent, at now: MonotonicInstant) {
        self.content = content
        state = .ready
        jump(to: isPart ? start * (content.duration ?? 0) : start, at: now)
        if plays { clock.run(at: now) }
    }

    mutating func fail(_ failure: VideoFailure) {
        state = .failed(failure)
    }

    mutating func finish() {
        state = .ended
    }

    mutating func seek(to position: Double, at now: MonotonicInstant) {
        // A seek after the end, or before the content is loaded, has no effect.
        if state == .ready { jump(to: position, at: now) }
    }

    mutating func setRate(_ rate: Double, at now: MonotonicInstant) {
        guard rate.isFinite else { return }
        plays = rate != 0
        guard state == .ready else { return }
        if rate == 0 {
            clock.stop(at: now)
        } else {
            clock.setRate(min(max(rate, -Self.maximumRate), Self.maximumRate), at: now)
            clock.run(at: now)
        }
    }

    func information(at now: MonotonicInstant) -> PlaybackInformation {
        var information = PlaybackInformation()
        switch state {
        case .loading: break
        case .ready:
            information.duration = content?.duration
            information.position = position(at: now)
            information.rate = clock.isRunning ? clock.rate : 0
            information.isReady = true
        // A sender takes a content without a duration for one that is over.
        case .ended: break
        case .failed(let failure): information.failure = failure
        }
        return information
    }

    private mutating func jump(to position: Double, at now: MonotonicInstant) {
        clock.jump(to: bounded(position), at: now)
    }

    private func bounded(_ position: Double) -> Double {
        min(max(position.isFinite ? position : 0, 0), content?.duration ?? 1e9)
    }
}
