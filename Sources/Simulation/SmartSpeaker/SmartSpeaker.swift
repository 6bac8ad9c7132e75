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
    package init(_ configuration: Configuration = Configuration()) {
        player = MediaPlayer(buffering: configuration.buffering)
    }

    /// Takes over the target: what was loading has loaded.
    package mutating func restore(at now: MonotonicInstant) {
        player.start(target: values[.targetMediaState], current: values[.currentMediaState])
        tell()
    }

    package var nextEvent: MonotonicInstant? { player.playing }

    package mutating func happen(at due: MonotonicInstant) {
        player.settle(through: due)
        tell()
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        guard let state = MediaState(values[.targetMediaState]) else { return }
        player.turn(to: state, at: now)
        tell()
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of the media states: somebody uses the keys of the device.
    package mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        guard case .sense(let found) = command,
            found.type == .targetMediaState || found.type == .currentMediaState,
            let state = MediaState(found.value)
        else { return false }
        player.turn(to: state, at: now)
        tell()
        return true
    }

    private mutating func tell() {
        values.set(.targetMediaState, choice: player.target.rawValue)
        values.set(.currentMediaState, choice: player.current)
    }
}
