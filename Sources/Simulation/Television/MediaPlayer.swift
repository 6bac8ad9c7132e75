internal import AccessoryModel
internal import HAPCore

/// What plays media: Current Media State follows Target Media State, after a while of loading when it is to play.
struct MediaPlayer: Sendable, Hashable {
    /// Current Media State while it loads.
    static let loading = 4

    private let buffering: Duration
    private(set) var target = MediaState.stop
    /// When it begins to play; `nil` while it does what it is to do.
    private(set) var playing: MonotonicInstant?

    /// Creates a stopped player.
    ///
    /// - Parameter buffering: What it takes to begin to play; 0 or less makes it immediate.
    init(buffering: Duration) {
        self.buffering = max(buffering, .zero)
    }

    /// The value of Current Media State.
    var current: Int {
        playing == nil ? target.rawValue : Self.loading
    }

    /// Takes over what was kept, as it would be by now.
    mutating func start(target: CharacteristicValue?, current: CharacteristicValue?) {
        self.target = MediaState(target) ?? MediaState(current) ?? .stop
        playing = nil
    }

    /// Does something else with what it plays; does nothing when it is doing that.
    mutating func turn(to state: MediaState, at now: MonotonicInstant) {
        guard state != target else { return }
        target = state
        playing = state == .play ? now.advanced(by: buffering) : nil
        settle(through: now)
    }

    /// Plays when it has loaded by `now`.
    mutating func settle(through now: MonotonicInstant) {
        if let ready = playing, ready <= now {
            playing = nil
        }
    }
}
