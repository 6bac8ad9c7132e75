package import AccessoryModel
package import HAPCore

/// A smart speaker: Current Media State follows Target Media State, at once to pause and to stop, with 4, loading, for a
/// while before it plays.
///
/// Volume, Mute and the rest are what is written.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct SmartSpeaker: EventDriven {
    package static let rules: WriteRules = [
        .targetMediaState: .choice(0...2), .currentMediaState: .measured,
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

    package var nextEvent: MonotonicInstant? { player.playing }

    package mutating func happen(at due: MonotonicInstant) {
        player.settle(through: due)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard let state = MediaState(values[.targetMediaState]) else { return }
        player.turn(to: state, at: now)
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of the media states: somebody uses the keys of the device.
    package mutating func sense(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .targetMediaState || found.type == .currentMediaState, let state = MediaState(found.value)
        else { return false }
        player.turn(to: state, at: now)
        return true
    }

    package mutating func tell() {
        values.set(.targetMediaState, choice: player.target.rawValue)
        values.set(.currentMediaState, choice: player.current)
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
        needs: [.currentMediaState, .targetMediaState],
        standard: Configuration(),
        parameters: [.duration("buffering", \.buffering, "What it takes to begin to play.")]
    ) { configuration, _ in SmartSpeaker(configuration) }
}

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

/// What a device is asked to do with what it plays, as Target Media State tells it.
enum MediaState: Int, ChoiceState {
    case play = 0
    case pause = 1
    case stop = 2
}
