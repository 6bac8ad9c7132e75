package import AccessoryModel
package import HAPCore

/// A smart speaker whose Current Media State follows Target Media State.
///
/// Pausing and stopping take effect immediately. Before playback begins, the state is 4, loading, for a time. Volume,
/// Mute and the other characteristics hold the written values.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct SmartSpeaker: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .targetMediaState: .integer(0...2), .currentMediaState: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.currentMediaState, .targetMediaState]

    package var values = ServiceValues(Self.required)
    private var player: MediaPlayer

    /// Creates a stopped speaker.
    init(_ configuration: Configuration = Configuration()) {
        player = MediaPlayer(buffering: configuration.buffering)
    }

    /// Adopts the saved target; loading that was in progress is complete.
    package mutating func restore(at now: MonotonicInstant) {
        player.start(target: values[.targetMediaState], current: values[.currentMediaState])
    }

    package var nextEvent: MonotonicInstant? { player.playStart }

    package mutating func handleEvent(at due: MonotonicInstant) {
        player.settle(through: due)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard let state = MediaState(values[.targetMediaState]) else { return }
        player.setTarget(state, at: now)
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for the media states, like keys on the device.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .targetMediaState || found.type == .currentMediaState, let state = MediaState(found.value)
        else { return false }
        player.setTarget(state, at: now)
        return true
    }

    package mutating func updateValues() {
        values.set(.targetMediaState, integer: player.target.rawValue)
        values.set(.currentMediaState, integer: player.current)
    }

    /// The configuration of a smart speaker.
    package struct Configuration: Sendable, Hashable {
        /// The time before playback begins.
        ///
        /// 2 s by default; 0 or less makes it immediate.
        package var buffering = Duration.seconds(2)
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "smartSpeaker",
        "A speaker that plays, pauses and stops.",
        services: [.smartSpeaker],
        defaults: Configuration(),
        parameters: [.duration("buffering", \.buffering, "The time before playback begins.")]
    ) { configuration, _ in SmartSpeaker(configuration) }
}

/// A media player whose Current Media State follows Target Media State, after a loading time before it plays.
struct MediaPlayer: Sendable, Hashable {
    /// The value of Current Media State during loading.
    static let loadingState = 4

    private let buffering: Duration
    private(set) var target = MediaState.stop
    /// The time at which playback begins; `nil` if the target is reached.
    private(set) var playStart: MonotonicInstant?

    /// Creates a stopped player.
    ///
    /// - Parameter buffering: The time before playback begins; 0 or less makes it immediate.
    init(buffering: Duration) {
        self.buffering = max(buffering, .zero)
    }

    /// The value of Current Media State.
    var current: Int {
        playStart == nil ? target.rawValue : Self.loadingState
    }

    /// Adopts the saved state; loading that was in progress is complete.
    mutating func start(target: CharacteristicValue?, current: CharacteristicValue?) {
        self.target = MediaState(target) ?? MediaState(current) ?? .stop
        playStart = nil
    }

    /// Changes the target; does nothing if it is the same.
    mutating func setTarget(_ state: MediaState, at now: MonotonicInstant) {
        guard state != target else { return }
        target = state
        playStart = state == .play ? now.advanced(by: buffering) : nil
        settle(through: now)
    }

    /// Starts playback if loading is complete by `now`.
    mutating func settle(through now: MonotonicInstant) {
        if let ready = playStart, ready <= now {
            playStart = nil
        }
    }
}

/// The values of Target Media State.
package enum MediaState: Int, IntegerState {
    case play = 0
    case pause = 1
    case stop = 2
}
