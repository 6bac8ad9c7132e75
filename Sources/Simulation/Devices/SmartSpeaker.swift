package import AccessoryModel
package import HAPCore

/// A smart speaker: Current Media State follows Target Media State, at once to pause and to stop, with 4, loading, for a
/// while before it plays.
///
/// Volume, Mute and the rest are what is written.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct SmartSpeaker: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .targetMediaState: .integer(0...2), .currentMediaState: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.currentMediaState, .targetMediaState]

    package var values = ServiceValues(Self.required)
    private var player: MediaPlayer

    /// Creates a speaker that plays nothing.
    init(_ configuration: Configuration = Configuration()) {
        player = MediaPlayer(buffering: configuration.buffering)
    }

    /// Takes over the target: what was loading has loaded.
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

    /// Knows ``BehaviorCommand/applySensorInput(_:)`` of the media states: somebody uses the keys of the device.
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

    /// How a smart speaker is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to begin to play.
        ///
        /// 2 s by default; 0 or less makes it immediate.
        package var buffering = Duration.seconds(2)
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "smartSpeaker",
        "A speaker that plays, pauses and stops.",
        services: [.smartSpeaker],
        requiredTypes: [.currentMediaState, .targetMediaState],
        defaults: Configuration(),
        parameters: [.duration("buffering", \.buffering, "What it takes to begin to play.")]
    ) { configuration, _ in SmartSpeaker(configuration) }
}

/// What plays media: Current Media State follows Target Media State, after a while of loading when it is to play.
struct MediaPlayer: Sendable, Hashable {
    /// Current Media State while it loads.
    static let loadingState = 4

    private let buffering: Duration
    private(set) var target = MediaState.stop
    /// When it begins to play; `nil` while it does what it is to do.
    private(set) var playStart: MonotonicInstant?

    /// Creates a stopped player.
    ///
    /// - Parameter buffering: What it takes to begin to play; 0 or less makes it immediate.
    init(buffering: Duration) {
        self.buffering = max(buffering, .zero)
    }

    /// The value of Current Media State.
    var current: Int {
        playStart == nil ? target.rawValue : Self.loadingState
    }

    /// Takes over what was kept, as it would be by now.
    mutating func start(target: CharacteristicValue?, current: CharacteristicValue?) {
        self.target = MediaState(target) ?? MediaState(current) ?? .stop
        playStart = nil
    }

    /// Does something else with what it plays; does nothing when it is doing that.
    mutating func setTarget(_ state: MediaState, at now: MonotonicInstant) {
        guard state != target else { return }
        target = state
        playStart = state == .play ? now.advanced(by: buffering) : nil
        settle(through: now)
    }

    /// Plays when it has loaded by `now`.
    mutating func settle(through now: MonotonicInstant) {
        if let ready = playStart, ready <= now {
            playStart = nil
        }
    }
}

/// What a device is asked to do with what it plays, as Target Media State tells it.
enum MediaState: Int, IntegerState {
    case play = 0
    case pause = 1
    case stop = 2
}
